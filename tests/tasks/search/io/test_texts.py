"""Citations are the same whether elements were read with the texts of documents or after."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.ids import document_id, element_id
from schemas.tables.elements import ELEMENTS
from tasks.search.chunk_source import SpanCitation
from tasks.search.io.texts import DocumentTexts
from tasks.search.passages import TextSpan
from tasks.store import lance, published
from tasks.store.access import OpenTables
from tests.tasks.small_corpus import publish_corpus

PARAGRAPHS = ["The heron waits.", "It eats eels.", "Snow fell.", "The wheel was mended."]
TEXT = "\n".join(PARAGRAPHS)
DOCUMENT = document_id("main", "mill.txt")
STARTS = [TEXT.index(paragraph) for paragraph in PARAGRAPHS]
ENDS = [start + len(paragraph) for start, paragraph in zip(STARTS, PARAGRAPHS, strict=True)]
PARTS = [TextSpan(DOCUMENT, start, end) for start in STARTS for end in ENDS if start < end]
AROUND = [TextSpan(DOCUMENT, STARTS[0], ENDS[1]), TextSpan(DOCUMENT, STARTS[2], ENDS[3])]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    own = Corpus(str(folder))
    lance.ensure_table(own, "elements", ELEMENTS).add(make_table_from_rows([*map(element, range(len(PARAGRAPHS)))], ELEMENTS))
    publish_corpus(str(folder), {"mill.txt": TEXT})
    return own


def element(position: int) -> dict[str, object]:
    """A paragraph as an element, each on a page of its own."""
    return {
        "element_id": element_id(DOCUMENT, position + 1, position),
        "document_id": DOCUMENT,
        "page_number": position + 1,
        "position": position,
        "kind": "paragraph",
        "text": PARAGRAPHS[position],
        "bbox": {"x0": 0.0, "y0": 10.0 * position, "x1": 90.0, "y1": 10.0 * position + 9},
        "section": [f"Part {position}"],
        "start_char": STARTS[position],
        "end_char": ENDS[position],
    }


class Watched(OpenTables):
    """The tables of a generation, and which were read."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus, published.read_live_generation(corpus), None)
        self.seen: list[str] = []

    def read(self, name: str, columns: list[str] | None, where: str | None = None):  # type: ignore[no-untyped-def]
        self.seen.append(name)
        return super().read(name, columns, where)


def cited(corpus: Corpus, around: Sequence[TextSpan], asked: Sequence[TextSpan]) -> tuple[list[SpanCitation], list[str]]:
    tables = Watched(corpus)
    with ThreadPoolExecutor(1) as helpers:
        texts = DocumentTexts(tables, helpers)
        texts.load([DOCUMENT], around)
    found = texts.cite(asked)
    assert texts.text(DOCUMENT) == TEXT
    return found, sorted(tables.seen)


def test_parts_of_spans_are_cited_without_reading_again(corpus: Corpus) -> None:
    inside = [part for part in PARTS if any(part.start >= span.start and part.end <= span.end for span in AROUND)]
    found, seen = cited(corpus, AROUND, inside)
    assert seen == ["documents", "elements"]
    assert found == cited(corpus, [], inside)[0]
    assert [sorted(one["pages"]) for one in found if len(one["boxes"]) == 1] == [[1], [2], [3], [4]]


def test_spans_that_reach_beyond_are_cited_from_their_own_elements(corpus: Corpus) -> None:
    found, seen = cited(corpus, AROUND[:1], PARTS)
    assert seen == ["documents", "elements", "elements"]
    assert found == cited(corpus, [], PARTS)[0]


def test_nothing_is_read_for_citations_where_no_text_is(corpus: Corpus) -> None:
    tables = Watched(corpus)
    with ThreadPoolExecutor(1) as helpers:
        DocumentTexts(tables, helpers).load([], AROUND)
    assert tables.seen == []
