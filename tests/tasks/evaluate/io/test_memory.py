from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from schemas.corpus import Corpus
from tasks.embed.vectors import NO_TOKENS, CachingEncoder, Tokens, Vectors
from tasks.evaluate.io.memory import open_sentence_memory


class Counting:
    """An encoder that counts what it encodes."""

    dimension = 3

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        return {text: [] for text in texts}

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        self.encoded += texts
        return np.array([[len(text), ord(text[0]), 1] for text in texts], np.float32)


def night(corpus: Corpus, texts: Sequence[str], embedder: str = "a") -> tuple[list[str], Vectors]:
    counting = Counting()
    with open_sentence_memory(corpus, embedder) as memory:
        vectors = CachingEncoder(counting, memory).encode(texts)
    return counting.encoded, vectors


def test_the_next_night_embeds_only_what_is_new(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    _, first = night(corpus, ["heron", "mill"])
    encoded, vectors = night(corpus, ["mill", "pump", "heron"])
    assert encoded == ["pump"]
    assert vectors[[2, 0]].tolist() == first.tolist()
    written = corpus.sentences.stat().st_mtime_ns
    assert night(corpus, ["pump"])[0] == []
    assert corpus.sentences.stat().st_mtime_ns == written


def test_another_embedder_remembers_nothing(tmp_path: Path) -> None:
    night(Corpus(str(tmp_path)), ["heron"])
    assert night(Corpus(str(tmp_path)), ["heron"], "b")[0] == ["heron"]


@pytest.mark.parametrize("damage", [b"", b"no Arrow file"])
def test_what_is_damaged_is_computed_again(tmp_path: Path, damage: bytes) -> None:
    corpus = Corpus(str(tmp_path))
    night(corpus, ["heron"])
    corpus.sentences.write_bytes(damage)
    assert night(corpus, ["heron"])[0] == ["heron"]
    assert night(corpus, ["heron"])[0] == []
