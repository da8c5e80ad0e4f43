import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from schemas.options.sections import DescribeOptions, ParseOptions
from schemas.records import NO_PROPERTIES, BBox, Element, FigureWord, Page, ParsedDocument, ParsedFigure
from tasks.describe.figure_types import FigureClass
from tasks.describe.io import figure_ocr
from tasks.describe.io.describe import describe_content, find_figures_to_describe
from tasks.describe.io.examine import OcrSettings
from tasks.parse.elements.from_regions import element
from tasks.parse.io.parse import parse_staged
from tasks.parse.layout.figure_lines import FigureLine
from tests.tasks import drawn

OPTIONS = DescribeOptions()
ENGLISH = ParseOptions(ocr_languages="eng")
BOX: BBox = {"x0": 100.0, "y0": 100.0, "x1": 300.0, "y1": 300.0}


def picture(position: int, image: bytes, *words: FigureWord, raster: float = 0.0) -> ParsedFigure:
    return {"position": position, "image": image, "words": list(words), "raster": raster}


def parsed_row(*elements: Element, figures: list[ParsedFigure] | None = None, n_pages: int = 0) -> ParsedDocument:
    pages = [Page(page_number=n + 1, width=0.0, height=0.0, ocr=False) for n in range(n_pages)]
    return {
        "text": None, "properties": NO_PROPERTIES, "pages": pages, "elements": list(elements), "figures": figures or [],
        "rejects": [],
    }  # fmt: skip


def described(row: ParsedDocument, options: DescribeOptions = OPTIONS) -> dict[str, Any]:
    found: dict[str, Any] = describe_content(row, OcrSettings(options, ENGLISH)).to_pylist()[0]
    return found


def png(size: tuple[int, int] = (200, 200)) -> bytes:
    sink = io.BytesIO()
    Image.new("RGB", size, "white").save(sink, "PNG")
    return sink.getvalue()


def test_the_text_inside_a_figure_is_part_of_the_documents_text(tmp_path: Path) -> None:
    table = parse_staged(drawn.content_of(tmp_path / "a.pdf", drawn.with_figure()), ParseOptions(), lambda _: None)
    row = describe_content(table, OcrSettings(OPTIONS, ENGLISH)).to_pylist()[0]
    (figure,) = row["figures"]
    assert "Sales by region" in figure["ocr_text"]
    assert figure["caption"] == "Figure 1: Sales of flour by region."
    assert figure["description"] in row["text"]
    found = row["elements"][figure["position"]]
    assert row["text"][found["start_char"] : found["end_char"]] == figure["description"] == found["text"]
    assert max(Image.open(io.BytesIO(figure["thumbnail"])).size) == 256


def test_a_figures_own_words_are_used_and_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.describe.io.figure_ocr.read_views", lambda *_: pytest.fail("no OCR is needed"))
    row = parsed_row(element(1, "figure", "2022\n2023", bbox=BOX), figures=[picture(0, png())])
    assert described(row)["text"] == "Figure. Text: 2022 2023"


def test_a_figure_of_which_nothing_is_known_takes_no_place() -> None:
    row = described(
        parsed_row(
            element(1, "paragraph", "Before."),
            element(1, "figure", "", bbox=BOX),
            element(1, "paragraph", "After."),
            figures=[picture(1, png())],
        )
    )
    assert row["text"] == "Before.\n\nAfter."
    assert row["elements"][1]["start_char"] is None
    assert row["figures"][0]["description"] == ""


def test_a_broken_picture_is_reported_and_the_document_is_kept() -> None:
    row = described(parsed_row(element(3, "paragraph", "Text."), element(3, "figure", "", bbox=BOX), figures=[picture(1, b"?")]))
    assert row["text"] == "Text."
    assert [(reject["step"], reject["page_number"]) for reject in row["rejects"]] == [("describe", 3)]


def test_the_heartbeat_counts_figures() -> None:
    beats: list[int] = []
    figures = [picture(0, png((9, 9))), picture(1, b"?")]
    row = parsed_row(element(1, "figure", "a", bbox=BOX), element(1, "figure", "b", bbox=BOX), figures=figures)
    describe_content(row, OcrSettings(OPTIONS, ENGLISH), tick=beats.append)
    assert beats == [1, 2]


def test_figures_are_not_read_when_their_ocr_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.describe.io.figure_ocr.read_views", lambda *_: pytest.fail("OCR is off"))
    row = parsed_row(element(1, "paragraph", "Text."), element(1, "figure", "", bbox=BOX), figures=[picture(1, png())])
    assert described(row, DescribeOptions(figure_ocr=False))["text"] == "Text."


def test_a_document_without_text_is_rejected_as_a_whole() -> None:
    row = described(parsed_row(element(1, "figure", "", bbox=BOX), figures=[picture(0, png((10, 10)))]))
    assert [(reject["page_number"], reject["error"]) for reject in row["rejects"]] == [(0, "EmptyDocument")]


def figures_at(*places: tuple[int, BBox, bytes]) -> ParsedDocument:
    elements = [element(page, "figure", "", bbox=box) for page, box, _ in places]
    images = [picture(n, image) for n, (_, _, image) in enumerate(places)]
    return parsed_row(*elements, figures=images, n_pages=4)


def test_tiny_thin_and_ever_present_pictures_are_decoration() -> None:
    tiny: BBox = {**BOX, "x1": 110.0}
    thin: BBox = {**BOX, "x0": 0.0, "x1": 600.0, "y1": 119.0}
    header, chart = png((50, 50)), png((60, 60))
    row = figures_at(
        (1, BOX, header), (2, BOX, header), (3, BOX, header), (2, BOX, chart), (2, tiny, png((70, 70))), (3, thin, png((80, 80)))
    )
    assert find_figures_to_describe(row, OPTIONS) == [3]
    assert find_figures_to_describe(row, DescribeOptions(max_page_share=1, min_side_points=0, max_aspect=100)) == [
        0,
        1,
        2,
        3,
        4,
        5,
    ]


def test_a_type_is_in_the_description_but_in_the_text_only_with_words() -> None:
    row = parsed_row(element(1, "figure", "2022", bbox=BOX), element(1, "figure", "", bbox=BOX))
    row["figures"] = [picture(0, png()), picture(1, png())]
    classes = {0: FigureClass("bar chart", 0.91, (1.0, 0.0)), 1: FigureClass("logo", 0.8, (0.0, 1.0))}
    found: dict[str, Any] = describe_content(row, OcrSettings(OPTIONS, ENGLISH), classes).to_pylist()[0]
    assert found["text"] == "Bar chart (confidence 0.91). Text: 2022"
    assert [figure["description"] for figure in found["figures"]] == [found["text"], "Logo (confidence 0.80)."]
    assert [figure["embedding"] for figure in found["figures"]] == [[1.0, 0.0], [0.0, 1.0]]


def test_equal_pictures_are_read_once_per_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def once(figures: Sequence[figure_ocr.FigureViews]) -> list[figure_ocr.FigureReading]:
        calls.extend(figures)
        return [figure_ocr.FigureReading([FigureLine("tonnes", (0, 0, 9, 3), 3)], (9, 9)) for _ in figures]

    monkeypatch.setattr(figure_ocr, "read_views", once)
    row = parsed_row(element(1, "figure", "", bbox=BOX), figures=[picture(0, png())])
    texts = [describe_content(row, OcrSettings(OPTIONS, ENGLISH, tmp_path)).to_pylist()[0]["text"] for _ in range(2)]
    assert texts == ["Figure. Text: tonnes"] * 2
    assert len(calls) == 1


def placed(text: str, x: float, y: float, line: int = 0) -> FigureWord:
    return {"text": text, "x0": x, "y0": y, "x1": x + 20, "y1": y + 8, "size": 10.0, "turn": 0, "line": line}


def read_as(*texts: str) -> list[FigureLine]:
    """Lines below each other on a picture of twice the size. The first is at the place of a word at (10, 10)."""
    return [FigureLine(text, (20, 20 + 40 * n, 60, 36 + 40 * n), 20) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("raster", "n_words", "said"), [(0.9, 1, "tonnes 2022 2023"), (0.4, 1, "tonnes"), (0.9, 9, " ".join(["tonnes"] * 9))]
)
def test_an_image_with_a_few_words_of_the_page_on_it_is_also_read(
    raster: float, n_words: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = figure_ocr.FigureReading(read_as("tonnes", "2022", "2023"), (400, 400))
    monkeypatch.setattr(figure_ocr, "read_views", lambda figures: [reading for _ in figures])
    words = [placed("tonnes", 10, 10 + 20 * n, n) for n in range(n_words)]
    own = element(1, "figure", "\n".join(word["text"] for word in words), bbox=BOX)
    row = described(parsed_row(own, figures=[picture(0, png(), *words, raster=raster)]))
    assert row["text"] == f"Figure. Text: {said}"
    assert row["figures"][0]["ocr_text"] == "\n".join(said.split()[n_words:])


def test_the_words_of_a_chart_give_its_parts_even_if_ocr_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no Tesseract")

    monkeypatch.setattr(figure_ocr, "read_views", fail)
    ticks = [placed(str(10 * n), 10, 150 - 40 * n, n) for n in range(4)]
    row = parsed_row(element(1, "figure", "30 20 10 0", bbox=BOX), figures=[picture(0, png((400, 400)), *ticks, raster=1.0)])
    classes = {0: FigureClass("bar chart", 0.9, (1.0,))}
    found: dict[str, Any] = describe_content(row, OcrSettings(OPTIONS, ENGLISH), classes).to_pylist()[0]
    assert found["figures"][0]["description"] == "Bar chart (confidence 0.90). Values: 0 to 30. Text: 30 20 10 0"
    assert [reject["message"] for reject in found["rejects"]] == ["OCR of a figure failed: no Tesseract"]


def test_a_text_of_furniture_alone_is_refused_without_talk_of_ocr() -> None:
    (reject,) = described(parsed_row(element(1, "furniture", "---\ntitle: A\n---")))["rejects"]
    assert "furniture" in reject["message"]
    assert "Tesseract" not in reject["remedy"]
