"""Recommend: read what an experiment logged, name a recipe with its evidence, and write its pagemill.toml."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from schemas.errors import InputError
from schemas.options.chunking import ChunkOptions
from tasks.evaluate.comparison import Comparison
from tasks.experiment.grid import MODES, Cell, Configuration, is_default_recipe
from tasks.experiment.io.plan import Plan
from tasks.experiment.recommendation import Candidate, Recommendation, choose_recipe, describe_rule
from tasks.experiment.table import MeasuredRecipe
from tasks.store import conditions, files, published


def make_recommendation(plan: Plan, found: Sequence[MeasuredRecipe]) -> Recommendation:
    """Return the recipe that the plan's rule names; `found` are the plan's results.

    Raises:
        InputError: no configuration has the rule's metrics, or none of those that have them can be had by a corpus.
    """
    rule, k = plan.options.recommend, plan.options.decisive_cutoff
    scores = _read_scores(plan, [row["run_id"] for row in found])
    configurations = {one.run_id: (cell, one) for cell in plan.cells for one in cell.configurations}
    candidates = [
        _make_recipe_candidate(
            row, *configurations[row["run_id"]], *(scores.get((row["run_id"], name), {}) for name in (rule.metric, rule.guard))
        )
        for row in found
    ]
    scored = [one for one in candidates if one.metric and one.guard]
    if not scored:
        known = sorted({one["metric"] for row in found for one in row["metrics"] if one["cutoff"] == k})
        raise InputError(f"no recipe has both {rule.metric}@{k} and {rule.guard}@{k}: choose of {', '.join(known)}")
    documents = {question.id: question.document_paths[0] for question in plan.questions}
    try:
        return choose_recipe(scored, documents, plan.options)
    except ValueError as error:
        raise InputError(f"no recipe can be recommended: {error}: add sum, dense or lexical to ranking") from error


def _read_scores(plan: Plan, run_ids: Sequence[str]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the scores of the questions by run and metric, at the decisive cutoff."""
    rule, k = plan.options.recommend, plan.options.decisive_cutoff
    metrics = conditions.make_in_condition("metric", [rule.metric, rule.guard])
    where = f"{conditions.make_in_condition('run_id', run_ids)} AND {metrics} AND cutoff = {k}"
    scores: dict[tuple[str, str], dict[str, float]] = {}
    for row in published.read_log(plan.out, "scores", ["run_id", "question_id", "metric", "value"], where).to_pylist():
        scores.setdefault((row["run_id"], row["metric"]), {})[row["question_id"]] = row["value"]
    return scores


def _make_recipe_candidate(
    row: MeasuredRecipe, cell: Cell, one: Configuration, metric: Mapping[str, float], guard: Mapping[str, float]
) -> Candidate:
    seconds = row["embedding_seconds"] or 0.0
    return Candidate(row["run_id"], row["name"], one.ranking in MODES, is_default_recipe(cell, one), seconds, metric, guard)


def describe_recommendation(plan: Plan, found: Sequence[MeasuredRecipe], made: Recommendation) -> list[str]:
    """Return the recommendation with its evidence and cost, in lines for people."""
    by_id = {row["run_id"]: row for row in found}
    rule, k = plan.options.recommend, plan.options.decisive_cutoff
    lines = [
        f"rule: {describe_rule(plan.options)}",
        f"recommended: {made.chosen.name}",
        f"  {_format_mean_scores(plan, made.chosen)}; {_describe_indexing_cost(by_id[made.chosen.run_id])}",
        f"  best {rule.guard}@{k}: {made.best_guard.name}, {_format_mean_scores(plan, made.best_guard)}",
        f"  refused for their {rule.guard}: {len(made.refused)} of {len(found)} recipes",
    ]
    if made.runner_up:
        lines += _compare_with_rival("the runner-up", made.runner_up, made.against_runner_up, by_id)
    else:
        lines.append("  no other recipe that a corpus can have passes the rule")
    if made.default is None:
        lines.append("  the default recipe was not measured: add {strategy: sentence}, ranking sum and passages to compare it")
    elif made.default.run_id == made.chosen.run_id:
        lines.append("  it is the default")
    else:
        lines += _compare_with_rival("the default", made.default, made.against_default, by_id)
    n = len(made.chosen.metric)
    flattery = f"; the best of {len(found)} recipes flatters itself: expect somewhat less on other questions"
    lines.append(f"  {n} questions" + (flattery if len(found) > 1 else ""))
    return lines


def _format_mean_scores(plan: Plan, one: Candidate) -> str:
    rule, k = plan.options.recommend, plan.options.decisive_cutoff
    named = ((rule.metric, one.metric), (rule.guard, one.guard))
    return ", ".join(f"{name}@{k} {100 * fmean(values.values()):.1f}" for name, values in named)


def _describe_indexing_cost(row: MeasuredRecipe) -> str:
    seconds = row["embedding_seconds"]
    embedding = "no embedding" if seconds is None else f"{seconds:.0f} s of embedding"
    return f"{row['n_chunks']:,} chunks, {row['index_bytes'] / 1e6:.1f} MB of texts and vectors, {embedding}"


def _compare_with_rival(
    what: str, other: Candidate, compared: Sequence[Comparison], by_id: Mapping[str, MeasuredRecipe]
) -> list[str]:
    return [
        f"  against {what}, {other.name} ({_describe_indexing_cost(by_id[other.run_id])}):",
        *(f"    {_format_difference(one)}" for one in compared),
    ]


def _format_difference(one: Comparison) -> str:
    interval = "no interval" if one.low is None or one.high is None else f"[{100 * one.low:+.1f} {100 * one.high:+.1f}]"
    p = "" if one.p_permutation is None else f", p {one.p_permutation:.3f}"
    return f"{one.metric}@{one.cutoff} {100 * one.difference:+.1f} {interval}{p}, won {one.won}, lost {one.lost}, tied {one.tied}"


def write_recommended_settings(plan: Plan, made: Recommendation, lines: Sequence[str]) -> Path:
    """Write a pagemill.toml for the recommended recipe into the experiment's folder; return its path."""
    cell, one = next((cell, one) for cell in plan.cells for one in cell.configurations if one.run_id == made.chosen.run_id)
    embed = cell.embed.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    if Path(cell.embed.model).is_dir():
        embed["model"] = str(Path(cell.embed.model).resolve())
    sections = {
        "chunk": {
            **_get_common_chunk_options(cell.chunk),
            **cell.chunk.model_dump(mode="json", exclude_defaults=True, exclude_none=True),
        },
        "embed": embed,
        "parse": plan.options.parse.model_dump(mode="json", exclude_defaults=True),
        "describe": plan.options.describe.model_dump(mode="json", exclude_defaults=True),
        "evaluate": {"mode": MODES[one.ranking], "returned": one.returned},
    }
    path = plan.out.folder / "pagemill.toml"
    files.write_atomically(path, (_format_as_toml_comments(lines) + _format_as_toml(sections)).encode())
    return path


def _get_common_chunk_options(options: ChunkOptions) -> dict[str, object]:
    return {"strategy": options.strategy, "size_tokens": options.size_tokens}


def _format_as_toml_comments(lines: Sequence[str]) -> str:
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)


def _format_as_toml(sections: Mapping[str, Mapping[str, object]]) -> str:
    """Write sections whose values are texts, numbers, flags or lists of these, which TOML writes as JSON does."""
    return "".join(
        f"\n[{name}]\n" + "".join(f"{option} = {json.dumps(value, ensure_ascii=False)}\n" for option, value in values.items())
        for name, values in sections.items()
        if values
    )
