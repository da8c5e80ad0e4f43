"""Search a draft before it is published: what the live generation finds, the draft must find too."""

from pathlib import Path

from schemas.errors import InputError
from schemas.options.sections import EvaluateOptions, GateOptions
from schemas.shown import plain
from tasks.evaluate.averages import ScoredQuestion
from tasks.evaluate.comparison import TIE, Pair, Regression, judge_regression
from tasks.evaluate.io import score
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.io.score import Evaluation
from tasks.publish.io.steps import Versions
from tasks.publish.io.validate import log_validation_findings
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store import conditions, published
from tasks.store.published import Generation


def check_gate_questions(gate: GateOptions) -> None:
    """Check the questions of the gate before anything is computed.

    Raises:
        InputError: the file cannot be read, or holds no questions.
    """
    if gate.questions and not read_questions(Path(gate.questions)):
        raise InputError(f"{gate.questions} holds no questions: write some, or leave out gate.questions")


def examine_draft(run: Run, verdict: Verdict, versions: Versions) -> Verdict:
    """Search the live generation, and the draft at `versions`, with the questions of the gate; return the verdict with it.

    Questions whose gold the live generation does not have are left out, and those whose documents left the source. A question
    whose document is still there, but not its gold, counts with 0. The finding is logged in `validations`.

    Raises:
        InputError: the questions cannot be read, or the metric is none of an evaluation.
    """
    gate, live = run.options.gate, published.read_newest_generation(run.corpus)
    if not gate.questions or live is None:
        return verdict
    metric, _, k = gate.metric.partition("@")
    options = EvaluateOptions(cutoffs=(int(k),))
    questions = tuple(read_questions(Path(gate.questions)))
    of_live = Evaluation(run_id=run.run_id, corpus=run.corpus, live=live, questions=questions, options=options)
    of_draft = of_live.model_copy(update={"live": _as_draft_generation(run, live, versions)})
    before, after = ({one.question_id: one for one in _search_and_score(found)} for found in (of_live, of_draft))
    key, here = (metric, int(k)), _find_known_paths(of_draft)
    pairs, fallen = [], []
    for question in questions:
        a, b = before[question.id].scores.get(key), after[question.id]
        if a is None or (key not in b.scores and not here & set(question.document_paths)):
            continue
        value = b.scores.get(key, 0.0)
        pairs.append(Pair(question.id, question.document_paths[0], a, value))
        if a - value > TIE:
            fallen.append(Regression(question.id, plain(question.question), a, value, _get_loss_reason(b, int(k))))
    _check_gate_metric(gate.metric, list(before.values()))
    finding = judge_regression(gate.metric, pairs, gate.max_drop, options.confidence, options.bootstrap_samples, options.seed)
    log_validation_findings(run, [finding])
    worst = sorted(fallen, key=lambda one: (one.after - one.before, one.question_id))
    return verdict.model_copy(update={"findings": (*verdict.findings, finding), "lost_questions": tuple(map(str, worst))})


def _as_draft_generation(run: Run, live: Generation, versions: Versions) -> Generation:
    """Return the draft as the generation that it would be."""
    made = {"recipe": run.recipes.whole, "recipe_details": run.recipes.details, "embedder": run.recipes.embedder}
    options = run.options.model_dump(mode="json")
    return live.model_copy(update={"generation": run.base + 1, "versions": versions, "options": options, **made})


def _search_and_score(evaluation: Evaluation) -> list[ScoredQuestion]:
    located = score.locate_gold_if_any(evaluation)
    return score.score_questions(evaluation, located, score.search_questions(evaluation, located))


def _find_known_paths(evaluation: Evaluation) -> set[str]:
    """Return which of the named documents the generation has, or has rejected."""
    where = conditions.make_in_condition(
        "path", sorted({path for question in evaluation.questions for path in question.document_paths})
    )
    return {
        path
        for table in ("documents", "rejects")
        for path in published.read_columns(evaluation.corpus, evaluation.live, table, ["path"], where)["path"].to_pylist()
    }


def _get_loss_reason(scored: ScoredQuestion, k: int) -> str:
    return scored.lost.get(k) or scored.lost.get(0) or "ranked lower"


def _check_gate_metric(metric: str, scored: list[ScoredQuestion]) -> None:
    known = {f"{name}@{k}" for one in scored for name, k in one.scores if k}
    if known and metric not in known:
        raise InputError(f"gate.metric: {metric} is no metric of these questions: choose one of {', '.join(sorted(known))}")
