import json

import pytest

from expectations.findings import Finding
from expectations.sentences import refusals, sentence, warnings
from tasks.evaluate.comparison import Pair
from tasks.evaluate.gate import Regression, judge_regression


def pairs(n: int, *after: float, documents: int = 20) -> list[Pair]:
    """Return questions that were all answered before; `after` repeats."""
    return [Pair(str(at), f"document {at % documents}", 1.0, after[at % len(after)]) for at in range(n)]


def judged(found: list[Pair], max_drop: float = 0.02) -> Finding:
    return judge_regression("recall@5", found, max_drop, 0.95, 1000, 0)


def test_a_fall_beyond_chance_and_tolerance_refuses() -> None:
    finding = judged(pairs(90, 1.0, 1.0, 0.0))
    (line,) = refusals([finding])
    assert line.startswith("recall@5 of 90 questions fell from 1 to 0.6667, by 0.3333 and more than 0.2")
    assert "0.02 allowed (gate.max_drop); look at the lost questions" in line


@pytest.mark.parametrize("found", [pairs(90, 1.0), pairs(90, *[1.0] * 89, 0.0), pairs(4, 1.0, 1.0, 0.0), []])
def test_no_fall_a_small_fall_and_one_that_may_be_chance_are_let_through(found: list[Pair]) -> None:
    finding = judged(found)
    assert finding.success
    assert "a fall of 0.02 is allowed (gate.max_drop)" in sentence(finding)


def test_a_fall_within_the_tolerance_is_let_through() -> None:
    assert judged(pairs(90, 1.0, 1.0, 0.0), max_drop=0.5).success


def test_questions_about_one_document_are_drawn_one_by_one() -> None:
    assert judged(pairs(90, 1.0, 1.0, 0.0, documents=1)).refuses


def test_a_single_question_only_warns() -> None:
    finding = judged(pairs(1, 0.0))
    assert not finding.refuses and json.loads(finding.observed)["n"] == 1
    assert warnings([finding])


def test_a_fallen_question_is_told_with_its_reason() -> None:
    assert str(Regression("q1", "Who?", 1.0, 0.25, "cut")) == "question q1 (1.00 to 0.25, cut): Who?"
