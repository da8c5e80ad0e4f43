import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from schemas.options.sections import DescribeOptions, ParseOptions
from schemas.records import BBox, ParsedFigure
from tasks.describe.figure_types import FigureClass
from tasks.describe.io import table_pictures
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.parse.elements.from_regions import element
from tasks.parse.layout.geometry import as_box
from tasks.parse.tables.html_cells import grid_of
from tests.tasks import drawn
from tests.tasks.describe.io.test_describe import parsed_row

TABLE = FigureClass("table", 0.97, (1.0,))
PLACE: BBox = {"x0": 100.0, "y0": 200.0, "x1": 530.0, "y1": 305.0}
INK = (5.0, 5.0, 425.0, 101.0)
"""The table's rules in the picture, in points from its corner."""


def photographed(dpi: int = 150, noise: float = 0.0, turn: int = 0) -> bytes:
    """A ruled table as a picture, 430 by 105 points, noisy by the deviation `noise` of grey, turned by `turn` degrees."""
    grey = np.asarray(Image.open(io.BytesIO(drawn.table_png(dpi)))) * 0.85 + 20
    dirty = np.clip(grey + np.random.default_rng(0).normal(0, noise, grey.shape), 0, 255).astype(np.uint8)
    return saved(Image.fromarray(dirty).rotate(turn, expand=True))


def saved(picture: Image.Image) -> bytes:
    sink = io.BytesIO()
    picture.save(sink, "PNG")
    return sink.getvalue()


def described(image: bytes, box: BBox | None = PLACE, kind: FigureClass = TABLE, cache: Path | None = None) -> dict[str, Any]:
    elements = [element(3, "paragraph", "Before."), element(3, "figure", "", bbox=box), element(3, "paragraph", "After.")]
    figures: list[ParsedFigure] = [{"position": 1, "image": image, "words": [], "raster": 1.0}]
    settings = OcrSettings(DescribeOptions(), ParseOptions(), cache)
    row = describe_content(parsed_row(*elements, figures=figures), settings, {0: kind})
    found: dict[str, Any] = row.to_pylist()[0]
    return found


@pytest.mark.parametrize(("dpi", "noise"), [(100, 0.0), (200, 6.0)])
def test_the_picture_of_a_table_becomes_a_table_at_its_place_on_the_page(dpi: int, noise: float) -> None:
    found = described(photographed(dpi, noise))
    assert [part["kind"] for part in found["elements"]] == ["paragraph", "table", "paragraph"]
    table = found["elements"][1]
    assert grid_of(table["html"]) == drawn.ROWS
    assert found["text"][table["start_char"] : table["end_char"]] == table["text"]
    corners = [place + shift for place, shift in zip((*as_box(PLACE)[:2], *as_box(PLACE)[:2]), INK, strict=True)]
    assert list(table["bbox"].values()) == pytest.approx(corners, abs=3)
    assert table["page_number"] == 3 and table["confidence"] > 0.8
    (figure,) = found["figures"]
    assert (figure["position"], figure["kind"], figure["ocr_text"].splitlines()[1]) == (1, "table", "North 120 135")


def test_a_table_that_lies_on_its_side_in_its_picture_is_read_upright() -> None:
    found = described(photographed(turn=90), {**PLACE, "x1": 205.0, "y1": 630.0})
    assert grid_of(found["elements"][1]["html"]) == drawn.ROWS


def test_a_picture_that_has_no_place_becomes_a_table_without_one() -> None:
    table = described(photographed(), None)["elements"][1]
    assert (grid_of(table["html"]), table["bbox"]) == (drawn.ROWS, None)


def test_a_table_has_the_box_of_its_picture_where_this_was_turned_on_the_page() -> None:
    place: BBox = {**PLACE, "x1": 205.0, "y1": 630.0}
    table = described(photographed(), place)["elements"][1]
    assert (table["kind"], table["bbox"]) == ("table", place)


@pytest.mark.parametrize("image", [drawn.chart_png(), saved(Image.new("RGB", (40, 40), "white"))], ids=["chart", "blank"])
def test_what_is_no_table_stays_a_figure_whatever_the_model_says(image: bytes) -> None:
    found = described(image)
    assert found["elements"][1]["kind"] == "figure"
    assert found["rejects"] == []


def test_a_picture_of_another_type_is_not_searched_for_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_pictures, "read_elements_in_picture", lambda *_: pytest.fail("it is no table"))
    found = described(photographed(), kind=FigureClass("photograph", 0.9, (1.0,)))
    assert found["elements"][1]["kind"] == "figure"


def test_equal_pictures_of_a_table_are_read_once_per_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = described(photographed(), cache=tmp_path)
    monkeypatch.setattr(table_pictures, "read_elements_in_picture", lambda *_: pytest.fail("it was read before"))
    assert described(photographed(), cache=tmp_path) == first


def test_a_table_that_cannot_be_read_is_reported_and_its_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no model")

    monkeypatch.setattr(table_pictures, "read_elements_in_picture", fail)
    found = described(drawn.chart_png())
    assert "Sales by region" in found["text"]
    (reject,) = found["rejects"]
    assert (reject["page_number"], reject["message"]) == (3, "the table in a picture could not be read: ValueError: no model")
