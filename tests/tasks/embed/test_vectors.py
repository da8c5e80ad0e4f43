from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.vectors import NO_TOKENS, CachingEncoder, Tokens, VectorCache, Vectors


class Lengths:
    """An encoder whose vectors tell each text's length, and which remembers what it was asked."""

    dimension = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        return {text: [] for text in texts}

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32).reshape(-1, 2)


@given(groups=st.lists(st.lists(st.text("ab", max_size=4), max_size=9), max_size=6), most=st.integers(1, 40))
def test_every_text_gets_its_vector_however_little_is_remembered(groups: list[list[str]], most: int) -> None:
    encoder = CachingEncoder(Lengths(), VectorCache(most))
    for texts in groups:
        assert encoder.encode(texts).tolist() == [[len(text), 1] for text in texts]


def test_what_is_remembered_is_not_encoded_again() -> None:
    lengths, memory = Lengths(), VectorCache()
    memory.add(["old"], np.array([[3, 1]], dtype=np.float32))
    encoder = CachingEncoder(lengths, memory)
    encoder.encode(["new", "old", "new"])
    CachingEncoder(lengths, memory).encode(["new", "newer"])
    assert lengths.asked == ["new", "newer"]


def test_what_is_remembered_is_not_tokenised() -> None:
    memory = VectorCache()
    memory.add(["old"], np.array([[3, 1]], dtype=np.float32))
    assert list(CachingEncoder(Lengths(), memory).tokenise(["new", "old", "new"])) == ["new"]


def test_what_is_oldest_is_forgotten() -> None:
    memory = VectorCache(2)
    for text in ("a", "b", "c"):
        memory.add([text], np.ones((1, 2), np.float32))
    assert [vector is None for vector in memory.find(["a", "b", "c"])] == [True, False, False]


def test_a_remembered_vector_does_not_change_with_the_array_it_came_from() -> None:
    memory, vectors = VectorCache(), np.ones((1, 2), np.float32)
    memory.add(["a"], vectors)
    vectors[:] = 0
    [vector] = memory.find(["a"])
    assert vector is not None
    assert vector.tolist() == [1, 1]
