"""The layout model finds what PyMuPDF's own call finds with the same model, without anything of PyMuPDF being replaced."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.options.sections import ParseOptions
from tasks.parse.layout.features import DIGITAL_FEATURES
from tasks.parse.layout.io import layout_inputs, layout_model, network
from tasks.parse.layout.io.layout_inputs import text_page
from tasks.parse.layout.io.layout_model import regions_by_pymupdf, regions_of, with_pictures_merged
from tasks.parse.layout.regions import Region
from tasks.parse.pdf.io.document import parse_pdf
from tasks.workers.environment import make_worker_environment
from tests.flows.corpora import draw_source

Found = set[tuple[tuple[float, ...], str]]


def boxes_of(regions: list[Region]) -> Found:
    return {(tuple(region.box), region.role) for region in regions}


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[list[Any]]:
    draw_source(tmp_path)
    documents = [pymupdf.open(path) for path in tmp_path.rglob("*.pdf")]
    yield [document[number] for document in documents for number in range(document.page_count)]
    for document in documents:
        document.close()


def test_the_models_are_of_the_release_whose_inputs_are_known() -> None:
    assert version("pymupdf_layout") == layout_model.KNOWN_VERSION
    assert layout_model.is_known()


@pytest.mark.parametrize("in_numpy", [True, False])
def test_regions_are_those_of_pymupdfs_call(pages: list[Any], in_numpy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from pymupdf.layout import DocumentLayoutAnalyzer

    monkeypatch.setattr(network, "IN_NUMPY", in_numpy)
    monkeypatch.setattr(layout_model, "_model", layout_model._model.__wrapped__)
    theirs = DocumentLayoutAnalyzer.get_model(feature_set_name=DIGITAL_FEATURES, imf_model_path="")
    for page in pages:
        expected: Found = {(tuple(box), role) for *box, role in theirs.predict(page)}
        assert boxes_of(regions_of(page)) == expected
    assert len(pages) > 1


def test_pages_of_another_release_go_to_pymupdfs_call(pages: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_model, "is_known", lambda: False)
    monkeypatch.setattr(layout_model, "_model", lambda: iter(5))  # type: ignore[call-overload]
    layout_model.load()
    regions = regions_of(pages[0])
    assert regions and boxes_of(regions) == boxes_of(regions_by_pymupdf(pages[0]))


def test_a_chart_of_two_thousand_points_is_read_without_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bool, bool]] = []

    def note(page: Any, styled: bool, segmented: bool) -> Any:
        asked.append((styled, segmented))
        return text_page(page, styled, segmented)

    monkeypatch.setattr(layout_inputs, "text_page", note)
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((50, 60), "Rainfall by height above the sea, of two thousand places")
        shape = page.new_shape()
        for n in range(2000):
            x, y = 50 + 7919 * n % 500, 100 + 104729 * n % 601
            shape.draw_rect((x, y, x + 0.5, y + 0.5))
            shape.finish(color=None, fill=(n % 7 / 7, 0, n % 5 / 5))
        shape.commit()
        row = parse_pdf(document.tobytes(), ParseOptions(ocr=False), lambda _: None)
    assert "Rainfall by height" in row["elements"][0]["text"]
    assert asked == [(False, False)]


def test_an_empty_page_has_no_regions() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        assert regions_of(page) == regions_by_pymupdf(page) == []


def test_a_worker_runs_pymupdfs_models_on_one_thread() -> None:
    count = "import os, pymupdf; pymupdf.open().new_page().get_layout(); print(len(os.listdir('/proc/self/task')))"
    started = [
        subprocess.run([sys.executable, "-c", count], env=environment, capture_output=True, text=True, check=True)
        for environment in (make_worker_environment(), {**make_worker_environment(), "ORT_INTRA_OP_NUM_THREADS": "4"})
    ]
    one, four = (int(process.stdout.split()[-1]) for process in started)
    assert one < four


coordinates = st.integers(0, 30)
pictures = st.lists(
    st.tuples(coordinates, coordinates, st.integers(1, 12), st.integers(1, 12)).map(
        lambda given: Region((given[0], given[1], given[0] + given[2], given[1] + given[3]), "figure", role="picture")
    ),
    max_size=8,
)


@given(pictures)
def test_pictures_are_merged_if_others_lead_from_one_to_the_other(regions: list[Region]) -> None:
    text = Region((0, 0, 9, 9), "paragraph", role="text")
    merged = with_pictures_merged([text, *regions])
    assert merged[0] == text
    for region in regions:
        assert any(box[:2] <= region.box[:2] and box[2] >= region.box[2] for box in (one.box for one in merged[1:]))
    if len(merged) == len(regions) + 1:
        assert [one.box for one in merged[1:]] == [one.box for one in regions]


def test_a_row_of_pictures_that_overlap_is_one() -> None:
    row = [Region((4.0 * n, 0.0, 4.0 * n + 10, 10.0), "figure", role="picture") for n in (0, 2, 1)]
    apart = Region((50.0, 0.0, 60.0, 10.0), "figure", role="picture")
    assert [one.box for one in with_pictures_merged([*row[:2], apart, row[2]])] == [apart.box, (0.0, 0.0, 18.0, 10.0)]
