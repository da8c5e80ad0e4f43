"""Rendering: elements as one Markdown text."""

import re
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import Any

from tasks.parse.elements.assembly import plain_heading
from tasks.parse.elements.continued import wholes
from tasks.parse.pdf.links import as_links

INDENT = "   "
"""Of a list inside a list: enough to stand inside `1.`, too little to be code."""

_MARKED = re.compile(r"^\s*([-*+]|\(?\w{1,4}[.)])\s")


def as_markdown(elements: Iterable[Mapping[str, Any]], furniture: bool, links: bool = False) -> str:
    """Return parsed or described elements as Markdown, a blank line between them.

    Headings are `#` lines, list items start with a marker, tables are pipes, or HTML where cells span. `furniture` tells whether
    running headers, footers and page numbers are in. What goes on over the end of a page or column is one block. `links` tells
    whether words that lead to an address are written as links.
    """
    shown = (element for element in wholes(elements) if furniture or element["kind"] != "furniture")
    blocks = []
    depth = 0
    for element in shown:
        depth = min(element["level"] or 1, depth + 1) if element["kind"] == "list_item" else 0
        if block := _block(element, links):
            blocks.append(indent(block, INDENT * max(0, depth - 1)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _block(element: Mapping[str, Any], links: bool) -> str:
    kind, text = element["kind"], str(element["text"]).strip("\n")
    if links and kind != "code":
        text = as_links(text, element.get("links") or ())
    if kind in ("title", "heading") and not text.startswith("#"):
        return f"{'#' * (element['level'] or 1)} {plain_heading(text)}"
    if kind == "list_item" and not _MARKED.match(text):
        return f"- {text}"
    if kind == "table" and re.search("(col|row)span=", element["html"] or ""):
        return str(element["html"])
    if kind == "code" and not text.startswith(("```", "~~~")):
        return f"```\n{text}\n```"
    return text
