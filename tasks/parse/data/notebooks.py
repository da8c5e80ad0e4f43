"""Jupyter notebooks: cells of Markdown as text, cells of code as code, outputs as code, figures and tables."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from schemas.errors import DocumentError, EmptyDocument
from schemas.records import NO_PROPERTIES, Properties
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import refusal
from tasks.parse.text.plain import decode
from tasks.parse.web.document import parse_html

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_OVERWRITTEN = re.compile(r"[^\r\n]*\r(?=[^\r\n])")
"""What a carriage return has the rest of the line written over, as in bars of progress."""
_REPAIR = "open it in Jupyter and save it again, or exclude it"


def parse_notebook(data: bytes) -> FlowDocument:
    """Return the cells of a notebook, each with its number as its place.

    Raises:
        DocumentError: it is not a notebook.
    """
    decoded = decode(data)
    try:
        notebook = json.loads(decoded.text)
    except (ValueError, RecursionError) as error:
        raise refusal(DocumentError, f"the notebook is not JSON: {str(error)[:100]}", _REPAIR) from error
    cells = _cells(notebook)
    if cells is None:
        raise refusal(DocumentError, "the file is JSON, but not a notebook: it has no cells", "give it the suffix .json")
    blocks = [
        block._replace(place=f"cell {n}") for n, cell in enumerate(cells, 1) if isinstance(cell, dict) for block in _blocks(cell)
    ]
    metadata = notebook.get("metadata")
    title = metadata.get("title") if isinstance(metadata, dict) else None
    properties: Properties = {**NO_PROPERTIES, "title": title if isinstance(title, str) else None}
    return FlowDocument(blocks, properties, rejects=list(decoded.notes))


def _cells(notebook: Any) -> list[Any] | None:
    """Return the cells; older versions keep them in worksheets."""
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")
    parts = (
        [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
        if isinstance(sheets, list)
        else []
    )
    cells = notebook.get("cells", [cell for part in parts for cell in part] or None)
    return cells if isinstance(cells, list) else None


def _blocks(cell: dict[str, Any]) -> Iterator[FlowBlock]:
    text = _text(cell.get("source", cell.get("input", "")))
    kind = cell.get("cell_type")
    if kind == "heading" and text.strip():
        level = cell.get("level")
        yield FlowBlock("heading", text.strip(), level=level if isinstance(level, int) else 1)
    elif kind == "markdown":
        yield from _markdown(text)
    elif text.strip():
        yield FlowBlock("code", text.rstrip())
    for output in cell.get("outputs") or ():
        if isinstance(output, dict):
            yield from _output(output)


def _markdown(text: str) -> Iterator[FlowBlock]:
    """Yield Markdown as HTML shows it."""
    from markdown_it import MarkdownIt

    if text.strip():
        page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)
        yield from _page_blocks(f"<main>{page}</main>")


def _page_blocks(page: str) -> list[FlowBlock]:
    """Return the blocks of a piece of HTML; none if there is no text in it."""
    try:
        return parse_html(f"<meta charset=utf-8>{page}".encode(), xhtml=False).blocks
    except EmptyDocument:
        return []


def _output(output: dict[str, Any]) -> Iterator[FlowBlock]:
    """Yield what a cell has put out: a picture, a table in HTML, or text."""
    shown = output.get("data", output)
    shown = shown if isinstance(shown, dict) else {}
    for kind in PICTURES:
        if isinstance(shown.get(kind), str | list):
            try:
                yield FlowBlock("figure", picture=base64.b64decode(_text(shown[kind])))
                return
            except binascii.Error:
                continue
    page = _text(shown.get("text/html", ""))
    if "<table" in page:
        yield from _page_blocks(page)
        return
    text = (
        _text(output.get("text", ""), _OVERWRITTEN) or _text(shown.get("text/markdown", "")) or _text(shown.get("text/plain", ""))
    )
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
    if text.strip():
        yield FlowBlock("code", text.rstrip())


def _text(source: Any, dropped: re.Pattern[str] | None = None) -> str:
    lines = source if isinstance(source, list) else [source]
    text = "".join(line for line in lines if isinstance(line, str))
    return clean(dropped.sub("", text) if dropped else text)
