"""Summary: what a refresh did, or why its draft was refused, as Markdown for the Prefect UI. Names are escaped."""

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from expectations.expected import Finding
from expectations.lengths import N_BINS, Profile
from expectations.sentences import describe_finding
from schemas.references import RefreshOutcome
from schemas.shown import plain
from schemas.staged import STEPS
from tasks.charts.charts import draw_upright_bars
from tasks.charts.io.image import render_markdown_image
from tasks.charts.scale import find_round_range
from tasks.charts.shapes import (
    COLOURS,
    LOW,
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
from tasks.publish.effective import list_non_default_options
from tasks.publish.escaping import (
    Markup,
    escape_markdown,
    format_markdown_list,
    format_markdown_table,
    format_titled_markdown_table,
)
from tasks.publish.io.reports.names import name_corpus
from tasks.publish.io.reports.report import format_headline
from tasks.publish.io.validate import MOST_REJECTS
from tasks.publish.verdict import Verdict
from tasks.refresh.planning import NAMED, PlanOverview
from tasks.refresh.run import Run

REJECT_HEAD = {
    "path": "document",
    "page_number": "page",
    "step": "step",
    "message": "why",
    "remedy": "what to do",
    "final": "final",
    "attempts": "attempts",
}
"""Columns of rejects that are shown, and their headings."""


MAX_LOST_QUESTIONS = 100
"""Questions that a report names, at most."""

KINDS = {
    "added": "Added",
    "changed": "Changed",
    "moved": "Moved",
    "metadata": "Metadata changed",
    "retried": "Tried again",
    "removed": "Removed",
}

BLUE, ORANGE, GREY = COLOURS[0], COLOURS[1], COLOURS[-1]


def render_refresh_summary(
    run: Run,
    plan: PlanOverview,
    outcome: RefreshOutcome,
    verdict: Verdict,
    link: str = "",
    found: Sequence[Mapping[str, object]] = (),
) -> str:
    """Return a Markdown summary of a refresh: what it published, which documents changed, and how long it took.

    `link` is the address of the run in the UI, or empty; `found` are rows about personal data, by kind.
    """
    counts = outcome["counts"]
    parts = [
        f"# Generation {outcome['generation']} of {escape_markdown(name_corpus(run.corpus.uri))}",
        escape_markdown(format_headline(outcome["generation"], counts)),
        format_markdown_table(["what", "value"], _list_run_facts(run, outcome, link)),
        *_render_warnings([*verdict.warnings, *outcome["warnings"]]),
        *_render_changes(plan),
        *_format_rejected_documents(verdict, plan.rejected),
        *_render_personal_data(run, found),
        "## Rows and counts",
        format_markdown_table(["count", "value"], list(counts.items())),
        *_render_step_times(outcome),
        *_render_non_default_options(run),
        *_warn_of_long_chunks(run, verdict),
        *_render_lost_questions(verdict),
        *_render_validations(run, verdict),
    ]
    return "\n\n".join(parts)


def render_refusal(run: Run, verdict: Verdict) -> str:
    """Return a Markdown report of a refused draft."""
    parts = [
        f"# Refused draft of {escape_markdown(name_corpus(run.corpus.uri))}",
        "Nothing was published. These checks failed. Each line says what to do:",
        format_markdown_list(verdict.refused),
        format_markdown_table(["what", "value"], [["source", run.source], ["corpus", run.corpus.uri], ["run", run.run_id]]),
    ]
    if verdict.rejected:
        parts.append(f"## Rejected: {verdict.n_rejected}")
        head = ["document", "step", "why", "what to do"]
        parts.append(
            format_markdown_table(head, [[found.path, found.step, found.message, found.remedy] for found in verdict.rejected])
        )
        parts += _format_remainder(verdict.n_rejected, len(verdict.rejected))
    return "\n\n".join([*parts, *_render_lost_questions(verdict), *_render_validations(run, verdict)])


def _render_lost_questions(verdict: Verdict) -> list[str]:
    """Return a heading and the first questions that the draft answers worse, if there are any."""
    if not verdict.lost_questions:
        return []
    listed = format_markdown_list([plain(line) for line in verdict.lost_questions[:MAX_LOST_QUESTIONS]])
    n = len(verdict.lost_questions)
    return [f"## Questions answered worse: {n}", listed, *_format_remainder(n, MAX_LOST_QUESTIONS)]


def _list_run_facts(run: Run, outcome: RefreshOutcome, link: str) -> list[list[object]]:
    linked = Markup(f"[{run.run_id}]({link})") if link else run.run_id
    took = f"{sum(outcome['seconds'].values()):.1f} s"
    return [["source", run.source], ["corpus", run.corpus.uri], ["run", linked], ["base generation", run.base], ["took", took]]


def _render_warnings(warnings: list[str]) -> list[str]:
    return ["## Warnings", format_markdown_list(warnings)] if warnings else []


def _render_changes(plan: PlanOverview) -> Iterator[str]:
    """Yield a heading and the first documents for each kind of change."""
    for kind, title in KINDS.items():
        if plan.counts[kind]:
            yield f"## {title}: {plan.counts[kind]}"
            yield format_markdown_list(plan.first[kind])
            yield from _format_remainder(plan.counts[kind], NAMED)


def _format_rejected_documents(verdict: Verdict, n_staying: int) -> Iterator[str]:
    if verdict.n_rejected:
        yield f"## Rejected: {verdict.n_rejected}"
        yield format_markdown_list(verdict.rejected[:NAMED])
        yield from _format_remainder(verdict.n_rejected, NAMED)
    if n_staying:
        yield f"{n_staying:,} documents stay rejected since an earlier run: see the artifact of rejects."


def _format_remainder(n: int, named: int) -> list[str]:
    return [f"and {n - named:,} more"] if n > named else []


def _render_personal_data(run: Run, found: Sequence[Mapping[str, object]]) -> list[str]:
    """Return a heading and a table of what was found, where it is looked for."""
    if not run.options.pii.actions:
        return []
    rows = [[row["kind"], run.options.pii.actions.get(str(row["kind"]), "off"), *list(row.values())[1:]] for row in found]
    head = ["kind", "action", "places", "documents", "different values"]
    return ["## Personal data", format_markdown_table(head, rows) if rows else "None was found."]


def _render_step_times(outcome: RefreshOutcome) -> list[str]:
    done = [[step, *total.values()] for step, total in outcome["steps"].items()]
    kinds = [[kind, *counts.values()] for kind, counts in outcome["kinds"].items()]
    spent = [[kind, *seconds.values()] for kind, seconds in outcome["spent"].items()]
    return [
        "## New rows by kind of document",
        format_markdown_table(["kind", "documents", "pages", "chunks"], kinds) if kinds else "None.",
        "## Steps",
        "Seconds of batches that ran side by side are added up.",
        format_markdown_table(["step", "computed", "found staged", "seconds"], done),
        *(
            ["Seconds by kind of document: those before each result.", format_markdown_table(["kind", *STEPS], spent)]
            if spent
            else []
        ),
        format_markdown_table(["phase", "seconds", "idle core seconds"], _list_phase_times(outcome)),
    ]


def _list_phase_times(outcome: RefreshOutcome) -> list[list[object]]:
    return [[name, seconds, outcome["idle_core_seconds"][name]] for name, seconds in outcome["seconds"].items()]


def _render_non_default_options(run: Run) -> list[str]:
    others = list_non_default_options(run.options.model_dump(mode="json"))
    if not others:
        return ["## Options", "All options have their defaults."]
    listed = [[name, json.dumps(value, ensure_ascii=False)] for name, value in others.items()]
    return ["## Options", "All others have their defaults.", format_markdown_table(["option", "value"], listed)]


def _warn_of_long_chunks(run: Run, verdict: Verdict) -> list[str]:
    n = sum(count for length, count in verdict.lengths.tokens.items() if length > run.recipes.max_tokens)
    done = {"truncate": "only their beginning is embedded", "mean": "their vectors are means of windows"}
    how = done.get(run.options.embed.too_long, "")
    return [f"{n:,} chunks are longer than the {run.recipes.max_tokens} tokens that the embedder takes: {how}."] if n else []


def _render_validations(run: Run, verdict: Verdict) -> list[str]:
    chart = draw_chunk_lengths(verdict.lengths.tokens, verdict.reference, run.recipes.chunk_tokens)
    return [
        "## Chunk lengths",
        render_markdown_image("Histogram of chunk lengths in tokens", chart),
        "## Validations",
        format_markdown_table(
            ["result", "finding"], [_format_finding(found) for found in sorted(verdict.findings, key=lambda found: found.success)]
        ),
    ]


def render_rejects(rejects: pa.Table) -> str:
    """Return the first MOST_REJECTS rejects of a corpus as Markdown."""
    rows = [{told: row[name] for name, told in REJECT_HEAD.items()} for row in rejects.slice(0, MOST_REJECTS).to_pylist()]
    more = [f"The first {MOST_REJECTS}; `pagemill rejects` lists all."] if rejects.num_rows > MOST_REJECTS else []
    return "\n\n".join([format_titled_markdown_table(f"Rejects: {rejects.num_rows}", rows), *more])


def _format_finding(found: Finding) -> list[str]:
    result = "holds" if found.success else "refuses" if found.refuses else "warns"
    return [result, plain(describe_finding(found))]


def draw_chunk_lengths(lengths: Mapping[int, int], reference: Profile | None, max_tokens: int) -> str:
    """Return a chart of how many chunks there are of each length in tokens, with special tokens.

    `lengths` counts the chunks of each length.
    """
    values, counts = np.array(list(lengths), dtype=np.float64), np.array(list(lengths.values()), dtype=np.int64)
    n, edges = int(counts.sum()), np.linspace(0, max_tokens, min(N_BINS, max_tokens) + 1)
    heights = np.histogram(np.clip(values, 0, max_tokens), bins=edges, weights=counts)[0].tolist()
    before = [weight * n for weight in reference.weights] if reference and n else []
    x, y = make_x_scale(0, max_tokens, width=WIDE), make_y_scale(*find_round_range([*heights, *before]), height=LOW)
    parts = [
        *draw_axes(x, y, f"length in tokens, at most {max_tokens}", "chunks"),
        *draw_upright_bars(heights, edges.tolist(), x, y),
    ]
    notes = [(BLUE, f"this draft, {n:,} chunks")]
    if reference and before:
        ends = zip(before, reference.edges, reference.edges[1:], strict=False)
        steps = [(x.to_coordinate(edge), y.to_coordinate(height)) for height, low, high in ends for edge in (low, high)]
        parts.append(render_element("polyline", points=format_svg_points(steps), fill="none", stroke=ORANGE, stroke_width=2))
        notes.append((ORANGE, f"last generation, {reference.n:,} chunks, scaled"))
    if n:
        mean = float(values @ counts) / n
        parts.append(draw_line((x.to_coordinate(mean), y.start), (x.to_coordinate(mean), y.end), stroke=GREY, stroke_width=1.5))
        notes.append((GREY, f"mean {mean:.0f} tokens"))
    parts += [draw_text(x.start + 8, y.end + 12 + 14 * at, words, fill=colour) for at, (colour, words) in enumerate(notes)]
    return render_svg(parts, "Histogram of chunk lengths in tokens", LOW, WIDE)
