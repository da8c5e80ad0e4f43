import io
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image

from schemas.options.sections import DescribeOptions, ParseOptions
from tasks.describe.figure_types import FigureClass
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.parse.io.parse import parse_staged
from tests.tasks import drawn
from tests.tasks.drawn_charts import FONT_TYPES, KINDS, page_with

DESCRIBED = {
    "bar chart": (
        "Bar chart (confidence 0.90). Title: Flour by mill. Axis: mill on the river; tonnes of flour. "
        "Categories: Upper Mill, Weir Mill, Town Mill. Legend: last year, this year. Values: 0 to 90. Text: "
    ),
    "line graph": (
        "Line graph (confidence 0.90). Title: The river at the weir. Axis: year; metres; degrees Celsius. "
        "Values: 2010 to 2020; 1.00 to 3.00; 5 to 12. Text: "
    ),
    "scatter plot": (
        "Scatter plot (confidence 0.90). Title: Grain lost. Axis: weeks in store; grains. "
        "Values: 1.0 to 4.0; 10^0 to 10^4. Text: "
    ),
}


def parsed(path: Path, data: bytes) -> dict[str, Any]:
    row: dict[str, Any] = parse_staged(drawn.content_of(path, data), ParseOptions(), lambda _: None).to_pylist()[0]
    return row


def described(row: dict[str, Any], kind: str, options: DescribeOptions | None = None) -> dict[str, Any]:
    classes = {n: FigureClass(kind, 0.9, (1.0,)) for n in range(len(row["figures"]))}
    settings = OcrSettings(options or DescribeOptions(), ParseOptions(ocr_languages="eng"))
    found: dict[str, Any] = describe_content(row, settings, classes).to_pylist()[0]
    return found


@pytest.mark.parametrize("font_type", FONT_TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_a_vector_chart_tell_title_axes_legend_and_values(
    kind: str, font_type: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.describe.io.figure_ocr.read_views", lambda *_: pytest.fail("no OCR is needed"))
    (figure,) = described(parsed(tmp_path / "a.pdf", page_with(kind, font_type)), kind)["figures"]
    assert figure["description"].startswith(DESCRIBED[kind])
    assert figure["ocr_text"] == ""


def test_words_tell_the_parts_of_a_chart_where_ocr_is_off(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.pdf", page_with("bar chart"))
    (figure,) = described(row, "bar chart", DescribeOptions(figure_ocr=False))["figures"]
    assert figure["description"].startswith(DESCRIBED["bar chart"])


def turned(data: bytes, rotation: int) -> bytes:
    """The same pages, their edges cut off, to be shown turned."""
    document = pymupdf.open("pdf", data)
    document[0].set_cropbox(pymupdf.Rect(30, 40, 560, 700))
    document[0].set_rotation(rotation)
    return drawn.bytes_of(document)


@pytest.mark.parametrize("rotation", [0, 180])
def test_words_are_where_the_picture_of_the_figure_shows_them(rotation: int, tmp_path: Path) -> None:
    (figure,) = parsed(tmp_path / "a.pdf", turned(page_with("scatter plot"), rotation))["figures"]
    grey = np.pad(np.asarray(Image.open(io.BytesIO(figure["image"])).convert("L")), 5, constant_values=255)
    for word in (word for word in figure["words"] if word["text"] in ("Grain", "lost", "weeks", "grains", "3.0")):
        x0, y0, x1, y1 = (5 + round(word[name]) for name in ("x0", "y0", "x1", "y1"))
        inside, above, left = grey[y0:y1, x0:x1], grey[y0 - 2, x0:x1], grey[y0:y1, x0 - 2]
        assert inside.min() < 100 and above.min() > 200 and left.min() > 200
        assert grey[y0 : y0 + 3, x0:x1].min() < 250 and grey[y0:y1, x0 : x0 + 4].min() < 250
    turns = {word["text"]: word["turn"] for word in figure["words"]}
    assert (turns["Grain"], turns["grains"]) == (0, 90), "a page upside down is turned to be read, and its picture with it"
