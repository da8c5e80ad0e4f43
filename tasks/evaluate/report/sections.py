"""Sections: what all recipes cost and reach, as charts. A section without data says in one line what would fill it."""

from collections.abc import Sequence

from schemas.tables.evaluations import LENGTH_STEP
from tasks.charts.charts import (
    CurvePoint,
    Point,
    Series,
    draw_box_plot,
    draw_count_histogram,
    draw_interval,
    draw_line_chart,
    draw_scatter_plot,
    draw_stacked_bars,
)
from tasks.charts.scale import find_round_range, format_number
from tasks.charts.shapes import escape_line
from tasks.evaluate.losses import LOSSES
from tasks.evaluate.report.data import BUDGET, Cost, Key, Mean, ReportData, Run

IN_TABLE = ("recall", "iou", "precision", "mrr")
"""Metrics with a column of intervals, if the evaluations have them."""

RETURNED = "tokens"
"""The metric that counts the tokens of results."""

MOST_BOXES, MOST_CURVES, MOST_LENGTHS, MOST_DOMAINS = 5, 6, 6, 12


def render_section(title: str, body: str, note: str = "", wide: bool = False) -> str:
    """Return a section with a chart and what there is to say about it."""
    caption = f"<figcaption>{note}</figcaption>" if note else ""
    return f"<section{' class=wide' if wide else ''}><h2>{escape_line(title)}</h2><figure>{body}{caption}</figure></section>"


def render_empty_section(title: str, what: str) -> str:
    """Return a section without data."""
    return f'<section><h2>{escape_line(title)}</h2><p class="note">{escape_line(what)}</p></section>'


def enumerate_runs(facts: ReportData) -> list[tuple[str, Run]]:
    """Return the runs with their numbers: 1 is the best."""
    return [(str(at), run) for at, run in enumerate(facts.runs, 1)]


def name_best_runs(facts: ReportData, most: int) -> list[tuple[str, Run]]:
    """Return the `most` best runs with their numbers and names."""
    return [(f"{at} {run.logged.title}", run) for at, run in enumerate_runs(facts)[:most]]


def say_only_best_shown(facts: ReportData, most: int) -> str:
    """Return a note that not all recipes are shown; blank if all are."""
    return f"The {most} best of {len(facts.runs)} recipes." if len(facts.runs) > most else ""


def render_recipes_table(facts: ReportData) -> str:
    """Return the table of recipes: each metric with its interval."""
    k = facts.cutoff
    names = [name for name in IN_TABLE if any(run.get_mean(name, k) for run in facts.runs)]
    tops = {name: find_round_range([mean.high for run in facts.runs if (mean := run.get_mean(name, k))])[1] for name in names}
    heads = "".join(f"<th>{name}@{k}, 0 to {format_number(tops[name])}</th>" for name in names)
    lines = []
    for at, run in enumerate_runs(facts):
        about = f'<div class="note">{escape_line(_describe_evaluation(run, k))}</div>'
        cells = f'<td class="recipe">{at}. {escape_line(run.logged.title, 120)}{about}</td>'
        for name in names:
            mean = run.get_mean(name, k)
            cells += f'<td data-name="{name}@{k}">{_render_mean_with_interval(mean, tops[name]) if mean else "not measured"}</td>'
        lines.append(f"<tr>{cells}</tr>")
    head = f"<thead><tr><th>recipe</th>{heads}</tr></thead>"
    left = f"Older recipes that are not shown: {facts.n_left_out}. " if facts.n_left_out else ""
    note = (
        f"{left}The best recall first, then the best IoU. A point is a mean, its line the interval. To tell whether two recipes "
        "differ, compare them by pairs of questions with <code>pagemill compare</code>: intervals that overlap do not tell."
    )
    return render_section(
        "Scores by recipe", f'<table class="scores">{head}<tbody>{"".join(lines)}</tbody></table>', note, wide=True
    )


def _describe_evaluation(run: Run, cutoff: int) -> str:
    logged, n = run.logged, max((mean.n for mean in run.means.values()), default=0)
    generation = f"generation {logged.generation}, " if logged.generation else ""
    when = f"{logged.evaluated_at:%Y-%m-%d %H:%M}"
    return f"{generation}{cutoff} {run.unit}, {format_count(n, 'question')}, {when}, run {logged.run_id[:8]}"


def _render_mean_with_interval(mean: Mean, top: float) -> str:
    drawn = draw_interval(mean.value, mean.low, mean.high, top)
    interval = f" [{mean.low:.3f}, {mean.high:.3f}]" if mean.n > 1 else ", no interval"
    return f"{drawn}{mean.value:.3f}{interval}"


def format_count(n: int, thing: str) -> str:
    """Return a number of things.

    >>> format_count(1, "question"), format_count(1200, "question")
    ('1 question', '1,200 questions')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def render_recall_over_iou(facts: ReportData) -> str:
    """Return recall over IoU, with the frontier."""
    title, k = "Recall over IoU", facts.cutoff
    points = [
        Point(iou.value, recall.value, at, run.logged.title)
        for at, run in enumerate_runs(facts)
        if (iou := run.get_mean("iou", k)) and (recall := run.get_mean("recall", k))
    ]
    if not points:
        return render_empty_section(title, "Nothing to show: IoU needs questions whose gold is a span or a quote.")
    note = "Dashed: the frontier, recipes that no other one beats in both. Numbers are those of the table."
    return render_section(title, draw_scatter_plot(points, f"IoU@{k}", f"recall@{k}"), note)


def render_iou_over_seconds(facts: ReportData) -> str:
    """Return IoU over the seconds of embedding."""
    title, k = "IoU against embedding time", facts.cutoff
    points = [
        Point(run.cost.embedding_seconds, iou.value, at, run.logged.title)
        for at, run in enumerate_runs(facts)
        if run.cost and run.cost.embedding_seconds is not None and (iou := run.get_mean("iou", k))
    ]
    if not points:
        return render_empty_section(
            title, "Nothing to show: no evaluation has logged both IoU and embedding seconds; an experiment logs both."
        )
    left = len(facts.runs) - len(points)
    note = "Dashed: the frontier towards less time and more IoU." + (
        f" Recipes without seconds, left out: {left}." if left else ""
    )
    return render_section(title, draw_scatter_plot(points, "embedding, seconds", f"IoU@{k}", smaller_x=True), note)


def render_domain_box_plots(facts: ReportData) -> str:
    """Return box plots by domain."""
    title, k = "Questions by domain", facts.cutoff
    metric = "iou" if any(run.values.get("iou") for run in facts.runs) else "recall"
    domains = sorted(set(facts.domains.values()))
    groups: dict[str, dict[str, list[float]]] = {}
    for domain in domains[:MOST_DOMAINS]:
        for name, run in name_best_runs(facts, MOST_BOXES):
            values = run.values.get(metric, {}).items()
            if found := [value for question_id, value in values if facts.domains.get(question_id) == domain]:
                groups.setdefault(domain, {})[name] = found
    if not groups:
        return render_empty_section(
            title, f"Nothing to show: no scores of single questions at {k} are in the log of these evaluations."
        )
    left = f" Domains that are not shown: {len(domains) - MOST_DOMAINS}." if len(domains) > MOST_DOMAINS else ""
    drawn = "Box: the middle half of the questions; bar: median; ring: mean; line: Tukey's whiskers."
    note = f"{say_only_best_shown(facts, MOST_BOXES)} {drawn}{left}"
    return render_section(title, draw_box_plot(groups, f"{metric}@{k}"), note)


def render_context_curve(facts: ReportData) -> str:
    """Return recall over how much is returned."""
    title, named = "Score over what is returned", name_best_runs(facts, MOST_CURVES)
    metric = "recall"
    keys = {name: _list_metric_keys(run, metric) for name, run in named}
    if not any(len(found) > 1 for found in keys.values()):
        return render_empty_section(title, "Nothing to show: evaluate with several cutoffs or budgets.")
    counted = all((RETURNED, *key[1:]) in run.means for name, run in named for key in keys[name])
    budgets = all(key[0].startswith(BUDGET) for found in keys.values() for key in found)
    x_name = "tokens returned" if counted else "budget, tokens" if budgets else "cutoff: the first results"
    series = [
        Series(
            name,
            [_make_curve_point(run, key, run.means[RETURNED, key[1], key[2]].value if counted else key[2]) for key in keys[name]],
        )
        for name, run in named
        if keys[name]
    ]
    return render_section(
        title,
        draw_line_chart(series, x_name, metric, bands=len(series) == 1, logarithmic=True),
        say_only_best_shown(facts, MOST_CURVES),
    )


def _list_metric_keys(run: Run, metric: str) -> list[Key]:
    """Return the keys of a metric by cutoff: those of budgets if there are several, else those in the unit of the run."""
    budgets = [key for key in run.means if key[0] == BUDGET + metric]
    return sorted(budgets if len(budgets) > 1 else [key for key in run.means if key[:2] == (metric, run.unit) and key[2]])


def _make_curve_point(run: Run, key: Key, x: float) -> CurvePoint:
    mean = run.means[key]
    return CurvePoint(x, mean.value, mean.low, mean.high, f"{run.logged.title}, {key[2]} {key[1]}: {key[0]} {mean.value:.3f}")


def render_length_histograms(facts: ReportData) -> str:
    """Return histograms of the lengths of chunks."""
    title = "Lengths of chunks"
    found = [(name, run.cost) for name, run in name_best_runs(facts, len(facts.runs)) if run.cost and any(run.cost.lengths)]
    if not found:
        return render_empty_section(
            title, "Nothing to show: these evaluations have not logged the lengths of chunks; newer ones do."
        )
    charts = "".join(
        f"<h4>{escape_line(name, 80)}: {cost.n_chunks:,} chunks</h4>"
        + draw_count_histogram(cost.lengths, LENGTH_STEP, "tokens of a chunk")
        for name, cost in found[:MOST_LENGTHS]
    )
    return render_section(title, charts, f"The {MOST_LENGTHS} best of {len(found)} recipes." if len(found) > MOST_LENGTHS else "")


def render_loss_reasons(facts: ReportData) -> str:
    """Return for each recipe why questions were lost."""
    title, k = "Where questions were lost", facts.cutoff
    rows = {name: run for name, run in name_best_runs(facts, len(facts.runs)) if run.values.get("recall")}
    logged = [name for name, run in rows.items() if run.lost or min(run.values["recall"].values()) >= 1]
    if not logged:
        return render_empty_section(title, "Nothing to show: these evaluations have not logged why gold was lost; newer ones do.")
    kinds = list(dict.fromkeys([*LOSSES, *sorted({reason for run in rows.values() for reason in run.lost.values()})]))
    counts = {name: {kind: list(rows[name].lost.values()).count(kind) for kind in kinds} for name in logged}
    if not any(any(of.values()) for of in counts.values()):
        return render_empty_section(title, f"No question lost any gold within the first {k} results.")
    left = f" Recipes without reasons in their logs: {len(facts.runs) - len(logged)}." if len(logged) < len(facts.runs) else ""
    note = f"Questions of which the first {k} results lack gold, by the earliest step that could have kept it.{left}"
    return render_section(title, draw_stacked_bars(counts, kinds, "questions"), note)


def render_costs_table(facts: ReportData) -> str:
    """Return the table of what recipes cost."""
    title = "What recipes cost"
    found = [(name, run.cost) for name, run in name_best_runs(facts, len(facts.runs)) if run.cost]
    if not found:
        return render_empty_section(
            title, "Nothing to show: these evaluations have not logged what the corpus cost; newer ones do."
        )
    names = ("recipe", "documents", "chunks", "index, MB", "chunking, s", "embedding, s", "search p50, ms", "search p95, ms")
    lines = "".join(f"<tr><td>{escape_line(name, 60)}</td>{_render_cost_cells(cost)}</tr>" for name, cost in found)
    heads = "".join(f"<th{' class=number' if at else ''}>{name}</th>" for at, name in enumerate(names))
    table = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
    return render_section(title, table, "A dash: nothing was computed or measured.", wide=True)


def _render_cost_cells(cost: Cost) -> str:
    seconds: Sequence[float | None] = (cost.chunking_seconds, cost.embedding_seconds, cost.search_p50_ms, cost.search_p95_ms)
    values = [f"{cost.n_documents:,}", f"{cost.n_chunks:,}", f"{cost.index_bytes / 1e6:,.1f}"]
    values += ["-" if value is None else format_number(value) for value in seconds]
    return "".join(f'<td class="number">{value}</td>' for value in values)
