"""The status of a corpus: its page in the UI, and its metrics in the text format of Prometheus, version 0.0.4."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tasks.charts.charts import CurvePoint, draw_series
from tasks.charts.scale import Scale, find_round_range, format_number
from tasks.charts.shapes import (
    AXIS,
    BOLD,
    COLOURS,
    END,
    GRID,
    LOW,
    MIDDLE,
    WIDE,
    draw_axes,
    draw_line,
    draw_text,
    format_svg_points,
    make_x_scale,
    make_y_scale,
    render_element,
    render_svg,
)
from tasks.publish.escaping import Markup, escape_markdown, format_markdown_table

RUNS, LISTED = 30, 10
"""Runs that are drawn, and those that are listed."""

PANEL = 64.0
"""Height of a panel."""
GREY, OUTCOME_COLOURS = COLOURS[-1], {"published": COLOURS[0], "refused": COLOURS[1]}
PANELS = ("documents", "chunks", "rejects", "seconds", "recall@5")


class RunPoint(NamedTuple):
    """One run: what the corpus held when it had ended, and how long it took. `recall` is None where nobody evaluated."""

    when: datetime
    outcome: str
    generation: int
    changes: str
    documents: int
    chunks: int
    rejects: int
    seconds: float
    recall: float | None


class CorpusStatus(NamedTuple):
    """What is known of a corpus: `sizes` in bytes by part, `totals` by what is counted, its last runs, the oldest first."""

    name: str
    published_at: datetime
    checked_at: datetime | None
    generation: int
    held: bool
    recipe: str
    embedder: str
    totals: Mapping[str, int]
    sizes: Mapping[str, int]
    recall: str
    points: Sequence[RunPoint]


def render_corpus_page(status: CorpusStatus, now: datetime, trend: str = "") -> str:
    """Return the page of a corpus as Markdown; `trend` is the picture of its runs in Markdown, or empty."""
    drawn = [trend] if trend else []
    rows = [_build_run_row(point) for point in status.points[: -LISTED - 1 : -1]]
    head = ["when (UTC)", "outcome", "changes", "documents", "chunks", "rejects", "s", "recall@5"]
    runs = [format_markdown_table(head, rows)] if rows else ["None yet."]
    return "\n\n".join(
        [
            f"# {escape_markdown(status.name)}",
            format_markdown_table(["what", "value"], _build_status_rows(status, now)),
            "## Last runs",
            *drawn,
            *runs,
        ]
    )


def _build_status_rows(status: CorpusStatus, now: datetime) -> list[list[str]]:
    checked = "not known"
    if status.checked_at:
        checked = f"{_format_time(status.checked_at)}, {format_age(now - status.checked_at)}"
    size = ", ".join(f"{part} {format_size(n)}" for part, n in status.sizes.items())
    return [
        [
            "live generation",
            f"{status.generation}, published {_format_time(status.published_at)}, {format_age(now - status.published_at)}",
        ],
        ["compared with its source", checked],
        *([["held", "a rollback holds it: refreshes stop until one is run with publish.release"]] if status.held else []),
        *([name, f"{n:,}"] for name, n in status.totals.items()),
        ["size", f"{format_size(sum(status.sizes.values()))}: {size}"],
        ["recall@5", status.recall],
        ["recipe", f"{status.recipe[:12]}, embedded by {status.embedder}"],
    ]


def _build_run_row(point: RunPoint) -> list[str]:
    recall = "" if point.recall is None else f"{point.recall:.3f}"
    counted = [f"{n:,}" for n in (point.documents, point.chunks, point.rejects)]
    outcome = f"{point.outcome} {point.generation}" if point.outcome == "published" else point.outcome
    return [_format_time(point.when)[5:], outcome, point.changes, *counted, f"{point.seconds:.0f}", Markup(recall)]


def _format_time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def format_age(delta: timedelta) -> str:
    """Return how long ago something was, for people.

    >>> from datetime import timedelta
    >>> format_age(timedelta(minutes=5)), format_age(timedelta(hours=30)), format_age(timedelta(days=9))
    ('5 minutes ago', '30 hours ago', '9 days ago')
    """
    minutes = max(0, int(delta.total_seconds() // 60))
    if minutes < 120:
        return f"{minutes} minutes ago"
    return f"{minutes // 60} hours ago" if minutes < 48 * 60 else f"{minutes // 1440} days ago"


def format_size(n: int) -> str:
    """Return a size for people.

    >>> format_size(1_234_567), format_size(12_345_678_901)
    ('1.2 MB', '12.3 GB')
    """
    return f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:.1f} MB"


def draw_run_panels(points: Sequence[RunPoint]) -> str:
    """Return a chart with one panel for each of PANELS over the runs, the oldest first.

    Runs that published nothing are grey, refused ones orange.
    """
    x = Scale(0, max(1, len(points) - 1), 96, WIDE - 20)
    parts = [part for at, name in enumerate(PANELS) for part in _draw_run_panel(points, name, x, at * PANEL)]
    bottom = PANEL * len(PANELS)
    shown = range(0, len(points), len(points) // 8 + 1)
    parts += [draw_text(x.to_coordinate(at), bottom + 16, points[at].when.strftime("%d %b %H:%M"), **MIDDLE) for at in shown]
    return render_svg(parts, f"Trend of the last {len(points)} runs", bottom + 24, WIDE)


def _draw_run_panel(points: Sequence[RunPoint], name: str, x: Scale, top: float) -> Iterator[str]:
    found = [(point, at, value) for at, point in enumerate(points) if (value := _get_point_value(point, name)) is not None]
    most = 1.0 if name == "recall@5" else find_round_range([value for _, _, value in found], most=3)[1]
    y = Scale(0, most, top + PANEL, top + 14)
    for tick in y.list_ticks(3):
        yield draw_line((x.start, y.to_coordinate(tick)), (x.end, y.to_coordinate(tick)), **(GRID if tick else AXIS))
        yield draw_text(x.start - 5, y.to_coordinate(tick) + 4, format_number(tick), **END)
    yield draw_text(4.0, (y.start + y.end) / 2 + 4, name, **BOLD)
    places = [(x.to_coordinate(at), y.to_coordinate(value)) for _, at, value in found]
    yield render_element("polyline", points=format_svg_points(places), fill="none", stroke=GREY)
    for (left, height), (point, _, _) in zip(places, found, strict=True):
        yield render_element("circle", cx=left, cy=height, r=2.5, fill=OUTCOME_COLOURS.get(point.outcome, GREY))


def draw_mean_history(title: str, generations: Sequence[int], means: Sequence[tuple[float, float, float]]) -> str:
    """Return a chart of the mean of each evaluation with its interval (value, low, high), the oldest first."""
    points = [CurvePoint(at, *mean, f"generation {generations[at]}") for at, mean in enumerate(means)]
    x = make_x_scale(0, max(1, len(points) - 1), whole=True, width=WIDE)
    y = make_y_scale(*find_round_range([end for mean in means for end in mean], zero=False), height=LOW)
    parts = [*draw_axes(x, y, "generation", title, [*map(str, generations), ""]), *draw_series(0, points, x, y)]
    return render_svg(parts, f"{title} of the last {len(means)} evaluations, with intervals", LOW, WIDE)


def _get_point_value(point: RunPoint, name: str) -> float | None:
    value: float | None = point.recall if name == "recall@5" else getattr(point, name)
    return value


class Sample(NamedTuple):
    """One value of a gauge. It is labelled with the corpus, and with `labels`."""

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = {}


def format_metric_samples(samples: Iterable[Sample], corpus: str) -> str:
    r"""Return samples as text, those of a name together, each with the label `corpus`.

    >>> samples = [Sample("chunks", "rows of chunks", 7), Sample("bytes", "size", 5, {"part": "tables"})]
    >>> print(format_metric_samples(samples, 'my "corpus"'))
    # HELP pagemill_chunks rows of chunks
    # TYPE pagemill_chunks gauge
    pagemill_chunks{corpus="my \"corpus\""} 7
    # HELP pagemill_bytes size
    # TYPE pagemill_bytes gauge
    pagemill_bytes{corpus="my \"corpus\"",part="tables"} 5
    """
    lines: dict[str, list[str]] = {}
    for sample in samples:
        name = f"pagemill_{sample.name}"
        head = [f"# HELP {name} {sample.help}", f"# TYPE {name} gauge"]
        labels = ",".join(f'{key}="{_escape_label(value)}"' for key, value in {"corpus": corpus, **sample.labels}.items())
        lines.setdefault(name, head).append(f"{name}{{{labels}}} {sample.value:.15g}")
    return "\n".join(line for group in lines.values() for line in group)


def _escape_label(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
