import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.answers.support import embedding_support, faithfulness, lexical_support

WORDS = st.lists(st.sampled_from(["heron", "otter", "floats", "stands", "kelp"]), min_size=1).map(" ".join)


def test_words_of_different_sentences_do_not_add_up() -> None:
    context = ["Herons stand in water.", "Otters float in kelp."]
    assert lexical_support("Otters float.", context) == 1
    assert lexical_support("Herons float in kelp", context) == 0.75
    assert lexical_support("Copper conducts", []) == 0
    assert lexical_support("!", context) == 1


@given(WORDS, st.lists(WORDS))
def test_a_quoted_sentence_has_full_support_and_more_context_never_less(sentence: str, context: list[str]) -> None:
    assert lexical_support(sentence, [*context, sentence]) == 1
    assert lexical_support(sentence, context) <= lexical_support(sentence, [*context, "otter"]) <= 1


def test_the_nearest_vector_supports_a_sentence() -> None:
    sentence = np.array([0.6, 0.8], np.float32)
    assert embedding_support(sentence, np.array([[1, 0], [0, 1]], np.float32)) == pytest.approx(0.8)
    assert embedding_support(sentence, np.array([[-1, 0]], np.float32)) == 0
    assert embedding_support(sentence, np.empty((0, 0), np.float32)) == 0


def test_each_sentence_counts_with_its_better_support() -> None:
    assert faithfulness([1, 0.25], [0.5, 0.75]) == 0.875
