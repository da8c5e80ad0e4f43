"""A page with a watermark reads like one without it, whatever region the layout model makes of its words."""

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf

TEXT = "The tender leaves the north pier at seven and returns at noon. In winter it stays there on Sundays. " * 16


def drawn(mark: str, turn: int, size: float = 70) -> bytes:
    document = pymupdf.open()
    for _ in range(2):
        page = document.new_page()
        at = pymupdf.Point(140, 250)
        page.insert_text(at, mark, fontsize=size, color=(0.8, 0.8, 0.8), morph=(at, pymupdf.Matrix(turn)))
        page.insert_textbox((72, 72, 520, 420), TEXT, fontsize=11)
        page.draw_rect((72, 500, 300, 600))
    return bytes(document.tobytes())


@pytest.mark.parametrize(("mark", "turn"), [("DRAFT", 45), ("DRAFT COPY", 30), ("SECRET", 0), ("COPY", -45)])
def test_a_watermark_is_furniture_and_parts_no_paragraph(mark: str, turn: int) -> None:
    elements = parse_pdf(drawn(mark, turn), ParseOptions(), lambda _: None)["elements"]
    assert [found["text"] for found in elements if found["kind"] == "furniture"] == [mark] * 2
    assert [found["text"] for found in elements if found["kind"] == "paragraph"] == [TEXT.strip()] * 2
