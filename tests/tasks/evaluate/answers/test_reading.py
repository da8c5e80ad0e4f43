import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.answers.reading import (
    Case,
    build_reader_prompt,
    cut_texts_to_budget,
    find_nearest_row,
    parse_reader_answer,
    split_sentences,
)
from tasks.evaluate.gold import Question
from tasks.evaluate.scoring import Retrieved, Span, take_within_budget


def words(text: str) -> list[Span]:
    spans, at = [], 0
    for word in text.split(" "):
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return spans


@pytest.mark.parametrize(
    "text", ["NONE", " NONE. ", "**NONE**", "none", "'None'", "NONE: it is not said", "NONE\n\nIt is not said"]
)
def test_a_reader_may_say_that_there_is_no_answer(text: str) -> None:
    assert parse_reader_answer(text) == ""


@pytest.mark.parametrize("text", ["None of them", "nonetheless", "NONESUCH", "in 1912", "Answer: NONE of both"])
def test_words_that_look_alike_are_answers(text: str) -> None:
    assert parse_reader_answer(f" {text}\n") == text


def test_a_context_is_cut_after_the_last_token_that_fits() -> None:
    assert cut_texts_to_budget(["one two three", "four five"], 4, words) == ("one two three", "four")
    assert cut_texts_to_budget(["one two"], 0, words) == ()


@given(st.lists(st.lists(st.sampled_from(["heron", "x", "in"]), min_size=1).map(" ".join)), st.integers(0, 30))
def test_a_context_has_the_tokens_that_a_budget_counts(texts: list[str], budget: int) -> None:
    counted = take_within_budget([Retrieved("a", 0, len(words(text))) for text in texts], budget)
    assert [len(words(text)) for text in cut_texts_to_budget(texts, budget, words)] == [kept.end for kept in counted]


def test_sentences_stand_once_and_in_one_line() -> None:
    assert split_sentences(["Otters float.  They  eat.", "They eat.", "", "***"]) == ["Otters float.", "They eat."]


def test_the_first_of_equally_near_sentences_is_taken() -> None:
    context = np.array([[0, 1], [1, 0], [1, 0]], np.float32)
    assert find_nearest_row(np.array([1, 0], np.float32), context) == 1


def test_a_model_is_shown_the_context_and_the_question_and_offered_a_way_out() -> None:
    question = Question(id="1", question="Who floats?", documents=("a.txt",))
    prompt = build_reader_prompt(Case(question, 500, ("Otters float.", "Herons stand.")))
    assert prompt.question == "Context:\n[1] Otters float.\n\n[2] Herons stand.\n\nQuestion: Who floats?"
    assert "NONE" in prompt.instruction
