"""Shapes of SVG and HTML, with everything escaped that is not made here."""

from collections.abc import Iterable, Sequence
from html import escape

from schemas.shown import plain, shortened
from tasks.evaluate.report.charts.scale import Scale, format_number

WIDTH, HEIGHT = 380.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 20.0, 12.0, 40.0
"""Margins of a chart with axes."""

LETTER = 6.2
"""About how wide a letter of a chart is, at its size of 11."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#5F5F5F")
"""Colours that people with any kind of colour blindness can tell apart (Okabe and Ito, 2008). Shapes differ as well."""


def escape_line(text: object, most: int = 300) -> str:
    """Return `text` on one line, safe in HTML and in attributes; a longer one than `most` loses its middle."""
    return escape(shortened(plain(str(text)), most))


def escape_lines(text: str) -> str:
    """Return a text safe in HTML, with its line breaks."""
    return escape("\n".join(map(plain, text.split("\n"))))


def shape(name: str, inside: str = "", **attributes: object) -> str:
    """Return an element. `inside` is SVG or HTML; attributes are escaped, `_` in their names stands for `-`.

    >>> shape("line", x1=1.25, stroke_width=2)
    '<line x1="1.2" stroke-width="2"/>'
    """
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _value(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else escape(str(value))


def text(x: float, y: float, words: object, most: int = 60, **attributes: object) -> str:
    """Return a text; `anchor` and others are its attributes."""
    return shape("text", escape_line(words, most) or " ", x=x, y=y, **attributes)


def title(words: object) -> str:
    """Return what a browser shows when the pointer rests on a shape."""
    return f"<title>{escape_line(words)}</title>"


def drawing(parts: Iterable[str], label: str, height: float = HEIGHT, width: float = WIDTH) -> str:
    """Return an SVG drawing; `label` says in words what it shows."""
    return shape("svg", "".join(parts), viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=shortened(plain(label), 300))


def marker(kind: int, x: float, y: float, size: float = 4.0, inside: str = "") -> str:
    """Return a point of the `kind`-th series: a disc, a square, a triangle, a diamond, a ring, and so on, in its colour."""
    colour = COLOURS[kind % len(COLOURS)]
    around = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.3), (1.2, 1), (-1.2, 1)),
        3: ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
        5: ((0, 1.3), (1.2, -1), (-1.2, -1)),
    }
    form = kind % len(COLOURS)
    if form in around:
        points = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in around[form])
        return shape("polygon", inside, points=points, fill=colour)
    hollow = form in (4, 6)
    return shape(
        "circle", inside, cx=x, cy=y, r=size, fill="#fff" if hollow else colour, stroke=colour, stroke_width=2 if hollow else 0
    )


def legend(names: Sequence[str]) -> str:
    """Return the names of series beside their markers."""
    items = (
        f"<li>{drawing([marker(kind, 7.0, 7.0)], name, 14, 14)}<span>{escape_line(name, 80)}</span></li>"
        for kind, name in enumerate(names)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def frame(x: Scale, y: Scale, x_name: str, y_name: str) -> list[str]:
    """Return the axes: lines at round numbers, the numbers, and what they count."""
    parts = []
    for value in y.ticks(6):
        at = y.at(value)
        parts += [shape("line", x1=x.start, x2=x.end, y1=at, y2=at, class_="grid")]
        parts += [text(x.start - 5, at + 4, format_number(value), text_anchor="end")]
    last = -1e9
    for value in x.ticks(6):
        at, words = x.at(value), format_number(value)
        parts += [shape("line", x1=at, x2=at, y1=y.start, y2=y.start + 4, class_="axis")]
        if at - last >= (len(words) + 1) * LETTER:
            parts += [text(at, y.start + 16, words, text_anchor="middle")]
            last = at
    parts += [shape("line", x1=x.start, x2=x.end, y1=y.start, y2=y.start, class_="axis")]
    parts += [text((x.start + x.end) / 2, y.start + 32, x_name, text_anchor="middle", class_="name")]
    middle = (y.start + y.end) / 2
    parts += [text(12.0, middle, y_name, text_anchor="middle", class_="name", transform=f"rotate(-90 12 {middle:.1f})")]
    return parts


def x_scale(low: float, high: float, logarithmic: bool = False, whole: bool = False) -> Scale:
    """Return the scale of a horizontal axis."""
    return Scale(low, high, LEFT, WIDTH - RIGHT, logarithmic, whole)


def y_scale(low: float, high: float) -> Scale:
    """Return the scale of a vertical axis: its coordinates fall as values rise."""
    return Scale(low, high, HEIGHT - BOTTOM, TOP)
