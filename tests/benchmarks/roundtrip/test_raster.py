"""Rasters keep pages and sizes, hold no text, and follow from the name alone."""

from pathlib import Path

import pymupdf
import pytest

from benchmarks.roundtrip.raster import rasterise


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    with pymupdf.open() as document:
        for number in range(2):
            document.new_page(width=300, height=200).insert_text((40, 60), f"Page {number} of the text", fontsize=20)
        document.save(tmp_path / "text.pdf")
    return tmp_path / "text.pdf"


def pixels(pdf: Path) -> list[bytes]:
    with pymupdf.open(pdf) as document:
        return [page.get_pixmap().samples for page in document]


@pytest.mark.parametrize("worn", [False, True])
def test_pages_become_pictures_of_their_size(pdf: Path, tmp_path: Path, worn: bool) -> None:
    rasterise(pdf, tmp_path / "scan.pdf", 150, worn)
    with pymupdf.open(tmp_path / "scan.pdf") as document:
        assert [page.rect.br for page in document] == [(300, 200), (300, 200)]
        assert [page.get_text() for page in document] == ["", ""]
        assert all(page.get_image_info()[0]["width"] == 625 for page in document)


def test_the_same_name_wears_alike_and_another_does_not(pdf: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pdf"
    other.write_bytes(pdf.read_bytes())
    for source, out in ((pdf, "a"), (pdf, "b"), (other, "c")):
        rasterise(source, tmp_path / f"scan-{out}.pdf", 100, worn=True)
    first, second, third = (pixels(tmp_path / f"scan-{out}.pdf") for out in "abc")
    assert first == second != third
