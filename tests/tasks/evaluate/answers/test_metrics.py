import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.answers.metrics import (
    States,
    average_faithfulness,
    bertscore,
    exact_match,
    normalize_words,
    score_embedding_support,
    score_lexical_support,
    token_f1,
)

TEXTS = st.text() | st.lists(st.sampled_from(["the", "heron", "Heron,", "a", "an", "nest", "nests!", "12", "-"])).map(" ".join)

WORDS = st.lists(st.sampled_from(["heron", "otter", "floats", "stands", "kelp"]), min_size=1).map(" ".join)


def states(n: int, seed: int) -> States:
    return np.random.default_rng(seed).normal(size=(n, 5)).astype(np.float32)


def test_each_token_is_matched_with_its_nearest() -> None:
    answer = np.array([[2, 0], [0, 3]], np.float32)
    found = bertscore(answer, np.array([[1, 0]], np.float32))
    assert found == pytest.approx((0.5, 1.0, 2 / 3))


@given(n=st.integers(1, 6), m=st.integers(1, 6), seed=st.integers(0, 999))
def test_a_score_is_that_of_pairs_taken_one_by_one(n: int, m: int, seed: int) -> None:
    answer, expected = states(n, seed), states(m, seed + 1)

    def best(of: States, among: States) -> float:
        cosines = [[float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) for b in among] for a in of]
        return max(0.0, sum(map(max, cosines)) / len(of))

    found = bertscore(answer, expected)
    assert (found.precision, found.recall) == pytest.approx((best(answer, expected), best(expected, answer)), abs=1e-5)
    other = bertscore(expected, answer)
    assert (other.precision, other.recall, other.f1) == pytest.approx((found.recall, found.precision, found.f1), abs=1e-6)


@given(n=st.integers(1, 6), seed=st.integers(0, 999))
def test_the_order_of_tokens_does_not_count(n: int, seed: int) -> None:
    answer = states(n, seed)
    assert bertscore(answer, answer[::-1]).f1 == pytest.approx(1, abs=1e-5)


def test_without_tokens_nothing_matches() -> None:
    assert bertscore(states(0, 1), states(2, 1)) == bertscore(states(2, 1), states(0, 1)) == (0, 0, 0)


def test_case_punctuation_articles_and_blanks_do_not_count() -> None:
    assert exact_match(" The  Heron's nest!", "herons nest") == 1
    assert exact_match("heron nest", "nest heron") == 0


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert token_f1("heron heron stands", "the heron stands in water") == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert token_f1("", "heron") == token_f1("heron", "the") == token_f1("otter", "heron") == 0
    assert token_f1("the", "a!") == 1


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_and_1_for_the_same_words_in_any_order(answer: str, expected: str) -> None:
    f1 = token_f1(answer, expected)
    assert 0 <= f1 <= 1
    assert f1 == token_f1(expected, answer)
    assert (f1 == 1) == (sorted(normalize_words(answer)) == sorted(normalize_words(expected)))
    assert exact_match(answer, expected) <= f1


@given(TEXTS)
def test_what_counts_of_a_text_counts_again(text: str) -> None:
    assert normalize_words(" ".join(normalize_words(text))) == normalize_words(text)
    assert exact_match(text, text) == token_f1(text, text) == 1


def test_words_of_different_sentences_do_not_add_up() -> None:
    context = ["Herons stand in water.", "Otters float in kelp."]
    assert score_lexical_support("Otters float.", context) == 1
    assert score_lexical_support("Herons float in kelp", context) == 0.75
    assert score_lexical_support("Copper conducts", []) == 0
    assert score_lexical_support("!", context) == 1


@given(WORDS, st.lists(WORDS))
def test_a_quoted_sentence_has_full_support_and_more_context_never_less(sentence: str, context: list[str]) -> None:
    assert score_lexical_support(sentence, [*context, sentence]) == 1
    assert score_lexical_support(sentence, context) <= score_lexical_support(sentence, [*context, "otter"]) <= 1


def test_the_nearest_vector_supports_a_sentence() -> None:
    sentence = np.array([0.6, 0.8], np.float32)
    assert score_embedding_support(sentence, np.array([[1, 0], [0, 1]], np.float32)) == pytest.approx(0.8)
    assert score_embedding_support(sentence, np.array([[-1, 0]], np.float32)) == 0
    assert score_embedding_support(sentence, np.empty((0, 0), np.float32)) == 0


def test_each_sentence_counts_with_its_better_support() -> None:
    assert average_faithfulness([1, 0.25], [0.5, 0.75]) == 0.875
