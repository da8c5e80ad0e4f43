"""Files of ranges: what workers read of a long document, for the worker that joins it. They are JSON: reading it runs no code."""

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from schemas.records import Element
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.outline import OutlineEntry
from tasks.parse.layout.regions import Change
from tasks.parse.pdf.io.document import Pages, PdfMetadata


def write_range(folder: Path, start: int, read: Pages) -> None:
    """Write the pages from `start`, counted from 0, and the metadata of their file."""
    pages, metadata = read
    content = json.dumps([[vars(page) for page in pages], *metadata], default=_in_letters)
    (folder / f"{start:09}.json").write_text(content, "ascii")


def read_ranges(folder: Path) -> Pages:
    """Return all pages in their order, and the metadata of the file."""
    parts = [json.loads(path.read_bytes()) for path in sorted(folder.iterdir())]
    properties, outline, *rest = parts[0][1:]
    metadata = PdfMetadata(properties, [OutlineEntry(*entry) for entry in outline], *rest)
    return [_page(page) for found, *_ in parts for page in found], metadata


def _in_letters(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


def _page(found: dict[str, Any]) -> PageResult:
    changes = [tuple(Change(*change) for change in changes) for changes in found["changes"]]
    sized = {name: _sized(found[name]) for name in ("elements", "asides")}
    page = PageResult(**{**found, **sized, "changes": changes})
    page.figures = {int(index): {**figure, "image": base64.b64decode(figure["image"])} for index, figure in page.figures.items()}
    return page


def _sized(pairs: Iterable[list[Any]]) -> list[tuple[Element, float]]:
    return [(element, size) for element, size in pairs]
