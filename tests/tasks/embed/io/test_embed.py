import threading
import weakref
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.options.sections import EmbedOptions
from schemas.staged import make_embedded_schema
from tasks.embed.io.embed import GPU_GROUP, GROUP, choose_group_size, embed_contents, embed_each, make_embedded_row
from tasks.embed.vectors import NO_TOKENS, Tokens, Vectors


class Lengths:
    """An encoder whose vectors tell each text's length, and which remembers how many texts it got at a time."""

    dimension = 2

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        return {text: [] for text in texts}

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        self.sizes.append(len(texts))
        return np.array([[len(text), 1] for text in texts], dtype=np.float32).reshape(-1, 2)


@given(
    chunked=st.dictionaries(st.text(max_size=3), st.lists(st.text(max_size=5), max_size=9), max_size=9), group=st.integers(1, 12)
)
def test_each_content_gets_the_vectors_of_its_texts_in_order(chunked: dict[str, list[str]], group: int) -> None:
    encoder = Lengths()
    found = list(embed_contents(chunked.items(), encoder, group))
    assert [key for key, _ in found] == list(chunked)
    for key, vectors in found:
        assert vectors.shape == (len(chunked[key]), 2)
        assert vectors[:, 0].tolist() == [len(text) for text in chunked[key]]
    assert max(encoder.sizes, default=0) <= group


def test_small_contents_are_embedded_together_and_yielded_before_later_ones_are() -> None:
    encoder = Lengths()
    stream = embed_contents(
        {name: [f"{name}{at}" for at in range(n)] for name, n in (("a", 1), ("b", 2), ("c", 3), ("d", 9))}.items(), encoder, 4
    )
    assert next(stream)[0] == "a"
    assert encoder.sizes == [3]
    assert [key for key, _ in stream] == ["b", "c", "d"]
    assert encoder.sizes == [3, 3, 4, 4, 1]


def test_what_is_staged_is_read_when_its_turn_comes_and_a_group_at_a_time() -> None:
    alive: weakref.WeakSet[Staged] = weakref.WeakSet()
    most: list[int] = []

    def read(key: int) -> Staged:
        texts = Staged(2500 if key == 7 else 30)
        alive.add(texts)
        most.append(len(alive))
        return texts

    encoder = Lengths()
    found = [(key, len(np.asarray(vectors))) for key, vectors in embed_each(range(200), read, lambda _: encoder, 1, 100)]
    assert found == [(key, 2500 if key == 7 else 30) for key in range(200)]
    assert (max(encoder.sizes), max(Staged.asked)) == (100, 100)
    assert max(most) <= 9


class Staged(Sequence[str]):
    """Texts in a file: it remembers how many were asked for at once."""

    asked: ClassVar[list[int]] = []

    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            texts = [f"text {at}" for at in range(self.n)[place]]
            self.asked.append(len(texts))
            return texts
        if place >= self.n:
            raise IndexError
        return f"text {place}"


def test_texts_are_tokenised_while_those_before_them_are_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Lengths):
        """Encodes a text only after the next one is tokenised, and with the tokens that were made of it."""

        def __init__(self) -> None:
            super().__init__()
            self.tokenised = {text: threading.Event() for text in "abc"}

        def tokenise(self, texts: Sequence[str]) -> Tokens:
            self.tokenised[texts[0]].set()
            return {texts[0]: [ord(texts[0])]}

        def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
            assert tokens == {texts[0]: [ord(texts[0])]}
            assert self.tokenised[min("c", chr(ord(texts[0]) + 1))].wait(10)
            return super().encode(texts)

    assert [key for key, _ in embed_contents([("one", ["a", "b"]), ("two", ["c"])], Slow(), 1)] == ["one", "two"]


def test_texts_of_an_array_are_embedded_as_those_of_a_list() -> None:
    texts = ["a" * n for n in range(11)]
    found = dict(embed_contents([("few", pa.array(texts[:2])), ("many", pa.array(texts))], Lengths(), 4))
    assert {key: vectors[:, 0].tolist() for key, vectors in found.items()} == {"few": [0, 1], "many": [*range(11)]}


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_row_holds_the_vectors_of_one_content(n: int) -> None:
    vectors = np.arange(n * 3, dtype=np.float32).reshape(n, 3)
    row = make_embedded_row(vectors, 3)
    assert row.schema == make_embedded_schema(3)
    assert row["vectors"][0].as_py() == vectors.tolist()
    assert row["rejects"][0].as_py() == []


def test_a_slice_of_an_array_is_stored_as_it_reads() -> None:
    vectors = np.arange(24, dtype=np.float32).reshape(4, 6)[1:3, ::2]
    assert make_embedded_row(vectors, 3)["vectors"][0].as_py() == vectors.tolist()


def test_only_a_gpu_gets_large_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_group_size(EmbedOptions(engine="torch")) == GPU_GROUP > GROUP
    assert choose_group_size(EmbedOptions(engine="torch", device="cpu")) == GROUP
    assert choose_group_size(EmbedOptions(engine="openvino")) == GROUP
