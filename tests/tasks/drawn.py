"""Small documents that the tests draw themselves."""

import hashlib
import io
from pathlib import Path
from typing import Any

import pymupdf

from schemas.media_types import media_type_of
from schemas.references import Content

LEFT = "The mill turns folders of documents into a searchable corpus. Every night it reads what has changed and noth-\ning else. "
RIGHT = "A reader never sees a half-written state, since each generation is published at once and as a whole. "


def content_of(path: Path, data: bytes) -> Content:
    """Write `data` to `path` and return the content that a plan would name."""
    path.write_bytes(data)
    media_type = media_type_of(path)
    assert media_type is not None
    return Content(sha256=hashlib.sha256(data).hexdigest(), media_type=media_type, path=str(path), size=len(data))


def bytes_of(document: Any) -> bytes:
    data: bytes = document.tobytes(no_new_id=True)
    document.close()
    return data


def two_columns() -> bytes:
    """A title over two columns; each has a heading and two paragraphs."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((60, 80), "How a Mill Grinds Documents", fontsize=22, fontname="hebo")
    for x, heading, text in ((60, "1 Reading", LEFT), (310, "2 Publishing", RIGHT)):
        page.insert_text((x, 130), heading, fontsize=14, fontname="hebo")
        page.insert_textbox((x, 145, x + 225, 400), text * 4, fontsize=10, fontname="helv")
        page.insert_textbox((x, 420, x + 225, 700), text * 5, fontsize=10, fontname="helv")
    page.insert_text((290, 815), "1", fontsize=9)
    document.set_metadata({"title": "The Mill", "author": "A. Miller", "creationDate": "D:20240301120000+01'00'"})
    return bytes_of(document)


ROWS = [["Region", "2022", "2023"], ["North", "120", "135"], ["South", "90", "88"], ["West", "0.0", "7.5"]]


def ruled_table() -> bytes:
    """A paragraph, a ruled table, a paragraph."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), RIGHT * 3, fontsize=10)
    draw_rows(page, ROWS, top=170)
    page.insert_textbox((60, 300, 535, 380), LEFT * 2, fontsize=10)
    return bytes_of(document)


def draw_rows(page: Any, rows: list[list[str]], top: float) -> None:
    """Draw a ruled table, its first row in bold type."""
    for n, row in enumerate(rows):
        for m, cell in enumerate(row):
            box = pymupdf.Rect(80 + 140 * m, top + 24 * n, 220 + 140 * m, top + 24 + 24 * n)
            page.draw_rect(box)
            page.insert_text((box.x0 + 8, box.y0 + 16), cell, fontsize=10, fontname="hebo" if n == 0 else "helv")


def table_png(dpi: int = 150) -> bytes:
    """The picture of the ruled table, 430 by 105 points; its rules begin 5 points from the left and the upper edge."""
    with pymupdf.open(stream=ruled_table()) as document:
        return bytes(document[0].get_pixmap(dpi=dpi, clip=(75, 165, 505, 270), colorspace=pymupdf.csGRAY).tobytes("png"))


def joined_table() -> bytes:
    """Two pages: a paragraph and a table's head, then its rest below a repeated header, and a paragraph cut by the break."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 430), RIGHT * 12, fontsize=12)
    page.insert_text((80, 455), "Table 1: Flour by region, in tonnes", fontsize=10)
    draw_rows(page, ROWS[:1] + [[f"Mill {n}", str(40 + n), str(50 + n)] for n in range(1, 12)], top=465)
    page.insert_text((290, 815), "1", fontsize=9)
    page = document.new_page(width=595, height=842)
    page.insert_text((80, 70), "Table 1 (continued)", fontsize=10)
    draw_rows(page, ROWS[:1] + [[f"Mill {n}", str(40 + n), str(50 + n)] for n in range(12, 16)], top=80)
    page.insert_textbox((60, 240, 535, 800), RIGHT * 19 + "Whoever reads it at any time of the day or", fontsize=12)
    page.insert_text((290, 815), "2", fontsize=9)
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), "night finds it whole. " + RIGHT, fontsize=12)
    page.insert_text((290, 815), "3", fontsize=9)
    return bytes_of(document)


def chart_png(words: str = "Sales by region") -> bytes:
    """A bar chart as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 3), dpi=150)
    axes = figure.subplots()
    axes.bar(["North", "South", "West"], [3, 5, 2])
    axes.set_title(words)
    sink = io.BytesIO()
    figure.savefig(sink, format="png", metadata={"Software": None})
    return sink.getvalue()


def with_figure() -> bytes:
    """A paragraph, a chart as a picture, its caption, a paragraph."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), RIGHT * 3, fontsize=10)
    page.insert_image((120, 150, 440, 390), stream=chart_png())
    page.insert_text((150, 410), "Figure 1: Sales of flour by region.", fontsize=9)
    page.insert_textbox((60, 440, 535, 520), LEFT * 2, fontsize=10)
    return bytes_of(document)


SCANNED = "The quick brown fox jumps over the lazy dog. It was printed on paper and scanned."


def scanned() -> bytes:
    """A page that is nothing but a picture of text, between a page of text and a blank one."""
    document = pymupdf.open()
    document.new_page().insert_textbox((60, 60, 535, 140), RIGHT * 2, fontsize=11)
    source = pymupdf.open()
    source.new_page().insert_textbox((60, 60, 535, 300), SCANNED, fontsize=16)
    picture = source[0].get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
    source.close()
    page = document.new_page()
    page.insert_image(page.rect, pixmap=picture)
    document.new_page()
    return bytes_of(document)


def with_password() -> bytes:
    """A document that opens only with a password."""
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "secret")
    data: bytes = document.tobytes(encryption=pymupdf.mupdf.PDF_ENCRYPT_AES_256, user_pw="key", owner_pw="key")
    document.close()
    return data


def owner_password() -> bytes:
    """A document that anyone may read but only its owner may change."""
    document = pymupdf.open()
    document.new_page().insert_textbox((60, 60, 535, 140), RIGHT, fontsize=11)
    data: bytes = document.tobytes(encryption=pymupdf.mupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="key")
    document.close()
    return data


NO_PAGES = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)


LETTER = (
    "The harbour master has read the report on the northern mole with care. The stones that the winter storms displaced were "
    "counted twice, and both counts agree. The board will pay for their return before the autumn."
)


def sheet(turn: float = 0, dark: bool = False) -> bytes:
    """A small page with a heading and a paragraph, as a picture turned clockwise; light on dark if so wished."""
    source = pymupdf.open()
    page = source.new_page(width=420, height=300)
    if dark:
        page.draw_rect(page.rect, color=None, fill=(0, 0, 0.2))
    colour = (1, 1, 1) if dark else (0, 0, 0)
    page.insert_text((50, 70), "Harbour Board", fontsize=22, fontname="hebo", color=colour)
    page.insert_textbox((50, 100, 370, 260), LETTER, fontsize=12, color=colour)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(2.5, 2.5).prerotate(turn), colorspace=pymupdf.csGRAY)
    source.close()
    document = pymupdf.open()
    shown = document.new_page(width=pixmap.width / 2.5, height=pixmap.height / 2.5)
    shown.insert_image(shown.rect, pixmap=pixmap)
    return bytes_of(document)


def with_layer(text: str, picture: bool = True) -> bytes:
    """A page that shows LETTER as a picture, or nothing, above an invisible layer of other text."""
    document = pymupdf.open()
    if picture:
        document = pymupdf.open("pdf", sheet())
    page = document[0] if picture else document.new_page(width=420, height=300)
    page.insert_textbox((50, 60, 370, 280), text, fontsize=9, render_mode=3)
    return bytes_of(document)


def shifted(text: str) -> str:
    """Letters as a font without an encoding gives them: each some places on."""
    return "".join(chr((ord(c) - 97 + 7) % 26 + 97) if "a" <= c <= "z" else c for c in text.lower())


def ruled_scan() -> bytes:
    """The page with a ruled table, as a picture."""
    document = pymupdf.open()
    with pymupdf.open("pdf", ruled_table()) as source:
        pixmap = source[0].get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
        page = document.new_page(width=595, height=842)
        page.insert_image(page.rect, pixmap=pixmap)
    return bytes_of(document)


def scan_of_text(*paragraphs: str) -> bytes:
    """A page of paragraphs in any script, as a picture."""
    sink = io.BytesIO()
    with pymupdf.DocumentWriter(sink) as writer:
        device = writer.begin_page(pymupdf.Rect(0, 0, 420, 595))
        story = pymupdf.Story("".join(f"<p style='font-size:12px'>{text}</p>" for text in paragraphs))
        story.place(pymupdf.Rect(40, 40, 380, 555))
        story.draw(device)
        writer.end_page()
    document = pymupdf.open()
    with pymupdf.open("pdf", sink.getvalue()) as source:
        page = document.new_page(width=420, height=595)
        page.insert_image(page.rect, pixmap=source[0].get_pixmap(dpi=200, colorspace=pymupdf.csGRAY))
    return bytes_of(document)


def typed_scan() -> bytes:
    """A picture of a page in type of one size: a bold heading, prose, three lines of code, and a table with light, thin rules."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 150), RIGHT * 3, fontsize=10, fontname="helv")
    page.insert_text((60, 170), "Harbour dues", fontsize=10, fontname="hebo")
    page.insert_textbox((60, 180, 535, 270), LEFT * 3, fontsize=10, fontname="helv")
    for n, line in enumerate(("refresh archive with harbour", "search harbour for stones", "purge harbour")):
        page.insert_text((80, 290 + 13 * n), line, fontsize=10, fontname="cour")
    for n, row in enumerate(ROWS):
        for m, cell in enumerate(row):
            box = pymupdf.Rect(80 + 140 * m, 350 + 24 * n, 220 + 140 * m, 374 + 24 * n)
            page.draw_rect(box, color=(0.7, 0.7, 0.7), width=0.4)
            page.insert_text((box.x0 + 8, box.y0 + 16), cell, fontsize=10, fontname="helv")
    page.insert_textbox((60, 470, 535, 560), RIGHT * 3, fontsize=10, fontname="helv")
    scan = pymupdf.open()
    scan.new_page(width=595, height=842).insert_image(page.rect, pixmap=page.get_pixmap(dpi=200))
    return bytes_of(scan)
