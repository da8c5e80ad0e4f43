"""PDF pages: a two-column report, tables with and without lines, a scan, and files that cannot be read."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from demo.texts import Block

WIDTH, HEIGHT = 595.0, 842.0
MARGIN, GUTTER = 56.0, 22.0
COLUMN = (WIDTH - 2 * MARGIN - GUTTER) / 2
TOP, BOTTOM = 90.0, HEIGHT - 110.0
STYLES: Final = {"title": ("hebo", 22.0), "heading": ("hebo", 13.5), "paragraph": ("tiro", 12.0)}
"""Font and size in points of each kind of block."""
ROW = 24.0
"""Height of a table row, in points."""
LANDING_WIDTHS: Final = (90, 100, 100, 60, 130)

HARVEST: Final = [
    ("Bay", "2021", "2022", "2023", "2024"),
    ("Skarn Bay", "4,010", "2,770", "4,120", "4,300"),
    ("Lower Firth", "2,480", "2,350", "2,700", "2,960"),
    ("Eider Strait", "0", "0", "1,210", "1,860"),
    ("All bays", "6,490", "5,120", "8,030", "9,120"),
]
PRICES: Final = [
    ("Grade", "Use", "Crowns a kilogram", "Tonnes sold"),
    ("First blades", "Food", "92", "214"),
    ("Flour", "Bakeries", "64", "498"),
    ("Extract", "Cosmetics", "310", "41"),
    ("Feed", "Cattle and fish", "21", "386"),
]


def save(document: Any, path: Path, title: str, **options: Any) -> None:
    """Write `document` to `path`. The same pages always give the same bytes."""
    stamp = "D:20250401080000Z"
    document.set_metadata({"title": title, "author": "Orrin Sound Kelp Works", "creationDate": stamp, "modDate": stamp})
    document.save(path, garbage=3, deflate=True, no_new_id=True, **options)
    document.close()


def draw_report(path: Path, blocks: list[Block]) -> None:
    """Draw `blocks` in two columns on as many pages as needed, with a running header and page numbers."""
    import pymupdf

    document = pymupdf.open()
    page, column, y = _new_page(document), 0, TOP
    for kind, text in blocks:
        font, size = STYLES[kind]
        leading = size * 1.45
        y += 0.0 if y == TOP else size * 0.6
        room = leading * (3 if kind == "heading" else 1)
        for line in wrap(text, font, size, COLUMN):
            if y + room > BOTTOM:
                column, y = 1 - column, TOP
                page = page if column else _new_page(document)
            page.insert_text((MARGIN + column * (COLUMN + GUTTER), y + size), line, fontname=font, fontsize=size)
            y += leading
    save(document, path, "Annual Report 2024")


def wrap(text: str, font: str, size: float, width: float) -> Iterator[str]:
    """Yield the lines of `text`, each at most `width` points wide, unless a line is one long word."""
    import pymupdf

    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and pymupdf.get_text_length(longer, fontname=font, fontsize=size) > width:
            yield line
            longer = word
        line = longer
    yield line


def _new_page(document: Any) -> Any:
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((MARGIN, 46), "Orrin Sound Kelp Works", fontname="heit", fontsize=8.5)
    page.insert_text((WIDTH - MARGIN - 84, 46), "Annual Report 2024", fontname="heit", fontsize=8.5)
    page.draw_line((MARGIN, 54), (WIDTH - MARGIN, 54), width=0.5)
    page.insert_text((WIDTH / 2 - 4, HEIGHT - 60), str(page.number + 1), fontname="helv", fontsize=8.5)
    return page


def draw_tables(path: Path) -> None:
    """Draw one table with lines and one without, each with a heading and a sentence."""
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((MARGIN, 90), "Harvest and prices 2024", fontname="hebo", fontsize=20)
    page.insert_text((MARGIN, 120), "Weights are of wet kelp as it leaves the water.", fontname="tiro", fontsize=11)
    page.insert_text((MARGIN, 150), "Table 1. Harvest in tonnes, by bay and year", fontname="tibo", fontsize=11)
    _draw_cells(page, HARVEST, top=160, widths=(120, 80, 80, 80, 80), ruled=True)
    page.insert_text((MARGIN, 330), "Prices are those of the last quarter, without tax.", fontname="tiro", fontsize=11)
    page.insert_text((MARGIN, 360), "Table 2. Prices and sales of dried kelp", fontname="tibo", fontsize=11)
    _draw_cells(page, PRICES, top=370, widths=(110, 130, 120, 100), ruled=False)
    save(document, path, "Harvest and prices 2024")


def draw_landings(path: Path, rows: Sequence[tuple[str, ...]]) -> None:
    """Draw one table that continues on the next page, where its header is repeated."""
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((MARGIN, 90), "Landings of spring 2024", fontname="hebo", fontsize=20)
    page.insert_text((MARGIN, 120), "Every barge weighs its load at sea. Weights are of wet kelp.", fontname="tiro", fontsize=11)
    header, top, caption = rows[0], 160.0, "Table 1. Landings at Brattness quay, by day"
    rest = list(rows[1:])
    while rest:
        n = int((BOTTOM - top) // ROW) - 1
        page.insert_text((MARGIN, top - 10), caption, fontname="tibo", fontsize=11)
        _draw_cells(page, [header, *rest[:n]], top=top, widths=LANDING_WIDTHS, ruled=True)
        page.insert_text((WIDTH / 2 - 4, HEIGHT - 60), str(page.number + 1), fontname="helv", fontsize=8.5)
        rest, last = rest[n:], top + ROW * (1 + len(rest[:n]))
        top, caption = TOP, "Table 1 (continued)"
        page = document.new_page(width=WIDTH, height=HEIGHT) if rest else page
    page.insert_text((MARGIN, last + 30), "Loads under twenty tonnes are towed in one trip.", fontname="tiro", fontsize=11)
    save(document, path, "Landings of spring 2024")


def _draw_cells(page: Any, rows: Sequence[tuple[str, ...]], top: float, widths: tuple[int, ...], ruled: bool) -> None:
    lefts = [MARGIN + sum(widths[:column]) for column in range(len(widths) + 1)]
    for position, row in enumerate(rows):
        y = top + ROW * position
        for left, cell in zip(lefts, row, strict=False):
            page.insert_text((left + 6, y + 16), cell, fontname="helv" if position else "hebo", fontsize=10)
        if ruled:
            page.draw_line((MARGIN, y), (lefts[-1], y), width=0.7)
    if ruled:
        bottom = top + ROW * len(rows)
        page.draw_line((MARGIN, bottom), (lefts[-1], bottom), width=0.7)
        for left in lefts:
            page.draw_line((left, top), (left, bottom), width=0.7)


def draw_scan(path: Path, lines: list[str]) -> None:
    """Draw `lines` like a scan: one grey picture, slightly rotated and noisy, without a text layer."""
    import numpy
    import pymupdf
    from PIL import Image

    letter = pymupdf.open().new_page(width=WIDTH, height=HEIGHT)
    for position, line in enumerate(lines):
        letter.insert_text((80, 120 + 24 * position), line, fontname="cour", fontsize=12)
    grey = letter.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    picture = Image.frombytes("L", (grey.width, grey.height), grey.samples)
    crooked = picture.rotate(0.7, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = numpy.random.default_rng(1987).normal(0, 6, (grey.height, grey.width))
    noisy = numpy.clip(numpy.asarray(crooked) * 0.9 + 12 + noise, 0, 255).astype("uint8")
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_image(page.rect, stream=_jpeg(Image.fromarray(noisy)))
    save(document, path, "Letter of approval 1987")


def _jpeg(picture: Any) -> bytes:
    from io import BytesIO

    sink = BytesIO()
    picture.save(sink, "JPEG", quality=60)
    return sink.getvalue()


def draw_locked(path: Path) -> None:
    """Draw a page that cannot be opened without a password."""
    import pymupdf

    document = pymupdf.open()
    document.new_page().insert_text((72, 90), "Minutes of the board, for its members only.")
    save(document, path, "Board minutes", encryption=pymupdf.mupdf.PDF_ENCRYPT_AES_256, user_pw="kelp", owner_pw="tolk")


def spoil(path: Path, sound: Path) -> None:
    """Write to `path` a damaged copy of the PDF `sound`: it is cut off, and its end is overwritten."""
    content = sound.read_bytes()
    path.write_bytes(content[:9] + bytes(range(256)) * 8)
