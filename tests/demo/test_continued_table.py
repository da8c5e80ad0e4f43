"""The demo's table across a page's end: found by a row of its second page, with its header, and cited there."""

from pathlib import Path

import pytest

from demo.draw import QUESTIONS
from demo.pages import draw_landings
from demo.texts import LANDINGS
from schemas.options.sections import ChunkOptions, DescribeOptions, ParseOptions
from schemas.records import DescribedDocument
from tasks.chunk.chunk import chunk_content
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.parse.io.parse import parse_staged
from tests.tasks.described import count
from tests.tasks.drawn import content_of


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> DescribedDocument:
    path = tmp_path_factory.mktemp("landings") / "landings-2024.pdf"
    draw_landings(path, LANDINGS)
    parsed = parse_staged(content_of(path, Path(path).read_bytes()), ParseOptions(), lambda _: None)
    row: DescribedDocument = describe_content(
        parsed, OcrSettings(DescribeOptions(), ParseOptions(ocr_languages="eng"))
    ).to_pylist()[0]
    return row


def test_its_rows_stand_in_the_text_once_and_without_a_gap(described: DescribedDocument) -> None:
    table = "\n".join(f"| {' | '.join(row)} |" for row in LANDINGS[1:])
    assert table in described["text"]
    assert described["text"].count("| Remark |") == 1
    assert "(continued)" not in described["text"]


def test_a_chunk_of_its_second_page_has_the_header_and_cites_that_page(described: DescribedDocument) -> None:
    (asked,) = (question for question in QUESTIONS if question["id"] == "guests-load")
    (chunk,) = (
        chunk
        for chunk in chunk_content(described, ChunkOptions(), count)["chunks"][0].as_py()
        if "guests on board" in chunk["text"] and chunk["pages"] == [gold["page"] for gold in asked["gold"]]
    )
    shown = [line for line in chunk["embedding_text"].split("\n") if line]
    assert shown[:2] == ["Table 1. Landings at Brattness quay, by day", f"| {' | '.join(LANDINGS[0])} |"]
    assert [row for row in shown if asked["answer"] in row and "guests on board" in row]
    assert [box["page_number"] for box in chunk["boxes"]] == [2]


def test_a_chunk_with_rows_of_both_pages_cites_both(described: DescribedDocument) -> None:
    chunks = chunk_content(described, ChunkOptions(), count)["chunks"][0].as_py()
    (both,) = (chunk for chunk in chunks if "22 May 2024" in chunk["text"] and "23 May 2024" in chunk["text"])
    assert both["pages"] == [1, 2]
    assert [box["page_number"] for box in both["boxes"]] == [1, 2]
