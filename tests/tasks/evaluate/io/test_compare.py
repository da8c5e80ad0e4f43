from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.sections import EvaluateOptions
from schemas.tables.evaluations import METRICS, QUESTIONS, SCORES
from tasks.evaluate.io.compare import compare_evaluations
from tasks.store import lance

OPTIONS = EvaluateOptions(bootstrap_samples=100)
BEGAN = datetime(2026, 11, 1, tzinfo=UTC)


def log(corpus: Corpus, run: str, generation: int, values: Mapping[str, float], texts: Mapping[str, str] | None = None) -> None:
    """Log an evaluation with the recall@5 of each question."""
    at = {"run_id": run, "evaluated_at": BEGAN + timedelta(days=generation)}
    where: dict[str, Any] = {"split": "test", "domain": "general"}
    cut: dict[str, Any] = {"metric": "recall", "cutoff_unit": "passages", "cutoff": 5}
    asked = [
        {**where, "run_id": run, "question_id": name, "question": (texts or {}).get(name, f"What is {name}?"), "gold": []}
        | {"documents": [f"{name[0]}.txt"], "answer": None}
        for name in values
    ]
    scores = [{**at, **where, **cut, "question_id": name, "value": value} for name, value in values.items()]
    mean: dict[str, Any] = {"value": 0.5, "low": 0.0, "high": 1.0, "n": len(values), "recipe": f"recipe{generation}"}
    lance.append_to_log(corpus, "questions", make_table_from_rows(asked, QUESTIONS))
    lance.append_to_log(corpus, "scores", make_table_from_rows(scores, SCORES))
    lance.append_to_log(
        corpus, "metrics", make_table_from_rows([{**at, **where, **cut, **mean, "generation": generation}], METRICS)
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    corpus = Corpus(str(tmp_path))
    log(corpus, "run-one", 1, {"a1": 1.0, "a2": 1.0, "b1": 0.0, "c1": 0.5})
    log(corpus, "run-two", 2, {"a1": 1.0, "a2": 0.0, "b1": 1.0, "d1": 0.5})
    return corpus


@pytest.mark.parametrize(("a", "b"), [("1", "2"), ("run-one", "run-two"), ("previous", "latest"), ("recipe1", "recipe2")])
def test_the_questions_of_both_evaluations_are_compared(corpus: Corpus, a: str, b: str) -> None:
    found = compare_evaluations(corpus, a, b, "recall", 5, OPTIONS)
    [(comparison, p)] = found.metrics
    assert (found.a.run_id, found.b.run_id) == ("run-one", "run-two")
    assert (comparison.n, comparison.n_documents, comparison.won, comparison.lost, comparison.tied) == (3, 2, 1, 1, 1)
    assert p == comparison.p_permutation == 1.0
    assert [(change.question_id, change.question) for change in found.changed] == [("a2", "What is a2?"), ("b1", "What is b1?")]


def test_a_question_that_was_rewritten_is_another_question(corpus: Corpus) -> None:
    log(corpus, "run-three", 3, {"a1": 1.0, "a2": 0.0}, {"a2": "What is a2 really?"})
    assert compare_evaluations(corpus, "2", "3", "recall", 5, OPTIONS).metrics[0][0].n == 1


@pytest.mark.parametrize(
    ("a", "b", "metric", "said"),
    [
        ("1", "1", "recall", "are one evaluation"),
        ("1", "7", "recall", "no evaluation is called 7: give a generation, a run id or a recipe"),
        ("run-", "2", "recall", "several evaluations have a run id that begins with run-"),
        ("1", "2", "mrr", "mrr@5 is not in both evaluations: choose one of recall@5"),
    ],
)
def test_what_cannot_be_compared_is_told(corpus: Corpus, a: str, b: str, metric: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare_evaluations(corpus, a, b, metric, 5, OPTIONS)


def test_evaluations_without_a_common_question_are_not_compared(corpus: Corpus) -> None:
    log(corpus, "run-three", 3, {"z9": 1.0})
    with pytest.raises(InputError, match="no question in common"):
        compare_evaluations(corpus, "2", "3", "recall", 5, OPTIONS)


def test_a_corpus_that_was_not_evaluated_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run pagemill evaluate first"):
        compare_evaluations(Corpus(str(tmp_path)), "1", "2", "recall", 5, OPTIONS)
