import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.answers.overlap import exact_match, split_words, token_f1

TEXTS = st.text() | st.lists(st.sampled_from(["the", "heron", "Heron,", "a", "an", "nest", "nests!", "12", "-"])).map(" ".join)


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
    assert (f1 == 1) == (sorted(split_words(answer)) == sorted(split_words(expected)))
    assert exact_match(answer, expected) <= f1


@given(TEXTS)
def test_what_counts_of_a_text_counts_again(text: str) -> None:
    assert split_words(" ".join(split_words(text))) == split_words(text)
    assert exact_match(text, text) == token_f1(text, text) == 1
