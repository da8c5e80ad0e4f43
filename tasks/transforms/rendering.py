"""Rendering: elements as one Markdown text."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_MARKED = re.compile(r"^\s*([-*+]|\(?\w{1,4}[.)])\s")


def as_markdown(elements: Iterable[Mapping[str, Any]], furniture: bool) -> str:
    """Return parsed or described elements as Markdown, a blank line between them.

    Headings are `#` lines, list items start with a marker, tables are pipes, or HTML where cells span. `furniture` tells whether
    running headers, footers and page numbers are in.
    """
    shown = (element for element in elements if furniture or element["kind"] != "furniture")
    blocks = [block for block in map(_block, shown) if block]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _block(element: Mapping[str, Any]) -> str:
    kind, text = element["kind"], str(element["text"]).strip("\n")
    if kind in ("title", "heading") and not text.startswith("#"):
        return f"{'#' * (element['level'] or 1)} {text}"
    if kind == "list_item" and not _MARKED.match(text):
        return f"- {text}"
    if kind == "table" and re.search("(col|row)span=", element["html"] or ""):
        return str(element["html"])
    if kind == "code" and not text.startswith(("```", "~~~")):
        return f"```\n{text}\n```"
    return text
