from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from schemas.staged import CHUNKED, DESCRIBED, PARSED, make_embedded_schema
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from schemas.tables.elements import ELEMENTS
from schemas.tables.figures import FIGURES
from tasks.language.terms import extract_terms
from tasks.publish import drafting
from tasks.publish.drafting import Group, StagedTables, count_uncovered_characters, measure_chunk_coverage
from tasks.publish.heads import DocumentPlace, read_document_head
from tasks.refresh.planning import SourceFile

TEXT = "Weirs\n\nThe weir leaks."
BOX = {"x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}
PROPERTIES = {"title": None, "author": "Ada", "created": None, "modified": None, "language": None, "extra": '{"year": "1911"}'}


def an_element(kind: str, start: int, end: int, level: int | None = None) -> dict[str, Any]:
    place = {"start_char": start, "end_char": end, "section": [], "page_number": 1, "bbox": BOX}
    return {"kind": kind, "level": level, "text": TEXT[start:end], "html": None, "confidence": None, **place}


def a_chunk(start: int, end: int) -> dict[str, Any]:
    return {
        "start_char": start,
        "end_char": end,
        "text": TEXT[start:end],
        "embedding_text": TEXT[start:end],
        "n_tokens": 5,
        "kind": "text",
        "section": ["Weirs"],
        "pages": [1],
        "boxes": [{"page_number": 1, "bbox": BOX}],
        "element_positions": [0, 1],
        "parent_start_char": None,
        "parent_end_char": None,
    }


def staged(chunks: list[dict[str, Any]], empty: bool = False) -> StagedTables:
    page = {"page_number": 1, "width": 100.0, "height": 100.0, "ocr": False}
    nothing: dict[str, Any] = {"rejects": []}
    elements = [] if empty else [an_element("heading", 0, 5, 1), an_element("figure", 7, len(TEXT))]
    figure = {"position": 1, "ocr_text": "", "description": TEXT[7:], "caption": None, "thumbnail": b"png"}
    parsed = {"text": None, "properties": PROPERTIES, "pages": [page], "elements": [], "figures": [], **nothing}
    described = {"text": TEXT, "elements": elements, "figures": [] if empty else [figure], **nothing}
    vectors = {"vectors": [[1.0, 0.0]] * len(chunks), **nothing}
    return StagedTables(
        pa.Table.from_pylist([parsed], schema=PARSED),
        pa.Table.from_pylist([described], schema=DESCRIBED),
        pa.Table.from_pylist([{"chunks": chunks, **nothing}], schema=CHUNKED),
        pa.Table.from_pylist([vectors], schema=make_embedded_schema(2)),
    )


def a_place(columns: dict[str, str], path: str = "sub/a.pdf", **metadata: Any) -> DocumentPlace:
    return DocumentPlace(path, "main", SourceFile(path, 1, "s", "application/pdf", metadata), "r", "run", columns)


def a_group(places: list[DocumentPlace], tables: list[StagedTables]) -> Group:
    heads = [read_document_head(place, each.parsed["properties"][0].as_py()) for place, each in zip(places, tables, strict=True)]
    return Group(places, heads, StagedTables(*map(pa.concat_tables, zip(*tables, strict=True))))


def alone(place: DocumentPlace, tables: StagedTables) -> Group:
    return a_group([place], [tables])


def test_rows_get_ids_names_and_typed_metadata() -> None:
    columns = {"year": "int"}
    group = alone(a_place(columns, desk="north"), staged([a_chunk(0, 5), a_chunk(7, 22)]))
    [document] = drafting.make_documents(group, make_documents_schema(columns)).to_pylist()
    assert (document["title"], document["author"], document["year"]) == ("Weirs", "Ada", 1911)
    assert document["metadata"] == '{"desk": "north"}'
    chunks = drafting.make_chunks(group, make_chunks_schema(2, columns)).to_pylist()
    assert [(row["path"], row["year"], row["position"], row["vector"]) for row in chunks] == [
        ("sub/a.pdf", 1911, 0, [1.0, 0.0]),
        ("sub/a.pdf", 1911, 1, [1.0, 0.0]),
    ]
    elements = drafting.make_elements(group, ELEMENTS).to_pylist()
    [figure] = drafting.make_figures(group, FIGURES).to_pylist()
    assert figure["element_id"] == elements[1]["element_id"]
    assert len({row["element_id"] for row in elements}) == 2


def test_what_stands_beside_the_file_wins_over_what_stands_in_it() -> None:
    group = alone(a_place({}, title="Given", author="Eve"), staged([]))
    [document] = drafting.make_documents(group, make_documents_schema({})).to_pylist()
    assert (document["title"], document["author"], document["metadata"]) == ("Given", "Eve", '{"year": "1911"}')


def test_the_language_is_that_of_the_text_unless_a_metadata_file_says_another() -> None:
    tables = staged([a_chunk(7, 22)])
    german = "Die Mühlen standen an dem Fluss, und die Müller waren nicht bei den Mühlen."
    described = tables.described.set_column(0, DESCRIBED.field("text"), pa.array([german], pa.large_string()))
    chunk = {**a_chunk(0, 10), "text": "Die Mühlen", "sentence_ends": [4]}
    chunked = pa.Table.from_pylist([{"chunks": [chunk], "rejects": []}], schema=CHUNKED)
    [row] = tables.parsed.to_pylist()
    row["properties"]["language"] = "en-US"
    said = pa.Table.from_pylist([row], schema=PARSED)

    def drafted(place: DocumentPlace, described: pa.Table) -> tuple[str, str, list[int] | None]:
        group = alone(place, tables._replace(parsed=said, described=described, chunked=chunked))
        [document] = drafting.make_documents(group, make_documents_schema({})).to_pylist()
        [row] = drafting.make_chunks(group, make_chunks_schema(2, {})).to_pylist()
        return document["language"], row["search_terms"], row["sentence_ends"]

    assert drafted(a_place({}), described) == ("de", extract_terms("Mühle", "de"), [4])
    cut_as_german = drafted(a_place({}, language="fr-CH"), described)
    assert cut_as_german == ("fr-CH", extract_terms("die Mühlen", "fr"), None), "French sentences may end elsewhere"
    untold = drafted(a_place({}), tables.described)
    assert untold == ("en-US", extract_terms("die Mühlen", "en"), [4]), "two words tell nothing, and are cut as English"


def test_a_list_in_front_matter_is_a_list_in_its_column() -> None:
    place = a_place({"tags": "list<string>"})
    listed = {**PROPERTIES, "extra": '{"tags": ["a", "b;c"]}'}
    assert read_document_head(place, listed).declared == {"tags": ["a", "b;c"]}
    with pytest.raises(DocumentError, match="gives tags as 7, which is not of type list<string>"):
        read_document_head(place, {**PROPERTIES, "extra": '{"tags": 7}'})


def test_front_matter_that_does_not_fit_a_declared_column_is_refused() -> None:
    with pytest.raises(DocumentError, match="year as '1911', which is not of type date"):
        read_document_head(a_place({"year": "date"}), PROPERTIES)


CHUNKS = st.lists(st.sampled_from([(0, 5), (7, 22), (0, 22)]).map(lambda span: a_chunk(*span)), max_size=3)


@given(st.lists(st.tuples(CHUNKS, st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_documents_that_are_drafted_together_get_the_rows_that_each_gets_alone(
    documents: list[tuple[list[dict[str, Any]], bool, bool]],
) -> None:
    columns = {"year": "int"}
    tables = [staged(chunks, empty=empty) for chunks, empty, _ in documents]
    places = [
        a_place(columns, f"{at}.pdf", **({"title": "Given"} if titled else {})) for at, (*_, titled) in enumerate(documents)
    ]
    together, apart = a_group(places, tables), [alone(*pair) for pair in zip(places, tables, strict=True)]
    makers = {
        drafting.make_documents: make_documents_schema(columns),
        drafting.make_elements: ELEMENTS,
        drafting.make_figures: FIGURES,
        drafting.make_chunks: make_chunks_schema(2, columns),
    }
    for make, schema in makers.items():
        assert make(together, schema).equals(pa.concat_tables([make(each, schema) for each in apart]))
    assert measure_chunk_coverage(together) == [measure_chunk_coverage(each)[0] for each in apart]


@given(st.text("ab \n"), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_uncovered_characters_are_those_in_no_span(text: str, pairs: list[tuple[int, int]]) -> None:
    spans = [(min(pair), max(pair)) for pair in pairs]
    alone = [n for n, character in enumerate(text) if not any(start <= n < end for start, end in spans) and character.strip()]
    assert count_uncovered_characters(text, spans) == len(alone)


def test_coverage_is_the_share_of_visible_characters() -> None:
    for chunks, share in (([a_chunk(0, len(TEXT))], 1.0), ([a_chunk(7, len(TEXT))], 13 / 18), ([], 0.0)):
        assert measure_chunk_coverage(alone(a_place({}), staged(chunks))) == [pytest.approx(share)]
