"""Documents that the tests draw for their structure: columns with notes, spanning cells, an outline."""

from typing import Any

import pymupdf

from tests.tasks.drawn import LEFT, RIGHT, bytes_of

CUT = "At the foot of the first column a word is cut in the mid-"
REST = "dle, and a note stands between its halves. "


def footnotes() -> bytes:
    """Two pages in two columns under a running header; a footnote stands where a sentence goes on in the next column."""
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page(width=595, height=842)
        page.insert_text((60, 40), "The Mill", fontsize=8, fontname="heit")
        page.insert_text((440, 40), "A journal of documents", fontsize=8, fontname="heit")
        page.insert_text((60, 90), f"{number} Grinding, part {number}", fontsize=14, fontname="hebo")
        page.insert_textbox((60, 110, 285, 620), RIGHT * 15, fontsize=10)
        page.insert_textbox((60, 620, 285, 680), CUT, fontsize=10)
        page.draw_line((60, 720), (160, 720), width=0.5)
        page.insert_textbox((60, 725, 285, 770), f"{number} Millers call this a break, and mend it by hand.", fontsize=7.5)
        page.insert_textbox((310, 110, 535, 300), REST + RIGHT * 4, fontsize=10)
        page.insert_textbox((310, 310, 535, 700), RIGHT * 9, fontsize=10)
        page.insert_text((290, 815), str(number), fontsize=8)
    return bytes_of(document)


def spanning_table() -> bytes:
    """A ruled table whose head has two rows, one heading over two columns and one as high as the head."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), RIGHT * 3, fontsize=10)
    page.insert_text((80, 170), "Table 1: Flour by region, in tonnes", fontsize=10)
    cells = [((0, 0, 1, 2), "Region"), ((1, 0, 3, 1), "Tonnes in"), ((1, 1, 2, 2), "2022"), ((2, 1, 3, 2), "2023")]
    rows = [["North", "120", "135"], ["South", "90", "88"], ["West", "0.0", "7.5"]]
    cells += [((m, n, m + 1, n + 1), text) for n, row in enumerate(rows, 2) for m, text in enumerate(row)]
    for (x0, y0, x1, y1), text in cells:
        _cell(page, pymupdf.Rect(80 + 140 * x0, 180 + 24 * y0, 80 + 140 * x1, 180 + 24 * y1), text, bold=y0 < 2)
    page.insert_textbox((60, 320, 535, 400), RIGHT * 2, fontsize=10)
    return bytes_of(document)


def _cell(page: Any, box: Any, text: str, bold: bool) -> None:
    page.draw_rect(box)
    page.insert_text((box.x0 + 8, box.y0 + 16), text, fontsize=10, fontname="hebo" if bold else "helv")


def outlined() -> bytes:
    """A title page and two chapters: all headings are set alike, the outline tells which are chapters."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((60, 120), "A Handbook for Millers", fontsize=24, fontname="hebo")
    page.insert_text((60, 160), "By Ada Miller and Tom Stone", fontsize=11)
    page.insert_text((60, 185), "12 March 2024", fontsize=11)
    page.insert_textbox((60, 220, 535, 400), RIGHT * 6, fontsize=11)
    for chapter, sections in (("Stones", ("Dressing", "Balance")), ("Grain", ("Storing", "Cleaning"))):
        page = document.new_page(width=595, height=842)
        page.insert_text((60, 90), chapter, fontsize=13, fontname="hebo")
        page.insert_textbox((60, 105, 535, 200), LEFT * 2, fontsize=11)
        for top, section in zip((230, 430), sections, strict=True):
            page.insert_text((60, top), section, fontsize=13, fontname="hebo")
            page.insert_textbox((60, top + 15, 535, top + 150), RIGHT * 4, fontsize=11)
    document.set_toc([[1, "1. Stones", 2], [2, "Dressing", 2], [2, "Balance", 2], [1, "2. Grain", 3], [2, "Storing", 3]])
    document.set_metadata({"title": "Microsoft Word - handbook_v3.doc", "author": "user"})
    return bytes_of(document)
