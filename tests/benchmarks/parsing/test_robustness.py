from pathlib import Path

import pymupdf

from benchmarks.parsing.robustness import is_off, look
from tests.tasks import drawn

PAGES = {1: {"width": 100.0, "height": 200.0}}


def test_blank_pages_are_told_from_pages_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(drawn.scanned())
    seen = look(str(tmp_path / "a.pdf"), lambda _: None)
    assert (seen.n_pages, seen.n_ocr, seen.n_blank, seen.silent, seen.off_page) == (3, 1, 1, [], [])
    assert seen.has_text


def test_text_that_hangs_over_the_edge_is_cut_there(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=200, height=200)
    page.insert_text((150, 198), "Hanging over the edge of the page", fontsize=20)
    (tmp_path / "a.pdf").write_bytes(drawn.bytes_of(document))
    seen = look(str(tmp_path / "a.pdf"), lambda _: None)
    assert seen.n_elements
    assert seen.off_page == []


def test_a_box_over_the_edge_or_upside_down_is_off() -> None:
    for box, off in (((0, 0, 100, 200), False), ((0, 0, 101, 200), True), ((-1, 0, 5, 5), True), ((0, 9, 5, 5), True)):
        element = {"page_number": 1, "bbox": dict(zip(("x0", "y0", "x1", "y1"), box, strict=True))}
        assert is_off(element, PAGES) is off
    assert is_off({"page_number": 2, "bbox": element["bbox"]}, PAGES)
    assert not is_off({"page_number": 1, "bbox": None}, PAGES)
