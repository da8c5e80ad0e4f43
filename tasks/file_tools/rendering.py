"""Rendering: a described document as Markdown, JSON lines or an Arrow file."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import partial
from textwrap import indent
from typing import NamedTuple

import pyarrow as pa

from schemas.records import Element, Page, PlacedElement, Reason
from schemas.staged import DESCRIBED
from schemas.tables.elements import HEADINGS
from tasks.parse.elements.assembly import plain_heading
from tasks.parse.elements.continued import wholes
from tasks.parse.pdf.links import as_links

INDENT = "   "
"""Indent of a nested list: enough for an item below `1.`, too little for a code block."""

_HASHES = re.compile(r"^#{1,6}(?=\s|$)", re.MULTILINE)
"""What would make a line of text a heading, as in a comment of a program."""
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n]*\n")
_MARKED = re.compile(r"^\s*(?:>\s*)*([-*+]|\(?\w{1,4}[.)])\s")


class DescribedDocument(NamedTuple):
    """A document's DESCRIBED table, the words in its figures, the rejects of single pages, and its pages as in PARSED.

    A key of `words` is the figure's position, in digits.
    """

    table: pa.Table
    words: dict[str, str]
    rejects: list[Reason]
    pages: list[Page]

    @property
    def refusal(self) -> str:
        """Why the whole document is rejected, and what to do; "" if it is not."""
        return next((f"{reject['message']}: {reject['remedy']}" for reject in self.rejects if reject["page_number"] == 0), "")


def render_document(found: DescribedDocument, form: str, furniture: bool, links: bool = False) -> bytes:
    """Return the document in the form md, jsonl or arrow.

    In Markdown, a figure has only its words: its caption stands beside it.
    """
    elements: list[PlacedElement] = found.table["elements"][0].as_py()
    if form == "md":
        elements = [{**element, "text": found.words.get(str(n), element["text"])} for n, element in enumerate(elements)]
        return render_as_markdown(elements, furniture, links).encode()
    return _render_elements([element for element in elements if is_element_shown(element, furniture)], form)


def _render_elements(kept: Sequence[PlacedElement], form: str) -> bytes:
    if form == "jsonl":
        lines = map(partial(json.dumps, ensure_ascii=False), kept)
        return "".join(f"{line}\n" for line in lines).encode()
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pylist(kept, schema=pa.schema(list(DESCRIBED.field("elements").type.value_type)))
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def render_as_markdown(elements: Iterable[Element], furniture: bool, links: bool = False) -> str:
    """Return parsed or described elements as Markdown, a blank line between them.

    Headings are `#` lines, and list items start with a marker. Tables use pipes, or HTML if cells span rows or columns. A block
    that continues on the next page or column is joined. `furniture` says whether to include running headers, footers and page
    numbers; `links` says whether to write linked words as links. Hidden text is included if it is in the document's text.
    """
    shown = (element for element in wholes(elements) if is_element_shown(element, furniture))
    blocks = []
    depth = 0
    for element in shown:
        depth = min(element["level"] or 1, depth + 1) if element["kind"] == "list_item" else 0
        if block := _render_element_as_markdown(element, links):
            blocks.append(indent(block, INDENT * max(0, depth - 1)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def is_element_shown(element: Element, furniture: bool) -> bool:
    """Return whether an element is written: furniture if it is wanted, hidden text if it is in the document's text."""
    if element["kind"] == "furniture":
        return furniture
    return element["kind"] != "hidden" or element["start_char"] is not None


def _render_element_as_markdown(element: Element, links: bool) -> str:
    kind, text = element["kind"], str(element["text"]).strip("\n")
    if links and kind != "code":
        text = as_links(text, element.get("links") or ())
    if kind in HEADINGS and not text.startswith("#"):
        return f"{'#' * (element['level'] or 1)} {plain_heading(text)}"
    if kind == "list_item" and not _MARKED.match(text):
        return f"- {text}"
    if kind == "table" and re.search("(col|row)span=", element["html"] or ""):
        return str(element["html"])
    if kind == "code":
        return _render_code_listing(text)
    if kind == "table" and text.startswith("|"):
        return "\n".join(line.strip() for line in text.splitlines())
    return _HASHES.sub(r"\\\g<0>", text) if kind not in HEADINGS else text


def _render_code_listing(text: str) -> str:
    """Return a listing between fences that nothing in it ends; one from Markdown without the indent of the list around it."""
    fence = _FENCE.match(text)
    if fence:
        *_, last = text.splitlines()
        indent_size = len(last) - len(last.lstrip())
        if last.strip().strip(fence[1][0]) == "" and len(last.strip()) >= len(fence[1]):
            return re.sub(rf"^[ \t]{{1,{indent_size}}}", "", text, flags=re.MULTILINE) if indent_size else text
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}\n{text}\n{ticks}"
