"""Fixed-width type is code where the other pages of the document have text in another type."""

import pymupdf
import pytest

from schemas.options.sections import RefreshOptions
from tasks.parse.pdf.io.page import read_page

PROSE = "The mill grinds by day and by night, whatever the wind may be at sea and on land."
CODE = ["def grind(sacks):", "    for sack in sacks:", "        pour(sack)", "", "    return flour", "", "", "grind(rye)"]


def document(*fonts: str) -> pymupdf.Document:
    """Return a document with a page of prose in each font, the last one followed by a page that is full of code."""
    document = pymupdf.open()
    for font in fonts:
        page = document.new_page(width=500, height=400)
        for n in range(20):
            page.insert_text((50, 60 + 13 * n), PROSE, fontname=font, fontsize=8)
    page = document.new_page(width=500, height=400)
    for n, line in enumerate(3 * CODE):
        page.insert_text((50, 50 + 12 * n), line, fontname="cour", fontsize=10)
    return document


def kinds(document: pymupdf.Document, number: int) -> set[str]:
    return {element["kind"] for element, _ in read_page(document[number], RefreshOptions().parse).elements}


@pytest.mark.parametrize("fonts", [("helv",), ("helv", "cour", "helv", "helv")])
def test_a_page_that_is_full_of_code_is_code(fonts: tuple[str, ...]) -> None:
    shown = [element["text"] for element, _ in read_page(document(*fonts)[-1], RefreshOptions().parse).elements]
    assert "    for sack in sacks:\n        pour(sack)" in "\n".join(shown)
    assert kinds(document(*fonts), len(fonts)) == {"code"}


def test_a_typewritten_document_has_no_code() -> None:
    assert "code" not in kinds(document("cour", "cour", "cour", "helv"), 1)
    assert "code" not in kinds(document("cour", "cour", "cour", "helv"), 4)


def test_a_page_whose_other_pages_cannot_be_read_is_told_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    found = document("helv", "helv")
    page = found[2]

    def fail(document: pymupdf.Document, number: int) -> None:
        raise RuntimeError(f"cannot find page {number}")

    monkeypatch.setattr(pymupdf.Document, "load_page", fail)
    assert "code" not in {element["kind"] for element, _ in read_page(page, RefreshOptions().parse).elements}
