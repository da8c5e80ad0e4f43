"""Compare: two evaluations that are logged in a corpus, question by question."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.averages import MAIN
from tasks.evaluate.comparison import Comparison, Pair, compare_metric, holm, pair_scores
from tasks.evaluate.io.read_logs import AskedQuestion, read_logged_runs, read_questions_by_id
from tasks.evaluate.report.data import Key, LoggedRun
from tasks.store import conditions, lance, published

LATEST, PREVIOUS = "latest", "previous"
SHORTEST_PREFIX = 4


class Change(NamedTuple):
    """A question that one evaluation answers better: both values of a metric, and its text."""

    question_id: str
    question: str
    a: float
    b: float


class EvaluationComparison(NamedTuple):
    """Two evaluations: each metric with its p value after Holm's correction, and the questions in which `metric` changed most."""

    a: LoggedRun
    b: LoggedRun
    metrics: list[tuple[Comparison, float | None]]
    metric: str
    cutoff: int
    changed: list[Change]


def list_evaluations(corpus: Corpus) -> list[LoggedRun]:
    """Return the evaluations of a corpus, the oldest first.

    Raises:
        InputError: there are none with scores of single questions.
    """
    if not lance.does_table_exist(corpus, "metrics") or not lance.does_table_exist(corpus, "scores"):
        raise InputError(f"corpus {corpus} has no evaluations: run pagemill evaluate first")
    return read_logged_runs(corpus)


def find_evaluation_by_run(corpus: Corpus, run_id: str) -> LoggedRun:
    """Return the evaluation that a run has logged in a corpus.

    Raises:
        InputError: there is none.
    """
    return choose_evaluation([one for one in list_evaluations(corpus) if one.run_id == run_id], run_id)


def choose_evaluation(found: Sequence[LoggedRun], name: str) -> LoggedRun:
    """Return the evaluation that `name` means: a generation's number, the start of a run id or recipe, latest or previous.

    Of several evaluations of one generation or recipe, it is the last.

    Raises:
        InputError: no evaluation has the name, or several runs have it.
    """
    if name in (LATEST, PREVIOUS):
        if len(found) < (1 if name == LATEST else 2):
            raise InputError(f"there is no {name} evaluation: run pagemill evaluate {'first' if name == LATEST else 'twice'}")
        return found[-1 if name == LATEST else -2]
    of_generation = [one for one in found if name == str(one.generation)]
    long = len(name) >= SHORTEST_PREFIX
    of_run = [one for one in found if long and one.run_id.startswith(name)]
    of_recipe = [one for one in found if long and one.recipe.startswith(name)]
    if len({one.run_id for one in of_run}) > 1:
        raise InputError(f"several evaluations have a run id that begins with {name}: give more of it")
    for group in (of_generation, of_run, of_recipe):
        if group:
            return group[-1]
    known = ", ".join(f"{one.run_id[:8]} (generation {one.generation})" for one in found[-5:])
    raise InputError(f"no evaluation is called {name}: give a generation, a run id or a recipe, such as {known}")


def compare_evaluations(
    corpus: Corpus, a: str, b: str, metric: str, cutoff: int, options: EvaluateOptions
) -> EvaluationComparison:
    """Return how evaluation `b` differs from `a` in the questions that both scored.

    Raises:
        InputError: an evaluation is unknown, both are the same one, they have no question or no metric in common, or `metric`
            at `cutoff` is not among those.
    """
    found = list_evaluations(corpus)
    first, second = choose_evaluation(found, a), choose_evaluation(found, b)
    if first.run_id == second.run_id:
        raise InputError(f"{a} and {b} are one evaluation, {first.label}: name two")
    return compare_across_corpora((corpus, first), (corpus, second), metric, cutoff, options)


def compare_across_corpora(
    a: tuple[Corpus, LoggedRun], b: tuple[Corpus, LoggedRun], metric: str, cutoff: int, options: EvaluateOptions
) -> EvaluationComparison:
    """Return how evaluation `b`, in the logs of a corpus, differs from `a`; see `compare_evaluations`."""
    (_, first), (_, second) = a, b
    of_a, of_b = (_read_scores_by_metric(corpus, one) for corpus, one in (a, b))
    asked_a, asked_b = (read_questions_by_id(corpus, one.run_id) for corpus, one in (a, b))
    same = {name: row for name, row in asked_a.items() if name in asked_b and asked_b[name]["question"] == row["question"]}
    documents = {name: (row["documents"] or [name])[0] for name, row in same.items()}
    pairs = {key: pair_scores(of_a[key], of_b[key], documents) for key in of_a if key in of_b}
    pairs = {key: found_pairs for key, found_pairs in pairs.items() if found_pairs}
    if not pairs:
        raise InputError(f"{first.label} and {second.label} have no question in common that was scored in the same way")
    comparisons = [
        compare_metric(name, k, pairs[name, unit, k], options.bootstrap_samples, options.confidence, options.seed)
        for name, unit, k in sorted(pairs)
        if name in MAIN or (name, k) == (metric, cutoff)
    ]
    wanted = [key for key in pairs if (key[0], key[2]) == (metric, cutoff)]
    if not wanted:
        known_metrics = ", ".join(f"{name}@{k}" for name, _, k in sorted(pairs) if k)
        raise InputError(f"{metric}@{cutoff} is not in both evaluations: choose one of {known_metrics}")
    return EvaluationComparison(
        first, second, _correct_p_values(comparisons), metric, cutoff, _list_changed_questions(pairs[wanted[0]], same)
    )


def _correct_p_values(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, float | None]]:
    tested = [one.p_permutation for one in comparisons if one.p_permutation is not None]
    corrected = iter(holm(tested))
    return [(one, None if one.p_permutation is None else next(corrected)) for one in comparisons]


def _list_changed_questions(pairs: Iterable[Pair], questions: Mapping[str, AskedQuestion]) -> list[Change]:
    """Return the questions that were won or lost, those that were lost most first."""
    changed = [pair for pair in pairs if pair.a != pair.b]
    return [
        Change(pair.question_id, questions[pair.question_id]["question"], pair.a, pair.b)
        for pair in sorted(changed, key=lambda pair: (pair.difference, pair.question_id))
    ]


def _read_scores_by_metric(corpus: Corpus, logged: LoggedRun) -> dict[Key, dict[str, float]]:
    """Return the values of an evaluation by metric, and by question; those of located questions only."""
    columns = ["question_id", "metric", "cutoff_unit", "cutoff", "value"]
    rows = published.read_log(corpus, "scores", columns, conditions.make_in_condition("run_id", [logged.run_id])).to_pylist()
    values: dict[Key, dict[str, float]] = {}
    for row in rows:
        if row["cutoff"]:
            values.setdefault((row["metric"], row["cutoff_unit"], row["cutoff"]), {})[row["question_id"]] = row["value"]
    return values
