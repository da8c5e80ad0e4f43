from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.options.sections import ChunkOptions
from schemas.records import DescribedDocument, Reason
from schemas.staged import CHUNKED
from tasks.chunk.chunk import chunk_content
from tasks.chunk.pieces import Count
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tests.tasks.described import body, count, count_whole, described, documents, element, plain

ROWS = [f"| Region {n} | {n * 7} | {n * 9} |" for n in range(40)]
TABLE = "\n".join(["| Name | 2022 | 2023 |", "| --- | --- | --- |", *ROWS])


@pytest.fixture(scope="module")
def real() -> Count:
    return load_tokenizer(find_model_folder(PACKAGED)).count


def chunks_of(row: DescribedDocument, size: int = 64, counter: Count = count) -> list[dict[str, Any]]:
    table = chunk_content(row, ChunkOptions(size_tokens=size), counter)
    assert table.schema == CHUNKED
    found: list[dict[str, Any]] = table["chunks"][0].as_py()
    return found


def check(row: DescribedDocument, size: int, counter: Count) -> None:
    """Assert what holds for the chunks of every document: exact places, order, all of the text, the limit."""
    text, chunks = row["text"], chunks_of(row, size, counter)
    for chunk in chunks:
        assert chunk["text"] == text[chunk["start_char"] : chunk["end_char"]] == chunk["text"].strip() != ""
        assert chunk["n_tokens"] == counter([chunk["embedding_text"]])[0] <= size
        assert chunk["embedding_text"].endswith(chunk["text"])
        assert chunk["pages"]
    assert all(left["end_char"] <= right["start_char"] for left, right in pairwise(chunks))
    assert "".join("".join(chunk["text"].split()) for chunk in chunks) == "".join(body(row).split())
    assert chunks == chunks_of(row, size, counter)


@settings(max_examples=150, deadline=None)
@given(row=documents(), size=st.integers(16, 80))
def test_chunks_hold_the_text_in_order_within_the_limit(row: DescribedDocument, size: int) -> None:
    check(row, size, count)


@settings(max_examples=75, deadline=None)
@given(row=documents(), size=st.integers(16, 80))
def test_they_do_so_when_counts_do_not_add_up(row: DescribedDocument, size: int) -> None:
    check(row, size, count_whole)


@settings(max_examples=75, deadline=None)
@given(row=documents(), size=st.integers(16, 64))
def test_they_do_so_with_the_embedders_own_tokenizer(real: Count, row: DescribedDocument, size: int) -> None:
    check(row, size, real)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u2028"])
def test_a_document_without_text_is_a_reject(text: str) -> None:
    table = chunk_content(plain(text), ChunkOptions(), count)
    assert table["chunks"][0].as_py() == []
    [reject] = table["rejects"][0].as_py()
    assert (reject["step"], reject["error"], reject["page_number"], reject["final"]) == ("chunk", "EmptyDocument", 0, True)


def test_a_document_that_describe_rejected_is_not_rejected_again() -> None:
    reject = Reason(step="parse", page_number=0, error="DocumentError", message="Empty", remedy="Exclude it", final=True)
    table = chunk_content({**plain(""), "rejects": [reject]}, ChunkOptions(), count)
    assert table["rejects"][0].as_py() == []


def test_a_document_of_one_character_is_one_chunk() -> None:
    [chunk] = chunks_of(plain("a"))
    assert (chunk["start_char"], chunk["end_char"], chunk["kind"], chunk["pages"]) == (0, 1, "text", [1])


def test_a_table_that_fits_is_one_chunk_with_its_caption_and_heading() -> None:
    small = "\n".join(TABLE.splitlines()[:5])
    row = described(
        ("paragraph", "Words first. " * 3),
        ("heading", "Sales", {"level": 2, "section": []}),
        ("caption", "Table 1: Sales by region", {"section": ["Sales"]}),
        ("table", small, {"section": ["Sales"]}),
        ("paragraph", "Words last.", {"section": ["Sales"]}),
    )
    chunks = chunks_of(row, 80)
    assert [chunk["kind"] for chunk in chunks] == ["text", "table", "text"]
    assert chunks[1]["text"] == f"Sales\n\nTable 1: Sales by region\n\n{small}" == chunks[1]["embedding_text"]
    assert (chunks[1]["section"], chunks[1]["element_positions"]) == (["Sales"], [1, 2, 3])


def test_a_table_that_does_not_fit_is_cut_between_rows_and_repeats_caption_and_header() -> None:
    row = described(("caption", "Table 1: Sales"), ("table", TABLE), ("paragraph", "The end."))
    *parts, last = chunks_of(row, 90)
    assert (last["kind"], last["text"]) == ("text", "The end.")
    assert len(parts) > 3
    assert parts[0]["text"] == parts[0]["embedding_text"]
    for part in parts[1:]:
        assert part["embedding_text"] == f"Table 1: Sales\n| Name | 2022 | 2023 |\n| --- | --- | --- |\n{part['text']}"
        assert set(part["text"].splitlines()) <= set(ROWS)
    check(row, 90, count)


def test_a_caption_below_a_cut_table_is_repeated_except_where_it_is() -> None:
    parts = chunks_of(described(("table", TABLE), ("caption", "Table 1: Sales")), 90)
    assert [part["embedding_text"].count("Table 1: Sales") for part in parts] == [1] * len(parts)
    assert parts[-1]["text"].endswith("Table 1: Sales")


def test_a_row_that_does_not_fit_is_cut_between_words() -> None:
    row = described(("table", "| a | b |\n| - | - |\n| " + "word " * 100 + "|\n| 1 | 2 |"))
    assert {chunk["kind"] for chunk in chunks_of(row, 40)} == {"table"}
    check(row, 40, count)


def test_a_header_that_takes_most_of_a_chunk_is_not_repeated() -> None:
    row = described(("table", "| " + "head | " * 25 + "\n" + "\n".join(ROWS)))
    assert all(chunk["embedding_text"] == chunk["text"] for chunk in chunks_of(row, 64))


def test_code_is_cut_between_lines() -> None:
    lines = [f"value_{n} = compute({n}, {n + 1})" for n in range(30)]
    chunks = chunks_of(described(("paragraph", "Run this:"), ("code", "\n".join(lines)), ("paragraph", "Done.")), 64)
    code = [chunk for chunk in chunks if chunk["kind"] == "code"]
    assert chunks[0]["text"].startswith("Run this:\n\nvalue_0")
    assert "\n".join(chunk["text"] for chunk in code) == "Run this:\n\n" + "\n".join(lines)
    assert chunks[-1]["kind"] == "text"


def test_a_figure_with_text_is_a_chunk_of_its_own_and_cut_like_prose() -> None:
    row = described(("paragraph", "One."), ("figure", "Bars rise. " * 40), ("caption", "Figure 1: Bars"), ("paragraph", "Two."))
    kinds = [chunk["kind"] for chunk in chunks_of(row)]
    assert kinds == ["text", *["figure"] * (len(kinds) - 2), "text"]
    assert len(kinds) > 4
    assert [chunk["kind"] for chunk in chunks_of(described(("paragraph", "One."), ("figure", ""), ("paragraph", "Two.")))] == [
        "text"
    ]


def test_text_between_elements_is_kept() -> None:
    row: DescribedDocument = {
        **plain("Alpha stands here. Nobody claims these many words. Omega."),
        "elements": [element("paragraph", 0, 18)],
    }
    assert chunks_of(row)[0]["text"] == row["text"]


def test_pages_and_boxes_are_those_of_the_elements_touched() -> None:
    box = {"x0": 0.0, "y0": 1.0, "x1": 2.0, "y1": 3.0}
    row = described(("paragraph", "One.", {"page_number": 3, "bbox": box}), ("paragraph", "Two.", {"page_number": 2}))
    [chunk] = chunks_of(row)
    assert (chunk["pages"], chunk["boxes"]) == ([2, 3], [{"page_number": 3, "bbox": box}])


def test_a_text_without_sentences_is_cut_within_the_limit(real: Count) -> None:
    for text in ("lorem " * 3000, "x" * 20_000, "漢" * 3000, "1,2;" * 2000, "\U0001f600" * 500):
        check(plain(text), 256, real)


def test_a_table_without_a_caption_is_embedded_under_the_heading_above_it() -> None:
    section = {"section": ["Sales"]}
    first, *parts = chunks_of(
        described(("heading", "Sales", {"level": 1}), ("paragraph", "They rose.", section), ("table", TABLE, section)), 90
    )
    assert first["text"] == "Sales\n\nThey rose."
    for part in parts:
        assert part["embedding_text"].startswith("Sales\n| Name | 2022 | 2023 |\n")
        assert "Sales" not in part["text"]


def test_a_chunk_of_a_table_may_be_longer_than_others() -> None:
    row = described(("paragraph", "Words and words. " * 40), ("table", TABLE))
    options = ChunkOptions(size_tokens=60)
    apart, together = (chunk_content(row, chosen, count)["chunks"][0].as_py() for chosen in (options, options.resolve(256)))
    assert max(chunk["n_tokens"] for chunk in apart) <= 60
    assert 60 < max(chunk["n_tokens"] for chunk in together if chunk["kind"] == "table") <= 120
    assert [chunk for chunk in apart if chunk["kind"] == "text"] == [chunk for chunk in together if chunk["kind"] == "text"]


def test_prose_keeps_the_ends_of_its_sentences_and_tables_have_none() -> None:
    prose, *tables = chunks_of(described(("paragraph", "Dr. Li left at noon. She ran."), ("table", TABLE)))
    assert (prose["kind"], prose["sentence_ends"]) == ("text", [21])
    assert tables and all(table["sentence_ends"] is None for table in tables)


def test_a_strategy_that_knows_no_sentences_keeps_no_ends() -> None:
    options = ChunkOptions(strategy="token-window", size_tokens=64)
    [chunk] = chunk_content(plain("The mill stood. It rained."), options, count)["chunks"][0].as_py()
    assert chunk["sentence_ends"] is None
