import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from schemas.options import DescribeOptions, ParseOptions
from tasks.describe import describe_content
from tasks.parse import parse_staged
from tasks.transforms.elements import element
from tests.tasks import drawn

OPTIONS = DescribeOptions()
BOX = {"x0": 100.0, "y0": 100.0, "x1": 300.0, "y1": 300.0}


def parsed_row(*elements: dict[str, Any], figures: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"text": None, "elements": list(elements), "figures": figures or []}


def described(row: dict[str, Any], options: DescribeOptions = OPTIONS) -> dict[str, Any]:
    found: dict[str, Any] = describe_content(row, options, "eng").to_pylist()[0]
    return found


def png(size: tuple[int, int] = (200, 200)) -> bytes:
    sink = io.BytesIO()
    Image.new("RGB", size, "white").save(sink, "PNG")
    return sink.getvalue()


def test_the_text_inside_a_figure_is_part_of_the_documents_text(tmp_path: Path) -> None:
    table = parse_staged(drawn.content_of(tmp_path / "a.pdf", drawn.with_figure()), ParseOptions(), lambda _: None)
    row = describe_content(table, OPTIONS, "eng").to_pylist()[0]
    (figure,) = row["figures"]
    assert "Sales by region" in figure["ocr_text"]
    assert figure["caption"] == "Figure 1: Sales of flour by region."
    assert figure["description"] in row["text"]
    found = row["elements"][figure["position"]]
    assert row["text"][found["start_char"] : found["end_char"]] == figure["description"] == found["text"]
    assert max(Image.open(io.BytesIO(figure["thumbnail"])).size) == 256


def test_a_figures_own_words_are_used_and_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.adapters.figure_ocr.read_figure", lambda *_: pytest.fail("no OCR is needed"))
    row = parsed_row(element(1, "figure", "2022\n2023", bbox=BOX), figures=[{"position": 0, "image": png()}])
    assert described(row)["text"] == "Figure. Text: 2022 2023"


def test_a_figure_of_which_nothing_is_known_takes_no_place() -> None:
    row = described(
        parsed_row(
            element(1, "paragraph", "Before."),
            element(1, "figure", "", bbox=BOX),
            element(1, "paragraph", "After."),
            figures=[{"position": 1, "image": png()}],
        )
    )
    assert row["text"] == "Before.\n\nAfter."
    assert row["elements"][1]["start_char"] is None
    assert row["figures"][0]["description"] == ""


def test_a_broken_picture_is_reported_and_the_document_goes_on() -> None:
    row = described(
        parsed_row(element(3, "paragraph", "Text."), element(3, "figure", "", bbox=BOX), figures=[{"position": 1, "image": b"?"}])
    )
    assert row["text"] == "Text."
    assert [(reject["step"], reject["page_number"]) for reject in row["rejects"]] == [("describe", 3)]


def test_the_heartbeat_counts_figures() -> None:
    beats: list[int] = []
    figures = [{"position": 0, "image": png((9, 9))}, {"position": 1, "image": b"?"}]
    row = parsed_row(element(1, "figure", "a", bbox=BOX), element(1, "figure", "b", bbox=BOX), figures=figures)
    describe_content(row, OPTIONS, "eng", beats.append)
    assert beats == [1, 2]


def test_figures_are_not_read_when_their_ocr_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.adapters.figure_ocr.read_figure", lambda *_: pytest.fail("OCR is off"))
    row = parsed_row(
        element(1, "paragraph", "Text."), element(1, "figure", "", bbox=BOX), figures=[{"position": 1, "image": png()}]
    )
    assert described(row, DescribeOptions(figure_ocr=False))["text"] == "Text."


def test_a_document_without_text_is_rejected_as_a_whole() -> None:
    row = described(parsed_row(element(1, "figure", "", bbox=BOX), figures=[{"position": 0, "image": png((10, 10))}]))
    assert [(reject["page_number"], reject["error"]) for reject in row["rejects"]] == [(0, "EmptyDocument")]
