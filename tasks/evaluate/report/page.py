"""The page: all sections of a report as one HTML file that needs nothing else, no script and no network."""

from collections.abc import Sequence

from tasks.evaluate.report import sections, single_questions
from tasks.evaluate.report.charts.lines import CurvePoint, Series, line_chart
from tasks.evaluate.report.charts.scale import format_number
from tasks.evaluate.report.charts.shapes import escape_line
from tasks.evaluate.report.data import ReportData, TrendPoint
from tasks.evaluate.report.sections import count_of, empty_section, render_section
from tasks.evaluate.report.style import STYLE

IN_TREND = ("recall", "iou", "mrr")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What browsers may load for the page: its own style, and nothing else, whatever the texts of documents contain."""


def render_report(facts: ReportData) -> str:
    """Return the report as HTML."""
    title = escape_line(f"Evaluation of {facts.title}")
    charts = [
        sections.recall_over_iou(facts),
        sections.iou_over_seconds(facts),
        sections.over_context(facts),
        sections.losses(facts),
        sections.by_domain(facts),
        trend_section(facts),
        sections.lengths(facts),
    ]
    parts = [
        f"<header><h1>{title}</h1><p>{summarize(facts)}</p></header>",
        sections.scores(facts),
        f'<div class="charts">{"".join(charts)}</div>',
        sections.costs(facts),
        means_section(facts),
        questions_section(facts),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def summarize(facts: ReportData) -> str:
    """Return in a sentence what the report is about."""
    run, n = facts.details.run, len(facts.runs)
    newest = max(one.logged.evaluated_at for one in facts.runs)
    of = f", generation {run.logged.generation}" if run.logged.generation else ""
    counts = f"{count_of(n, 'recipe')}, {count_of(facts.details.n_questions, 'question')}{of}"
    return escape_line(f"{counts}; last evaluated {newest:%Y-%m-%d %H:%M} UTC.")


def trend_section(facts: ReportData) -> str:
    """Return the means over generations, with marks where the recipe or the unit of results changed."""
    title, k = "Trend over generations", facts.cutoff
    if len(facts.nights) < 2:
        return empty_section(title, "Nothing to show: a trend needs evaluations of two generations; evaluate after each refresh.")
    series = [Series(f"{name}@{k}", _line(facts.nights, name, k)) for name in IN_TREND]
    series = [one for one in series if len(one.points) > 1]
    if not series:
        return empty_section(title, f"Nothing to show: no metric at {k} is in the log of two generations.")
    marks = [
        (float(after.logged.generation), f"recipe {after.logged.recipe[:12]}, {after.unit}")
        for before, after in zip(facts.nights, facts.nights[1:], strict=False)
        if (before.logged.recipe, before.unit) != (after.logged.recipe, after.unit)
    ]
    changed = " Dashed: the recipe changed." if marks else ""
    note = f"Means with their intervals.{changed} {escape_line(facts.alarm)}"
    return render_section(title, line_chart(series, "generation", f"mean at {k}", marks=marks), note)


def _line(nights: Sequence[TrendPoint], metric: str, cutoff: int) -> list[CurvePoint]:
    found = [(night, night.means.get((metric, night.unit, cutoff))) for night in nights]
    return [
        CurvePoint(night.logged.generation, *mean[:3], f"generation {night.logged.generation}: {metric} {mean.value:.3f}")
        for night, mean in found
        if mean
    ]


def means_section(facts: ReportData) -> str:
    """Return all means of the run whose questions are shown, to be opened: a row for each metric, a column for each cutoff."""
    run = facts.details.run
    by_row: dict[tuple[str, str], dict[int, str]] = {}
    for (metric, unit, cutoff), mean in run.means.items():
        value = f"{format_number(mean.value)} [{format_number(mean.low)}, {format_number(mean.high)}]"
        by_row.setdefault((metric, unit if cutoff else ""), {})[cutoff] = value
    cutoffs = sorted({cutoff for row in by_row.values() for cutoff in row})
    heads = "".join(f"<th>{f'at {cutoff:,}' if cutoff else 'share'}</th>" for cutoff in cutoffs)
    lines = []
    for (metric, unit), row in sorted(by_row.items()):
        cells = "".join(f"<td>{row.get(cutoff, '')}</td>" for cutoff in cutoffs)
        lines.append(f"<tr><td>{escape_line(metric)}</td><td>{escape_line(unit)}</td>{cells}</tr>")
    head = f"<thead><tr><th>metric</th><th>unit</th>{heads}</tr></thead>"
    table = f'<div class="scroll"><table>{head}<tbody>{"".join(lines)}</tbody></table></div>'
    words = f"All means of {_place(facts, run.logged.run_id)}"
    return f'<section class="wide"><details><summary><b>{escape_line(words)}</b></summary>{table}</details></section>'


def questions_section(facts: ReportData) -> str:
    """Return the questions of a run, one by one."""
    details = facts.details
    if not details.questions:
        return empty_section("Questions one by one", "Nothing to show: the questions of this evaluation are not in the log.")
    left = details.n_questions - len(details.questions)
    rest = f" The first {len(details.questions)} are shown; {left} are not." if left else ""
    of = _place(facts, details.run.logged.run_id)
    note = f"Of {of}, the lowest recall first.{rest} On paper, only opened ones are printed in full."
    body = f'<p class="note">{escape_line(note)}</p>{single_questions.render_questions(details)}'
    return f'<section class="wide"><h2>Questions one by one</h2>{body}</section>'


def _place(facts: ReportData, run_id: str) -> str:
    at, run = next((at, run) for at, run in sections.number_runs(facts) if run.logged.run_id == run_id)
    return f"recipe {at}, {run.logged.title}, {facts.cutoff} {run.unit}"
