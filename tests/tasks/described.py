"""Described documents for tests of what comes after: elements given by their kind and text, and cheap counters of tokens."""

import re
from collections.abc import Sequence
from typing import Any, cast

from hypothesis import strategies as st

from schemas.records import DescribedDocument, PlacedElement
from schemas.tables.elements import KINDS

PIECES = [
    "The mill stands. ",
    "It runs",
    "\r\n",
    "\n\n",
    "\t",
    " (see Fig. 2). ",
    "\U0001f468\u200d\U0001f469",
    "x" * 130,
    "e\u0301" * 40,
    "漢字" * 30,
    "a b c ",
    "# Head\n\n",
    "- item\n",
    "| a | b |\n",
    "def run():\n    pass\n",
]
"""Of texts that are awkward to cut."""
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))

_TOKEN = re.compile(r"\w{1,4}|[^\w\s]")


def element(kind: str, start: int | None, end: int | None, **rest: Any) -> PlacedElement:
    nothing = dict.fromkeys(("level", "bbox", "html", "confidence"))
    row = {"page_number": 1, "kind": kind, "text": "", "section": [], "start_char": start, "end_char": end}
    return cast(PlacedElement, {**row, **nothing, **rest})


def described(*parts: tuple[str, str] | tuple[str, str, dict[str, Any]], between: str = "\n\n") -> DescribedDocument:
    """Return a row of DESCRIBED whose text is that of `parts` (kind, text and further columns), with `between` in between."""
    elements: list[PlacedElement] = []
    text = ""
    for kind, content, *rest in parts:
        text += between if text else ""
        elements.append(element(kind, len(text), len(text) + len(content), text=content, **(rest[0] if rest else {})))
        text += content
    return {"text": text, "elements": elements, "figures": [], "rejects": []}


def plain(text: str) -> DescribedDocument:
    """Return a row of DESCRIBED with a text and no elements."""
    return {"text": text, "elements": [], "figures": [], "rejects": []}


@st.composite
def documents(draw: st.DrawFn) -> DescribedDocument:
    """Rows of DESCRIBED with awkward texts, whose elements lie anywhere, of any kind, on pages in order."""
    text = draw(TEXTS)
    elements: list[PlacedElement] = []
    at = 0
    for gap, length, kind in draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 90), st.sampled_from(KINDS)), max_size=9)):
        start = min(at + gap, len(text))
        at = min(start + length, len(text))
        level = draw(st.integers(1, 4)) if kind == "heading" else None
        page = draw(st.integers(1, 2)) + (elements[-1]["page_number"] if elements else 0)
        elements.append(element(kind, start, at, level=level, page_number=page, text=text[start:at]))
    return {**plain(text), "elements": elements}


def body(row: DescribedDocument) -> str:
    """Return the text of a document behind the furniture that it begins with."""
    at = 0
    for place in row["elements"]:
        if place["kind"] != "furniture" or row["text"][at : place["start_char"]].strip():
            break
        at = place["end_char"] or 0
    return str(row["text"][at:])


def count(texts: Sequence[str]) -> list[int]:
    """Return the tokens of each text: runs of four letters, marks and two special ones."""
    return [2 + len(_TOKEN.findall(text)) for text in texts]


def count_whole(texts: Sequence[str]) -> list[int]:
    """Return tokens that do not add up: joined text has more of them than its parts, and white space counts too."""
    return [1 + len(text) // 3 + len(text) // 40 for text in texts]
