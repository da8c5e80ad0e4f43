"""Drawn charts, as SVG without words: whether a chart's words belong to a text is a question of its own."""

from math import cos, pi, sin

from benchmarks.roundtrip.drawn.pen import Pen

COLOURS = ("#3366aa", "#cc5533", "#44995f", "#8866aa", "#999999")
WIDE, HIGH = 320, 200


def chart(pen: Pen) -> str:
    """Return a chart of bars, lines, dots or slices, 320 units wide and 200 high."""
    inner = pen.one((_bars, _lines, _dots, _slices))(pen)
    axes = '<path d="M30 10 V180 H310" fill="none" stroke="#333333" stroke-width="1"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">{axes}{inner}</svg>'
    )


def _bars(pen: Pen) -> str:
    n, colour = pen.rng.randint(4, 10), pen.one(COLOURS)
    step = 270 / n
    wide = f"{step * 0.7:.1f}"
    heights = [pen.rng.randint(15, 160) for _ in range(n)]
    boxes = (f'x="{35 + step * i:.1f}" y="{180 - high}" width="{wide}" height="{high}"' for i, high in enumerate(heights))
    return "".join(f'<rect {box} fill="{colour}"/>' for box in boxes)


def _lines(pen: Pen) -> str:
    paths = []
    for colour in pen.some(COLOURS, 1, 3):
        points = " ".join(f"{30 + 28 * i},{pen.rng.randint(20, 175)}" for i in range(11))
        paths.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return "".join(paths)


def _dots(pen: Pen) -> str:
    spots = ((pen.rng.randint(36, 305), pen.rng.randint(15, 175)) for _ in range(pen.rng.randint(20, 60)))
    colour = pen.one(COLOURS)
    return "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in spots)


def _slices(pen: Pen) -> str:
    shares = [pen.rng.uniform(0.5, 2) for _ in range(pen.rng.randint(3, 5))]
    turn, paths = 0.0, []
    for colour, share in zip(COLOURS, shares, strict=False):
        end = turn + share / sum(shares) * 2 * pi
        (x, y), (end_x, end_y) = ((170 + 75 * cos(angle), 95 + 75 * sin(angle)) for angle in (turn, end))
        arc = f"A75 75 0 {int(end - turn > pi)} 1 {end_x:.1f} {end_y:.1f}"
        paths.append(f'<path d="M170 95 L{x:.1f} {y:.1f} {arc} Z" fill="{colour}"/>')
        turn = end
    return "".join(paths)
