import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from schemas.errors import ChangedError, DocumentError
from schemas.options.sections import ParseOptions
from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.elements.assembly import assemble
from tasks.parse.io.parse import RANGED_BYTES, parse_content, parse_if_short, parse_staged
from tasks.parse.pdf.io import page as pdf_page
from tests.tasks import drawn, drawn_structure, golden

OPTIONS = ParseOptions()


def parsed(path: Path, data: bytes, options: ParseOptions = OPTIONS) -> dict[str, Any]:
    row: dict[str, Any] = parse_staged(drawn.content_of(path, data), options, lambda _: None).to_pylist()[0]
    return row


def test_golden_files_are_not_being_rewritten() -> None:
    assert golden.UPDATE not in os.environ


DRAWN = [
    *(drawn.two_columns, drawn.ruled_table, drawn.joined_table, drawn.with_figure, drawn.scanned),
    *(drawn_structure.footnotes, drawn_structure.spanning_table, drawn_structure.outlined),
]


@pytest.fixture(scope="module", params=DRAWN, ids=lambda draw: draw.__name__)
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """The name of a drawn document, and what is read of it."""
    return request.param.__name__, parsed(tmp_path_factory.mktemp("drawn") / "a.pdf", request.param())


def test_a_drawn_document_reads_as_its_golden_file(document: tuple[str, dict[str, Any]]) -> None:
    name, row = document
    golden.check(row, name)


def test_every_element_has_its_page_and_its_offsets_in_the_text(document: tuple[str, dict[str, Any]]) -> None:
    _, row = document
    sizes = {page["page_number"]: (page["width"], page["height"]) for page in row["pages"]}
    for e in row["elements"]:
        width, height = sizes[e["page_number"]]
        assert 0 <= e["bbox"]["x0"] < e["bbox"]["x1"] <= width and 0 <= e["bbox"]["y0"] < e["bbox"]["y1"] <= height
    text, elements = assemble(row["elements"])
    placed = [e for e in elements if e["start_char"] is not None]
    assert all(text[e["start_char"] : e["end_char"]] == e["text"] for e in placed)
    assert all((a["end_char"] or 0) <= (b["start_char"] or 0) for a, b in pairwise(placed))


def test_equal_bytes_give_equal_rows_under_any_name(tmp_path: Path) -> None:
    data = drawn.with_figure()
    assert parsed(tmp_path / "a.pdf", data) == parsed(tmp_path / "b.pdf", data)


def test_properties_come_from_the_file(tmp_path: Path) -> None:
    properties = parsed(tmp_path / "a.pdf", drawn.two_columns())["properties"]
    assert (properties["title"], properties["author"]) == ("The Mill", "A. Miller")
    assert properties["created"] == "2024-03-01T12:00:00+01:00"


def test_missing_properties_come_from_the_first_page(tmp_path: Path) -> None:
    properties = parsed(tmp_path / "a.pdf", drawn_structure.outlined())["properties"]
    assert (properties["title"], properties["author"]) == ("A Handbook for Millers", "Ada Miller and Tom Stone")
    assert properties["created"] == "2024-03-12"


def test_words_keep_the_addresses_that_they_lead_to(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), drawn.RIGHT * 3, fontsize=10)
    (box,) = page.search_for("published at once")[:1]
    page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "https://mill.example/once"})
    (found,) = parsed(tmp_path / "a.pdf", drawn.bytes_of(document))["elements"]
    assert found["links"] == [{"text": "published at once", "uri": "https://mill.example/once"}]
    assert "is [published at once](https://mill.example/once) and" in render_as_markdown([found], furniture=False, links=True)


def test_a_figure_keeps_its_picture(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.pdf", drawn.with_figure())
    (figure,) = row["figures"]
    assert row["elements"][figure["position"]]["kind"] == "figure"
    assert figure["image"].startswith(b"\x89PNG")


def test_words_read_by_ocr_carry_their_confidence_and_place(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.pdf", drawn.scanned())
    (found,) = [element for element in row["elements"] if element["page_number"] == 2]
    assert [page["ocr"] for page in row["pages"]] == [False, True, False]
    assert found["confidence"] > 0.8
    assert 50 < found["bbox"]["x0"] < 70
    assert not row["rejects"]


def test_a_page_without_text_is_recorded_when_ocr_is_off(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.pdf", drawn.scanned(), ParseOptions(ocr=False))
    assert [(reject["page_number"], reject["error"]) for reject in row["rejects"]] == [(2, "EmptyPage")]


def test_a_page_that_cannot_be_read_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pdf_page.read_page
    monkeypatch.setattr(
        "tasks.parse.pdf.io.document.read_page", lambda page, *given: 1 / 0 if page.number else whole(page, *given)
    )
    row = parsed(tmp_path / "a.pdf", drawn.scanned())
    assert [reject["page_number"] for reject in row["rejects"]] == [2, 3]
    assert {element["page_number"] for element in row["elements"]} == {1}


def test_the_heartbeat_counts_pages(tmp_path: Path) -> None:
    beats: list[int] = []
    parse_content(drawn.content_of(tmp_path / "a.pdf", drawn.scanned()), ParseOptions(ocr=False), beats.append)
    assert beats == [1, 2, 3]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_and_cropped_page_reads_as_it_is_shown(rotation: int, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=500, height=700)
    page.insert_text((250, 350), "Shown to the reader", fontsize=20, rotate=rotation)
    page.set_cropbox(pymupdf.Rect(20, 20, 480, 600))
    page.set_rotation(rotation)
    (found,) = parsed(tmp_path / "a.pdf", drawn.bytes_of(document))["elements"]
    assert found["text"] == "Shown to the reader"
    assert found["bbox"]["x1"] - found["bbox"]["x0"] > found["bbox"]["y1"] - found["bbox"]["y0"]


BAD = {
    "0 bytes": b"",
    "no pages": drawn.NO_PAGES,
    "garbage": random.Random(0).randbytes(5000),
    "text": b"just text",
    "a password": drawn.with_password(),
    "truncated": drawn.two_columns()[:-200],
    "half of it": drawn.two_columns()[:1500],
}


@pytest.mark.parametrize("what", BAD)
def test_a_pdf_that_cannot_be_read_ends_in_one_final_reject(what: str, tmp_path: Path) -> None:
    row = parsed(tmp_path / "somename.pdf", BAD[what])
    (reject,) = row["rejects"]
    assert (reject["step"], reject["page_number"], reject["final"]) == ("parse", 0, True)
    assert reject["message"] and reject["remedy"]
    assert "somename" not in reject["message"] + reject["remedy"]
    assert row["elements"] == []


def test_an_owner_password_does_not_keep_readers_out(tmp_path: Path) -> None:
    assert parsed(tmp_path / "a.pdf", drawn.owner_password())["elements"]


def test_a_blank_document_is_empty(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page()
    (reject,) = parsed(tmp_path / "a.pdf", drawn.bytes_of(document))["rejects"]
    assert reject["error"] == "EmptyDocument"


def test_a_file_that_changed_since_the_plan_is_not_parsed(tmp_path: Path) -> None:
    content = drawn.content_of(tmp_path / "a.txt", b"before")
    (tmp_path / "a.txt").write_bytes(b"after")
    with pytest.raises(ChangedError, match="changed while it was read"):
        parse_staged(content, OPTIONS, lambda _: None)


def test_a_file_that_went_away_may_come_back(tmp_path: Path) -> None:
    content = drawn.content_of(tmp_path / "a.txt", b"before")
    (tmp_path / "a.txt").unlink()
    with pytest.raises(ChangedError, match="removed after the plan was made"):
        parse_staged(content, OPTIONS, lambda _: None)


def test_a_media_type_that_nobody_reads_is_refused(tmp_path: Path) -> None:
    content = drawn.content_of(tmp_path / "a.txt", b"PK").model_copy(update={"media_type": "application/zip"})
    with pytest.raises(DocumentError, match="application/zip"):
        parse_content(content, OPTIONS, lambda _: None)


def test_markdown_front_matter_becomes_properties(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.md", b"---\ntitle: A\ndate: 2024-05-01\nteam: x\n---\n# B\n\nText.\n")
    assert row["properties"]["title"] == "A"
    assert row["properties"]["created"] == "2024-05-01"
    assert row["properties"]["extra"] == '{"team": "x"}'
    assert [element["kind"] for element in row["elements"]] == ["furniture", "heading", "paragraph"]


def test_restructured_text_keeps_its_text_and_says_its_title(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.rst", b":title: A\n\nB\n=\n\nText.\n")
    assert row["text"] == ":title: A\n\nB\n=\n\nText.\n"
    assert row["properties"]["title"] == "A"
    assert [element["kind"] for element in row["elements"]] == ["furniture", "heading", "paragraph"]


def test_front_matter_that_is_not_yaml_is_reported_and_the_text_is_kept(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.md", b"---\na: [\n---\nText.\n")
    assert [reject["page_number"] for reject in row["rejects"]] == [1]
    assert row["elements"][-1]["text"] == "Text."


def claiming(n_pages: int) -> bytes:
    """Draw a PDF of one page whose page tree claims so many."""
    data = drawn.two_columns()
    assert data.count(b"/Count 1") == 1
    return data.replace(b"/Count 1", b"/Count %d" % n_pages)


@pytest.mark.parametrize("n_pages", [27_000_000, 2**31 - 1])
@pytest.mark.parametrize("read", [parse_staged, parse_if_short])
def test_a_page_tree_that_claims_millions_of_pages_is_a_damaged_file_and_no_bug(n_pages: int, read: Any, tmp_path: Path) -> None:
    content = drawn.content_of(tmp_path / "a.pdf", claiming(n_pages))
    [reject] = read(content.model_copy(update={"size": RANGED_BYTES}), OPTIONS, lambda _: None).to_pylist()[0]["rejects"]
    assert (reject["error"], reject["final"]) == ("DocumentError", True)
    assert reject["message"].startswith("the PDF's structure is damaged: Invalid number of pages")
    assert "print it to PDF again" in reject["remedy"]
