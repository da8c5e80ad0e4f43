import pytest

from schemas.errors import AnswerError
from tasks.evaluate.answers.judging import (
    Judgement,
    build_judge_prompt,
    check_judgement,
    measure_judge_agreement,
    score_judgement,
    split_answer_into_sentences,
)
from tasks.evaluate.answers.reading import Case
from tasks.evaluate.gold import Question

CASE = Case(Question(id="1", question="Who floats?", documents=("a.txt",)), 500, ("Otters float.",))
GRADED = Judgement(relevance=5, completeness=4, coherence=0, support=(5, 2))


def test_grades_become_scores_from_0_to_1() -> None:
    assert score_judgement(GRADED) == {
        "judge_relevance": 1.0,
        "judge_completeness": 0.8,
        "judge_coherence": 0.0,
        "judge_faithfulness": 0.7,
    }


def test_a_judge_grades_every_sentence() -> None:
    assert check_judgement(GRADED, "Otters float. They eat.") is GRADED
    with pytest.raises(AnswerError, match="2 sentences, but the answer has 1"):
        check_judgement(GRADED, "Otters float.")


def test_an_answer_without_words_is_one_sentence() -> None:
    assert split_answer_into_sentences("?") == ["?"]


def test_a_judge_that_is_asked_again_is_told_the_same() -> None:
    first, again = (build_judge_prompt(CASE, "Otters. They eat.", repeat) for repeat in (0, 1))
    assert first == again._replace(repeat=0) != again
    assert first.question.endswith("Answer:\n[1] Otters.\n\n[2] They eat.")


def test_a_judge_agrees_with_itself_where_grades_are_the_same() -> None:
    assert measure_judge_agreement(GRADED.grades, GRADED.grades) == 1
    assert measure_judge_agreement(GRADED.grades, (5, 4, 1, 5, 1)) == 0.6
