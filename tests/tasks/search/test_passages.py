"""Passages are made without reading documents where the rows of chunks tell enough."""

from collections.abc import Sequence
from typing import Any

import pytest

from tasks.search.passages import Asked, Kept, TextSpan, passages

TEXT = "The mill stood. It was old. The river rose.\n\nDr. Li left. She sat. She ran.\n\n| a | b |"
SPANS = [(0, 43, "text"), (45, 75, "text"), (77, 86, "table")]
ENDS = [[16, 28], [13, 22]]
"""Where the sentences of both texts end. Half of a sentence's score goes to those beside it, so two are kept."""


class Documents:
    """One document, and what was asked for."""

    def __init__(self) -> None:
        self.loaded: list[str] = []
        self.around: list[TextSpan] = []

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        self.around = [*around]
        self.loaded += documents

    def text(self, document: str) -> str:
        assert document in self.loaded
        return TEXT

    def language(self, document: str) -> str:
        assert document in self.loaded
        return "en"

    def cite(self, spans: Sequence[TextSpan]) -> list[dict[str, Any]]:
        raise AssertionError(f"passages cite nothing: {spans}")


def row(position: int, ends: list[int] | None, elements: list[int]) -> dict[str, Any]:
    start, end, kind = SPANS[position]
    return {
        "chunk_id": str(position),
        "document_id": "d",
        "position": position,
        "start_char": start,
        "end_char": end,
        "text": TEXT[start:end],
        "kind": kind,
        "sentence_ends": ends,
        "element_positions": elements,
        "score": 1.0,
    }


def kept(rows: list[dict[str, Any]], word: str, documents: Documents) -> list[Kept]:
    [found] = passages([Asked(word, rows, {word: 1.0}, None)], 3, documents)
    return found


@pytest.mark.parametrize("position", [0, 2])
def test_a_chunk_alone_is_trimmed_as_in_its_document_without_reading_it(position: int) -> None:
    ends, word = (ENDS[0] if position == 0 else None), "river" if position == 0 else "a"
    documents = Documents()
    [one] = kept([row(position, ends, [position])], word, documents)
    assert documents.loaded == []
    assert one.text == TEXT[one.span.start : one.span.end] == ("It was old. The river rose." if position == 0 else "| a | b |")


def test_a_chunk_whose_sentences_are_not_known_is_trimmed_in_its_document() -> None:
    documents = Documents()
    [one] = kept([row(1, None, [1])], "ran", documents)
    assert (documents.loaded, one.text) == (["d"], "She sat. She ran.")


def test_chunks_that_are_joined_are_trimmed_in_their_document() -> None:
    documents = Documents()
    [one] = kept([row(1, ENDS[1], [1]), row(0, ENDS[0], [0])], "rose", documents)
    assert (documents.loaded, one.text) == (["d"], "It was old. The river rose.\n\nDr. Li left.")


@pytest.mark.parametrize(
    ("rows", "word", "cited"),
    [
        ([row(0, ENDS[0], [4])], "river", True),
        ([row(0, ENDS[0], [])], "river", True),
        ([row(0, ENDS[0], [4, 5])], "river", False),
        ([row(2, None, [4, 5])], "a", True),
        ([row(1, ENDS[1], [4]), row(0, ENDS[0], [4])], "rose", True),
        ([row(1, ENDS[1], []), row(0, ENDS[0], [4])], "rose", False),
        ([row(1, ENDS[1], [5]), row(0, ENDS[0], [4])], "rose", False),
    ],
    ids=["one element", "none", "a part of two", "the whole", "the same one", "none and one", "one each"],
)
def test_a_span_is_cited_as_its_chunk_only_if_it_must_touch_the_same(rows: list[dict[str, Any]], word: str, cited: bool) -> None:
    assert [one.cited for one in kept(rows, word, Documents())] == [cited]
