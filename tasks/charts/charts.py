"""The charts: horizontal bars and boxes, a row for each recipe, so that any number of recipes fits; points, lines, histograms."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tasks.charts.scale import Scale, find_round_range, format_number
from tasks.charts.shapes import (
    AXIS,
    BOLD,
    COLOURS,
    END,
    GRID,
    HEIGHT,
    LEFT,
    LETTER,
    MIDDLE,
    RIGHT,
    TOP,
    WIDTH,
    draw_axes,
    draw_line,
    draw_marker,
    draw_text,
    escape_line,
    format_svg_points,
    make_x_scale,
    make_y_scale,
    render_element,
    render_legend,
    render_svg,
    render_tooltip,
)

NAMES = 114.0
"""Width of the column of names."""
LONGEST_NAME = 16

ROW, FOOT = 20.0, 36.0
"""Heights of a row, and of the axis below all rows."""

ON_COLOURS = ("#fff", "#000", "#fff", "#000", "#000", "#000", "#fff")
"""Colours of letters that can be read on COLOURS."""

LOG_FROM = 30.0
"""How many times the smallest value the largest must be for a logarithmic axis."""

MOST_BARS = 32

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class BoxFigures(NamedTuple):
    """A box plot: quartiles, whiskers at the last values within 1.5 box lengths of the box (Tukey), the mean, how many values."""

    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    n: int


class Point(NamedTuple):
    """A recipe: what it is called in a few letters, and in full."""

    x: float
    y: float
    label: str
    name: str


class CurvePoint(NamedTuple):
    """A figure at `x`, with its interval, and what it is in words."""

    x: float
    y: float
    low: float
    high: float
    name: str


class Series(NamedTuple):
    """A line and what it is called."""

    name: str
    points: list[CurvePoint]


def compute_box_plot_figures(values: Sequence[float]) -> BoxFigures:
    """Return the figures of a box plot; there must be values.

    >>> compute_box_plot_figures([0, 1, 2, 3, 20])
    BoxFigures(low=0.0, first=1.0, median=2.0, third=3.0, high=3.0, mean=5.2, n=5)
    """
    found = np.asarray(values, dtype=np.float64)
    first, median, third = np.percentile(found, [25, 50, 75]).tolist()
    reach = 1.5 * (third - first)
    near = found[(found >= first - reach) & (found <= third + reach)]
    low, high = min(first, float(near.min())), max(third, float(near.max()))
    return BoxFigures(low, first, median, third, high, float(found.mean()), found.size)


def draw_box_plot(groups: Mapping[str, Mapping[str, Sequence[float]]], x_name: str) -> str:
    """Return a box plot for each group, such as a domain, and in it for each recipe."""
    found = {
        group: {name: compute_box_plot_figures(values) for name, values in rows.items() if values}
        for group, rows in groups.items()
    }
    ends = [value for rows in found.values() for one in rows.values() for value in (one.low, one.high, one.mean)]
    x = _make_row_scale(*find_round_range(ends))
    parts, y = [], 4.0
    for group, rows in found.items():
        parts.append(draw_text(4.0, y + 14, group, 48, font_weight=700, font_size=12))
        y += ROW
        for kind, (name, one) in enumerate(rows.items()):
            parts += [_draw_row_name(name, y), *_draw_box(one, COLOURS[kind % len(COLOURS)], x, y + ROW / 2, name)]
            y += ROW
    return render_svg([*_draw_axis_below_rows(x, y, x_name), *parts], f"{x_name} by group", y + FOOT)


def _draw_box(one: BoxFigures, colour: str, x: Scale, y: float, name: str) -> list[str]:
    words = render_tooltip(
        f"{name}: quartiles {one.first:.3f}, {one.median:.3f}, {one.third:.3f}; mean {one.mean:.3f}; n {one.n}"
    )
    left, right, median = x.to_coordinate(one.first), x.to_coordinate(one.third), x.to_coordinate(one.median)
    look = {"fill": colour, "fill_opacity": 0.45, "stroke": colour}
    return [
        draw_line((x.to_coordinate(one.low), y), (x.to_coordinate(one.high), y), **AXIS),
        render_element("rect", words, x=left, y=y - 6, width=max(1.0, right - left), height=12, **look),
        draw_line((median, y - 6), (median, y + 6), stroke="#000", stroke_width=2),
        render_element("circle", words, cx=x.to_coordinate(one.mean), cy=y, r=2.5, fill="#fff", stroke="#000"),
    ]


def draw_stacked_bars(rows: Mapping[str, Mapping[str, int]], kinds: Sequence[str], x_name: str) -> str:
    """Return a bar for each row, made of its counts by kind in the order of `kinds`, each named by a letter; and a legend."""
    x = _make_row_scale(*find_round_range([sum(counts.values()) for counts in rows.values()]))._replace(whole=True)
    parts: list[str] = []
    for at, (name, counts) in enumerate(rows.items()):
        y, start = at * ROW, 0
        parts.append(_draw_row_name(name, y))
        for index, kind in enumerate(kinds):
            if n := counts.get(kind, 0):
                parts += _draw_bar_part(index, kind, n, (x.to_coordinate(start), x.to_coordinate(start + n)), y)
                start += n
    height = len(rows) * ROW
    items = "".join(
        f'<li><b style="background:{COLOURS[at % 7]};color:{ON_COLOURS[at % 7]}">{_get_kind_letter(at)}</b>'
        f"<span>{escape_line(kind)}</span></li>"
        for at, kind in enumerate(kinds)
    )
    return (
        render_svg([*_draw_axis_below_rows(x, height, x_name), *parts], x_name, height + FOOT)
        + f'<ul class="legend">{items}</ul>'
    )


def _get_kind_letter(at: int) -> str:
    return chr(ord("A") + at % 26)


def _draw_bar_part(index: int, kind: str, n: int, ends: tuple[float, float], y: float) -> list[str]:
    left, right = ends
    name = _get_kind_letter(index)
    words = next((words for words in (f"{name} {n}", name) if right - left >= (len(words) + 0.5) * LETTER), "")
    colour, ink = COLOURS[index % len(COLOURS)], ON_COLOURS[index % len(COLOURS)]
    bar = render_element(
        "rect", render_tooltip(f"{kind}: {n}"), x=left, y=y + 2, width=right - left, height=ROW - 4, fill=colour, stroke="#fff"
    )
    return [bar, draw_text((left + right) / 2, y + 14, words, **MIDDLE, fill=ink)] if words else [bar]


def draw_interval(value: float, low: float, high: float, most: float) -> str:
    """Return a point with its interval on a line from 0 to `most`, for a cell of a table."""
    x = Scale(0, most, 5, 115)
    parts = [
        draw_line((5, 8), (115, 8), **GRID),
        draw_line((x.to_coordinate(low), 8), (x.to_coordinate(high), 8), stroke=COLOURS[0], stroke_width=3),
        render_element("circle", cx=x.to_coordinate(value), cy=8, r=4, fill=COLOURS[0]),
    ]
    return render_svg(parts, f"{value:.3f}, interval {low:.3f} to {high:.3f}", 16, 120)


def _make_row_scale(low: float, high: float) -> Scale:
    return Scale(low, high, NAMES, WIDTH - RIGHT)


def _draw_row_name(name: str, y: float) -> str:
    return render_element("text", render_tooltip(name) + escape_line(name, LONGEST_NAME), x=NAMES - 6, y=y + 14, **END)


def _draw_axis_below_rows(x: Scale, y: float, x_name: str, grid: bool = True) -> list[str]:
    """Return the axis below all rows."""
    parts = [draw_line((x.start, y), (x.end, y), **AXIS)]
    for value in x.list_ticks():
        at = x.to_coordinate(value)
        parts += [draw_line((at, 0.0 if grid else y), (at, y + 3), **GRID), draw_text(at, y + 15, format_number(value), **MIDDLE)]
    return [*parts, draw_text((x.start + x.end) / 2, y + 31, x_name, **MIDDLE, **BOLD)]


def draw_count_histogram(counts: Sequence[int], step: int, x_name: str) -> str:
    """Return upright bars of counts, the first of which counts what is below `step`; of too many bars, neighbours are joined."""
    last = max((at for at, n in enumerate(counts) if n), default=0) + 1
    joined = -(-last // MOST_BARS)
    heights = [sum(counts[at : at + joined]) for at in range(0, last, joined)]
    edges = [at * step * joined for at in range(len(heights) + 1)]
    x, y = Scale(0, edges[-1], 8.0, WIDTH - RIGHT), Scale(0, max(heights) or 1, 74.0, 4.0)
    return render_svg(
        [*_draw_axis_below_rows(x, y.start, x_name, grid=False), *draw_upright_bars(heights, edges, x, y)], x_name, y.start + FOOT
    )


def draw_upright_bars(heights: Sequence[float], edges: Sequence[float], x: Scale, y: Scale) -> list[str]:
    """Return bars between edges, each with its count in words."""
    return [
        render_element(
            "rect",
            render_tooltip(f"{format_number(low)} to {format_number(high - 1)}: {format_number(n)}"),
            x=x.to_coordinate(low),
            y=y.to_coordinate(n),
            width=max(1.0, x.to_coordinate(high) - x.to_coordinate(low) - 1),
            height=y.start - y.to_coordinate(n),
            fill=COLOURS[0],
        )
        for n, low, high in zip(heights, edges, edges[1:], strict=False)
    ]


def find_pareto_frontier(points: Sequence[Point], smaller_x: bool = False) -> list[Point]:
    """Return the points that no other one beats: with no smaller y and no smaller x (larger if `smaller_x`), by x.

    >>> a, b, c = Point(1, 5, "a", ""), Point(2, 4, "b", ""), Point(1, 4, "c", "")
    >>> [[point.label for point in find_pareto_frontier([a, b, c], smaller_x)] for smaller_x in (False, True)]
    [['a', 'b'], ['a']]
    """
    sign = 1 if smaller_x else -1
    best: list[Point] = []
    for point in sorted(points, key=lambda point: (sign * point.x, -point.y)):
        if not best or point.y > best[-1].y:
            best.append(point)
    return sorted(best)


def draw_scatter_plot(points: Sequence[Point], x_name: str, y_name: str, smaller_x: bool = False) -> str:
    """Return the points with their frontier as a line. A label that would lie on another one or on a point is left out."""
    xs = [point.x for point in points]
    logarithmic = min(xs) > 0 and max(xs) >= LOG_FROM * min(xs)
    x = make_x_scale(min(xs) / 1.3, max(xs) * 1.3, True) if logarithmic else make_x_scale(*find_round_range(xs, zero=smaller_x))
    y = make_y_scale(*find_round_range([point.y for point in points], zero=False))
    best = find_pareto_frontier(points, smaller_x)
    ordered = [*best, *(point for point in points if point not in best)]
    places = [(x.to_coordinate(point.x), y.to_coordinate(point.y)) for point in ordered]
    dashed = {"fill": "none", "stroke": COLOURS[0], "stroke_width": 1.5, "stroke_dasharray": "5 3"}
    dots = [
        draw_marker(
            0 if point in best else 6,
            *place,
            4.0,
            render_tooltip(f"{point.name}: {x_name} {point.x:.4g}, {y_name} {point.y:.4g}"),
        )
        for point, place in zip(ordered, places, strict=True)
    ]
    free = place_point_labels(places, [point.label for point in ordered])
    labels = [draw_text(*at, point.label, **BOLD) for point, at in zip(ordered, free, strict=True) if at[0] >= 0]
    drawn = [
        *draw_axes(x, y, x_name, y_name),
        render_element("polyline", points=format_svg_points(places[: len(best)]), **dashed),
        *dots,
        *labels,
    ]
    return render_svg(drawn, f"{y_name} over {x_name} of {len(points)} recipes")


def place_point_labels(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> list[tuple[float, float]]:
    """Return where labels begin, on their baselines: right of a point, left, above or below; (-1, -1) where none is free."""
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    places = []
    for (x, y), label in zip(points, labels, strict=True):
        wide = LETTER * len(label)
        tried = [(x + 6, y + 4), (x - 6 - wide, y + 4), (x - wide / 2, y - 7), (x - wide / 2, y + 15)]
        boxes = [(left, base - 9, left + wide, base + 2) for left, base in tried]
        free = [
            at
            for at, box in enumerate(boxes)
            if _is_inside_chart(box) and not any(_do_boxes_overlap(box, other) for other in taken)
        ]
        places.append(tried[free[0]] if free else (-1.0, -1.0))
        taken += [boxes[at] for at in free[:1]]
    return places


def _is_inside_chart(box: Box) -> bool:
    return box[0] >= LEFT and box[1] >= TOP - 10 and box[2] <= WIDTH and box[3] <= HEIGHT


def _do_boxes_overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def draw_line_chart(
    series: Sequence[Series],
    x_name: str,
    y_name: str,
    *,
    marks: Sequence[tuple[float, str]] = (),
    bands: bool = True,
    logarithmic: bool = False,
) -> str:
    """Return lines with their points, `bands` for intervals, upright dashed lines at `marks`, and a legend.

    The axis of x is `logarithmic` if so wished, and if the values are positive and far enough apart.
    """
    found = [point for one in series for point in one.points]
    xs = [float(point.x) for point in found]
    logarithmic = logarithmic and min(xs) > 0 and max(xs) >= LOG_FROM * min(xs)
    x = make_x_scale(min(xs), max(xs), logarithmic, whole=all(map(float.is_integer, xs)))
    heights = [v for point in found for v in ((point.low, point.high) if bands else (point.y,))]
    y = make_y_scale(*find_round_range(heights, zero=False))
    dashed = {"stroke": "#666", "stroke_dasharray": "4 3"}
    parts = draw_axes(x, y, x_name, y_name)
    parts += [
        render_element(
            "line", render_tooltip(words), x1=x.to_coordinate(at), x2=x.to_coordinate(at), y1=y.start, y2=y.end, **dashed
        )
        for at, words in marks
    ]
    for kind, one in enumerate(series):
        parts += draw_series(kind, one.points, x, y, bands)
    return render_svg(parts, f"{y_name} over {x_name}") + render_legend([one.name for one in series])


def draw_series(kind: int, points: Sequence[CurvePoint], x: Scale, y: Scale, bands: bool = True) -> list[str]:
    """Return a line with its points, and the band of their intervals."""
    colour, ordered = COLOURS[kind % len(COLOURS)], sorted(points)
    upper = [(x.to_coordinate(point.x), y.to_coordinate(point.high)) for point in ordered]
    lower = [(x.to_coordinate(point.x), y.to_coordinate(point.low)) for point in reversed(ordered)]
    band = render_element("polygon", points=format_svg_points([*upper, *lower]), fill=colour, opacity=0.2)
    curve = format_svg_points((x.to_coordinate(point.x), y.to_coordinate(point.y)) for point in ordered)
    return [
        *([band] if bands and len(ordered) > 1 else []),
        render_element("polyline", points=curve, fill="none", stroke=colour, stroke_width=2),
        *(
            draw_marker(kind, x.to_coordinate(point.x), y.to_coordinate(point.y), 3.0, render_tooltip(point.name))
            for point in ordered
        ),
    ]
