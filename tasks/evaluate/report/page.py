"""The page: all sections of a report as one HTML file that needs nothing else, no script and no network."""

from collections.abc import Sequence

from tasks.charts.charts import CurvePoint, Series, draw_line_chart
from tasks.charts.scale import format_number
from tasks.charts.shapes import escape_line
from tasks.evaluate.report import sections, single_questions
from tasks.evaluate.report.data import ReportData, TrendPoint
from tasks.evaluate.report.sections import format_count, render_empty_section, render_section

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --soft: #595959; --line: #d5d5d5; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1400px; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .2rem 0; }
h2 { font-size: 1.1rem; margin: 0 0 .4rem; }
h4 { font-size: .9rem; margin: .8rem 0 .2rem; }
p { margin: .3rem 0; }
.note, figcaption { color: var(--soft); font-size: .875rem; }
div.charts { columns: 26rem; column-gap: 1rem; }
div.charts section { break-inside: avoid; margin: 0 0 1rem; }
section { border: 1px solid var(--line); border-radius: 6px; padding: .8rem; min-width: 0; }
section.wide { margin: 1rem 0; }
figure { margin: 0; }
svg { display: block; width: 100%; max-width: 560px; height: auto; } svg g { font-family: inherit; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid #444; padding: .25rem .5rem; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; font-variant-numeric: tabular-nums; }
td svg { width: 120px; }
td.number, th.number { text-align: right; }
.scroll { overflow-x: auto; }
.scroll td, .scroll th { overflow-wrap: normal; white-space: nowrap; }
.scroll td:first-child { white-space: normal; min-width: 8rem; }
table.scores td:not(.recipe) { white-space: nowrap; }
ul.legend { list-style: none; margin: .4rem 0 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: .2rem 1rem; font-size: .875rem; }
ul.legend li { display: flex; align-items: center; gap: .35rem; } ul.legend svg { width: 14px; flex: none; }
ul.legend b { width: 1.3rem; text-align: center; border-radius: 3px; }
.badge { display: inline-block; border: 1px solid #888; border-radius: 3px; padding: 0 .35rem; margin-right: .25rem;
  font-size: .8125rem; font-variant-numeric: tabular-nums; }
.badge.lost { border-color: #a03c00; color: #8a3300; font-weight: 600; }
details.question { border-top: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; }
blockquote { margin: .3rem 0; padding: .3rem .6rem; border-left: 3px solid var(--line); white-space: pre-wrap; font-size: .9rem;
  unicode-bidi: isolate; }
mark { color: #000; background: none; padding: 0 .1em; }
mark.found { background: #bfe6d8; border-bottom: 3px solid #007a59; } mark.found::before { content: "✓ "; }
mark.missed { background: #ffd9bf; border: 2px dashed #b34700; } mark.missed::before { content: "✗ "; }
mark.retrieved { background: #e6f1fa; border-bottom: 2px dotted #0072B2; }
b.rank { display: inline-block; min-width: 1.3em; padding: 0 .25em; margin-right: .2em; border-radius: 1em; background: #1a1a1a;
  color: #fff; font-size: .75rem; text-align: center; line-height: 1.4; }
ul.ranking { list-style: none; padding-left: 0; }
@media screen and (max-width: 760px) {
  body { padding: .6rem; font-size: 15px; }
  table.scores thead { display: none; }
  table.scores tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 2px solid #999; padding: .3rem 0; }
  table.scores td { border: 0; padding: .1rem .3rem; } table.scores td.recipe { grid-column: 1 / -1; font-weight: 600; }
  td.recipe .note { font-weight: 400; }
  table.scores td::before { content: attr(data-name); display: block; color: var(--soft); font-size: .75rem; }
  table.scores td.recipe::before { content: none; } table.scores td.number { text-align: left; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; } div.charts { columns: 2; }
  section { border: 0; padding: 0 0 .5rem; } h2, h4 { break-after: avoid; } tr, svg { break-inside: avoid; }
  svg { max-height: 22cm; } table, .note, figcaption, .badge, ul.legend, blockquote { font-size: 8pt; }
  .scroll { overflow: visible; } .scroll td, .scroll th { white-space: normal; }
  td, th { padding: .15rem .25rem; } td svg { width: 80px; }
  details.question:not([open]) { break-inside: avoid; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

IN_TREND = ("recall", "iou", "mrr")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What browsers may load for the page: its own style, and nothing else, whatever the texts of documents contain."""


def render_report(facts: ReportData) -> str:
    """Return the report as HTML."""
    title = escape_line(f"Evaluation of {facts.title}")
    charts = [
        sections.render_recall_over_iou(facts),
        sections.render_iou_over_seconds(facts),
        sections.render_context_curve(facts),
        sections.render_loss_reasons(facts),
        sections.render_domain_box_plots(facts),
        render_trend(facts),
        sections.render_length_histograms(facts),
    ]
    parts = [
        f"<header><h1>{title}</h1><p>{summarize_report(facts)}</p></header>",
        sections.render_recipes_table(facts),
        f'<div class="charts">{"".join(charts)}</div>',
        sections.render_costs_table(facts),
        render_means_table(facts),
        render_single_questions(facts),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def summarize_report(facts: ReportData) -> str:
    """Return in a sentence what the report is about."""
    run, n = facts.details.run, len(facts.runs)
    newest = max(one.logged.evaluated_at for one in facts.runs)
    of = f", generation {run.logged.generation}" if run.logged.generation else ""
    counts = f"{format_count(n, 'recipe')}, {format_count(facts.details.n_questions, 'question')}{of}"
    return escape_line(f"{counts}; last evaluated {newest:%Y-%m-%d %H:%M} UTC.")


def render_trend(facts: ReportData) -> str:
    """Return the means over generations, with marks where the recipe or the unit of results changed."""
    title, k = "Trend over generations", facts.cutoff
    if len(facts.nights) < 2:
        return render_empty_section(
            title, "Nothing to show: a trend needs evaluations of two generations; evaluate after each refresh."
        )
    series = [Series(f"{name}@{k}", _list_curve_points(facts.nights, name, k)) for name in IN_TREND]
    series = [one for one in series if len(one.points) > 1]
    if not series:
        return render_empty_section(title, f"Nothing to show: no metric at {k} is in the log of two generations.")
    marks = [
        (float(after.logged.generation), f"recipe {after.logged.recipe[:12]}, {after.unit}")
        for before, after in zip(facts.nights, facts.nights[1:], strict=False)
        if (before.logged.recipe, before.unit) != (after.logged.recipe, after.unit)
    ]
    changed = " Dashed: the recipe changed." if marks else ""
    note = f"Means with their intervals.{changed} {escape_line(facts.alarm)}"
    return render_section(title, draw_line_chart(series, "generation", f"mean at {k}", marks=marks), note)


def _list_curve_points(nights: Sequence[TrendPoint], metric: str, cutoff: int) -> list[CurvePoint]:
    found = [(night, night.means.get((metric, night.unit, cutoff))) for night in nights]
    return [
        CurvePoint(night.logged.generation, *mean[:3], f"generation {night.logged.generation}: {metric} {mean.value:.3f}")
        for night, mean in found
        if mean
    ]


def render_means_table(facts: ReportData) -> str:
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
    words = f"All means of {_name_shown_run(facts, run.logged.run_id)}"
    return f'<section class="wide"><details><summary><b>{escape_line(words)}</b></summary>{table}</details></section>'


def render_single_questions(facts: ReportData) -> str:
    """Return the questions of a run, one by one."""
    details = facts.details
    if not details.questions:
        return render_empty_section(
            "Questions one by one", "Nothing to show: the questions of this evaluation are not in the log."
        )
    left = details.n_questions - len(details.questions)
    rest = f" The first {len(details.questions)} are shown; {left} are not." if left else ""
    of = _name_shown_run(facts, details.run.logged.run_id)
    note = f"Of {of}, the lowest recall first.{rest} On paper, only opened ones are printed in full."
    body = f'<p class="note">{escape_line(note)}</p>{single_questions.render_question_details(details)}'
    return f'<section class="wide"><h2>Questions one by one</h2>{body}</section>'


def _name_shown_run(facts: ReportData, run_id: str) -> str:
    at, run = next((at, run) for at, run in sections.enumerate_runs(facts) if run.logged.run_id == run_id)
    return f"recipe {at}, {run.logged.title}, {facts.cutoff} {run.unit}"
