"""Shapes of SVG and HTML, with everything escaped that is not made here. They need no style sheet."""

from collections.abc import Iterable, Sequence
from html import escape

from schemas.shown import plain, shorten
from tasks.charts.scale import Scale, format_number

WIDTH, HEIGHT = 380.0, 250.0
"""A chart of this width can be read on a phone."""
WIDE, LOW = 640.0, 320.0
"""Width and height of a chart in the Prefect UI."""
LEFT, RIGHT, TOP, BOTTOM = 56.0, 20.0, 12.0, 40.0
"""Margins of a chart with axes."""

LETTER = 6.2
"""About how wide a letter of a chart is, at its size of 11."""

INK, AXIS, GRID = "#1a1a1a", {"stroke": "#444"}, {"stroke": "#e4e4e4"}
BOLD, MIDDLE, END = {"font_weight": 600}, {"text_anchor": "middle"}, {"text_anchor": "end"}

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#5F5F5F")
"""Colours that people with any kind of colour blindness can tell apart (Okabe and Ito, 2008). Shapes differ as well."""


def escape_line(text: object, most: int = 300) -> str:
    """Return `text` on one line, safe in HTML and in attributes; a longer one than `most` loses its middle."""
    return escape(shorten(plain(str(text)), most))


def escape_lines(text: str) -> str:
    """Return a text safe in HTML, with its line breaks."""
    return escape("\n".join(map(plain, text.split("\n"))))


def render_element(name: str, inside: str = "", /, **attributes: object) -> str:
    """Return an element. `inside` is SVG or HTML; attributes are escaped, `_` in their names stands for `-`.

    >>> render_element("line", x1=1.25, stroke_width=2)
    '<line x1="1.2" stroke-width="2"/>'
    """
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{_format_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _format_attribute(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else escape(str(value))


def draw_line(start: tuple[float, float], end: tuple[float, float], **attributes: object) -> str:
    """Return a line between two points."""
    return render_element("line", x1=start[0], x2=end[0], y1=start[1], y2=end[1], **attributes)


def format_svg_points(points: Iterable[tuple[float, float]]) -> str:
    """Return points as polylines and polygons have them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def draw_text(x: float, y: float, words: object, most: int = 60, /, **attributes: object) -> str:
    """Return a text."""
    return render_element("text", escape_line(words, most) or " ", x=x, y=y, **attributes)


def render_tooltip(words: object) -> str:
    """Return what a browser shows when the pointer rests on a shape."""
    return f"<title>{escape_line(words)}</title>"


def render_svg(parts: Iterable[str], label: str, height: float = HEIGHT, width: float = WIDTH) -> str:
    """Return an SVG drawing; `label` says in words what it shows."""
    look = {"font_family": "Helvetica, sans-serif", "font_size": 11, "fill": INK}
    named = {"role": "img", "aria_label": shorten(plain(label), 300)}
    return render_element("svg", render_element("g", "".join(parts), **look), viewBox=f"0 0 {width:g} {height:g}", **named)


def draw_marker(kind: int, x: float, y: float, size: float = 4.0, inside: str = "") -> str:
    """Return a point of the `kind`-th series: a disc, a square, a triangle, a diamond, a ring, and so on, in its colour."""
    colour = COLOURS[kind % len(COLOURS)]
    corners = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.3), (1.2, 1), (-1.2, 1)),
        3: ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
        5: ((0, 1.3), (1.2, -1), (-1.2, -1)),
    }
    form = kind % len(COLOURS)
    if form in corners:
        return render_element(
            "polygon", inside, points=format_svg_points((x + dx * size, y + dy * size) for dx, dy in corners[form]), fill=colour
        )
    look = {"fill": "#fff", "stroke_width": 2} if form in (4, 6) else {"fill": colour, "stroke_width": 0}
    return render_element("circle", inside, cx=x, cy=y, r=size, stroke=colour, **look)


def render_legend(names: Sequence[str]) -> str:
    """Return the names of series beside their markers."""
    items = (
        f"<li>{render_svg([draw_marker(kind, 7.0, 7.0)], name, 14, 14)}<span>{escape_line(name, 80)}</span></li>"
        for kind, name in enumerate(names)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def draw_axes(x: Scale, y: Scale, x_name: str, y_name: str, x_labels: Sequence[str] = ()) -> list[str]:
    """Return the axes: lines at round numbers, the numbers, and what they count; x is 0, 1, … if it has labels."""
    parts = []
    for value in y.list_ticks():
        at = y.to_coordinate(value)
        parts += [draw_line((x.start, at), (x.end, at), **GRID), draw_text(x.start - 5, at + 4, format_number(value), **END)]
    last = -1e9
    for value in x.list_ticks(6 if x.end <= WIDTH else 12):
        at, words = x.to_coordinate(value), x_labels[round(value)] if x_labels else format_number(value)
        parts.append(draw_line((at, y.start), (at, y.start + 4), **AXIS))
        if at - last >= (len(words) + 1) * LETTER:
            parts.append(draw_text(at, y.start + 16, words, **MIDDLE))
            last = at
    middle = (y.start + y.end) / 2
    return [
        *parts,
        draw_line((x.start, y.start), (x.end, y.start), **AXIS),
        draw_text((x.start + x.end) / 2, y.start + 32, x_name, **MIDDLE, **BOLD),
        draw_text(12.0, middle, y_name, **MIDDLE, **BOLD, transform=f"rotate(-90 12 {middle:.1f})"),
    ]


def make_x_scale(low: float, high: float, logarithmic: bool = False, whole: bool = False, width: float = WIDTH) -> Scale:
    """Return the scale of a horizontal axis."""
    return Scale(low, high, LEFT, width - RIGHT, logarithmic, whole)


def make_y_scale(low: float, high: float, height: float = HEIGHT) -> Scale:
    """Return the scale of a vertical axis: its coordinates fall as values rise."""
    return Scale(low, high, height - BOTTOM, TOP)
