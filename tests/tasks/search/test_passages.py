"""Passages are joined and trimmed, without reading documents where the rows of chunks tell enough."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.chunk_source import RankedRow, SpanCitation
from tasks.search.passages import (
    BASE_RANK,
    ChunkCosines,
    RankedQuestion,
    TextSpan,
    TrimmedPassage,
    estimate_base_cosine,
    estimate_proximities,
    join_neighbouring_chunks,
    make_passages,
)
from tasks.search.ranking import ChunkPosition
from tasks.search.results import cite_part_of_chunk, make_chunk_hits
from tasks.search.trimming import PassageChunk

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

    def cite(self, spans: Sequence[TextSpan]) -> list[SpanCitation]:
        assert not spans, "passages cite nothing"
        return []


def row(position: int, ends: list[int] | None, elements: list[int]) -> RankedRow:
    start, end, kind = SPANS[position]
    return {
        "chunk_id": str(position),
        "document_id": "d",
        "path": "d.txt",
        "title": "",
        "pages": [1],
        "boxes": [],
        "section": [],
        "embedding_text": TEXT[start:end],
        "parent_start_char": None,
        "parent_end_char": None,
        "position": position,
        "start_char": start,
        "end_char": end,
        "text": TEXT[start:end],
        "kind": kind,
        "sentence_ends": ends,
        "element_positions": elements,
        "score": 1.0,
    }


def kept(rows: list[RankedRow], word: str, documents: Documents) -> list[TrimmedPassage]:
    [found] = make_passages([RankedQuestion(word, rows, {word: 1.0}, None)], 3, documents)
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
def test_a_span_is_cited_as_its_chunk_only_if_it_must_touch_the_same(rows: list[RankedRow], word: str, cited: bool) -> None:
    assert [one.cited for one in kept(rows, word, Documents())] == [cited]


def test_chunks_of_one_table_with_places_are_cited_by_all_of_their_rows() -> None:
    rows = [row(1, ENDS[1], [4]), row(0, ENDS[0], [4])]
    for one, place in zip(rows, ("S!A3:B4", "S!A1:B2"), strict=True):
        one["places"] = [place]
    assert [one.cited for one in kept(rows, "rose", Documents())] == [False]


def test_a_part_of_a_table_cites_the_cells_of_its_rows_alone() -> None:
    text = "\n".join(f"| {n} | mill number {n} |" for n in range(7, 30))
    found: RankedRow = {**row(2, None, [4]), "text": text, "start_char": 100, "end_char": 100 + len(text), "places": ["S!A7:B29"]}
    part = TrimmedPassage(TextSpan("d", 100 + text.index("| 9 |"), 100 + text.index("| 12 |") - 1), "", found, True)
    assert cite_part_of_chunk(found, part.span[1:]) == ["S!A9:B11"]
    assert [hit.places for hit in make_chunk_hits([found])] == [["S!A7:B29"]]


def chunk(position: int, kind: str = "text", document: str = "a") -> PassageChunk:
    return PassageChunk(f"{document}{position}", document, position, position * 10, position * 10 + 10, kind)


def span_chunk(position: int, start: int, end: int) -> PassageChunk:
    return PassageChunk(f"c{position}", "d", position, start, end)


def test_neighbours_of_one_document_are_one_passage() -> None:
    ranked = [chunk(4), chunk(9), chunk(5), chunk(6), chunk(3, document="b")]
    assert join_neighbouring_chunks(ranked, 2) == [[chunk(4), chunk(5), chunk(6)], [chunk(9)]]


def test_a_figure_stands_alone() -> None:
    ranked = [chunk(1, "figure"), chunk(2, "figure"), chunk(3)]
    assert join_neighbouring_chunks(ranked, 3) == [[chunk(1, "figure")], [chunk(2, "figure")], [chunk(3)]]


def test_neighbours_are_joined_in_order_of_rank_and_count_as_one_result() -> None:
    ranked = [chunk(4), chunk(9), chunk(5), chunk(4, document="b"), chunk(1), chunk(6), chunk(10)]
    joined = join_neighbouring_chunks(ranked, 2)
    assert [[found.chunk_id for found in passage] for passage in joined] == [["a4", "a5", "a6"], ["a9", "a10"]]


def near(*cosines: float, base: float = 0.0) -> ChunkCosines:
    return ChunkCosines({ChunkPosition("d", position): cosine for position, cosine in enumerate(cosines)}, base)


def test_a_sentence_in_the_middle_of_a_chunk_has_its_cosine_and_one_at_the_edge_half_of_each() -> None:
    passage = [span_chunk(1, 20, 30), span_chunk(0, 0, 20)]
    assert estimate_proximities([(8, 12), (16, 24), (24, 26)], passage, near(0.4, 0.8)) == [0.4, 0.4 + 0.4 * 10 / 15, 0.8]


def test_a_chunk_beside_the_passage_counts_if_it_was_found_and_is_at_the_base_if_not() -> None:
    passage = [span_chunk(1, 10, 20)]
    spans = [(10, 10), (20, 20)]
    found = estimate_proximities(spans, passage, near(0.5, 0.7, base=0.1))
    assert [round(value, 6) for value in found] == [0.5, 0.3]


def test_nothing_stands_before_the_first_chunk_of_a_document() -> None:
    assert estimate_proximities([(0, 0)], [span_chunk(0, 0, 10)], near(0.6)) == [0.6]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.floats(-1, 1))
def test_proximity_lies_between_that_of_the_chunks_and_the_base(cosines: list[float], base: float) -> None:
    passage = [span_chunk(position, 10 * position, 10 * position + 10) for position in range(len(cosines))]
    spans = [(at, at + 3) for at in range(0, 10 * len(cosines) - 3, 2)]
    over = [cosine - base for cosine in cosines]
    found = estimate_proximities(spans, passage, near(*cosines, base=base))
    assert len(found) == len(spans)
    assert all(min(0, *over) - 1e-9 <= value <= max(0, *over) + 1e-9 for value in found)


def test_the_base_is_that_of_a_chunk_far_down_or_half_the_best() -> None:
    many = [1 - rank / 100 for rank in range(BASE_RANK + 5)]
    assert estimate_base_cosine(many) == many[BASE_RANK - 1]
    assert estimate_base_cosine(many[:3]) == 0.5
