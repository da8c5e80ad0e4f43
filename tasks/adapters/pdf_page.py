"""One page of a PDF: its words, pictures and regions."""

from collections.abc import Callable
from typing import Any

from schemas.options import ParseOptions
from tasks.adapters.drawings import rules_of
from tasks.adapters.layout_model import page_box, regions_of
from tasks.adapters.page_result import PageResult, add_pictures
from tasks.adapters.pictures import is_blank
from tasks.adapters.scans import as_shown, doubt, give_up, is_unreadable, scan_of, text_of
from tasks.transforms.elements import elements_of
from tasks.transforms.geometry import Box, area
from tasks.transforms.layout import Region, arrange
from tasks.transforms.legible import better_text
from tasks.transforms.rules import NO_RULES
from tasks.transforms.scan_regions import in_ocr_order
from tasks.transforms.table_regions import with_tables
from tasks.transforms.words import Word, without_doubles

MAX_RULED = 20_000
"""Drawings of more paths are a map or a chart, not the rules of tables."""
MAX_VECTORS = 2000
"""Drawings of more paths are not looked through for pictures that the layout model missed."""

Look = Callable[[Any], list[Region]]
"""A layout model."""


def read_page(page: Any, options: ParseOptions) -> PageResult:
    """Read one page. All places are those of the page as shown."""
    set_upright(page)
    box = page_box(page)
    result = PageResult(page.number + 1, box[2], box[3])
    words, images = _content(page)
    if is_unreadable(page, words, images):
        _read_scan(page, options, result, (words, images))
    else:
        _read_text(page, options, result, (words, images))
    return result


def _read_scan(page: Any, options: ParseOptions, result: PageResult, content: tuple[list[Word], list[Box]]) -> None:
    """Read the page by OCR; or its text layer, where that gives more; or make it a figure and a reject, unless it is blank."""
    words, _ = content
    if not words and is_blank(page):
        return
    scan = scan_of(page, options, words) if options.ocr else None
    choice = better_text(text_of(words), text_of(scan.words) if scan else "", scan.strength if scan else 0)
    result.ocr = options.ocr and choice in ("scan", "none")
    if scan and choice == "scan":
        regions = in_ocr_order(_arranged(scan.page, options, (scan.words, []), scan.regions_of), scan.words)
        result.elements = elements_of(result.number, regions, False)
        add_pictures(scan.page, options, result)
        result.elements = as_shown(scan, result.elements)
    elif choice == "none":
        give_up(page, options, result)
    else:
        _read_text(page, options, result, content)
        result.reject = doubt(options, result.number) if choice == "doubtful layer" else None


def set_upright(page: Any) -> None:
    """Undo the page's rotation, its content shown as before. PyMuPDF does so rightly only for pages without a crop box."""
    import pymupdf

    rotation, crop, media = page.rotation, page.cropbox, page.mediabox
    if rotation:
        page.set_rotation(0)
        page.set_mediabox(pymupdf.Rect(crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0))
        page.set_rotation(rotation)
        page.remove_rotation()


def _content(page: Any) -> tuple[list[Word], list[Box]]:
    import pymupdf

    flags = pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_ACCURATE_BBOXES | pymupdf.TEXT_PRESERVE_IMAGES
    blocks = page.get_text("rawdict", flags=flags)["blocks"]
    words = [
        word
        for n_block, block in enumerate(blocks)
        for n_line, line in enumerate(block.get("lines", ()))
        for word in _words(line, n_block, n_block * 10_000 + n_line)
    ]
    return without_doubles(words), [tuple(block["bbox"]) for block in blocks if block["type"] == 1]


def _words(line: dict[str, Any], block: int, number: int) -> list[Word]:
    """Cut a line at its white space."""
    words: list[list[tuple[dict[str, Any], dict[str, Any]]]] = [[]]
    for span in line["spans"]:
        for char in span["chars"]:
            if not char["c"].isspace():
                words[-1].append((span, char))
            elif words[-1]:
                words.append([])
    upright = abs(line["dir"][0] - 1) < 0.01
    return [_word(pairs, block, number, upright) for pairs in words if pairs]


def _word(pairs: list[tuple[dict[str, Any], dict[str, Any]]], block: int, line: int, upright: bool) -> Word:
    span = pairs[0][0]
    x0, y0, x1, y1 = zip(*(char["bbox"] for _, char in pairs), strict=True)
    return Word(
        (min(x0), min(y0), max(x1), max(y1)),
        "".join(char["c"] for _, char in pairs),
        block,
        line,
        span["size"],
        bool(span["flags"] & 8),
        upright,
    )


def _read_text(page: Any, options: ParseOptions, result: PageResult, content: tuple[list[Word], list[Box]]) -> None:
    words = content[0]
    mono = sum(word.mono for word in words) * 2 > len(words)
    result.elements = elements_of(result.number, _arranged(page, options, content, regions_of), mono)
    add_pictures(page, options, result)


def _arranged(page: Any, options: ParseOptions, content: tuple[list[Word], list[Box]], look: Look) -> list[Region]:
    words, images = content
    box = page_box(page)
    seen = look(page) if area(box) <= options.max_page_pixels else []
    drawings = page.get_cdrawings()
    rules = rules_of(drawings) if len(drawings) <= MAX_RULED else NO_RULES
    return arrange(words, with_tables(words, seen, rules), [*images, *_clusters(page, len(drawings))], box)


def _clusters(page: Any, n_drawings: int) -> list[Box]:
    """Return the rectangles of drawings that stand together."""
    if not 0 < n_drawings <= MAX_VECTORS:
        return []
    return [tuple(rect) for rect in page.cluster_drawings() if min(rect.width, rect.height) > 30]
