"""Described documents for tests of what comes after: elements given by their kind and text, and cheap counters of tokens."""

import re
from collections.abc import Sequence
from typing import Any

_TOKEN = re.compile(r"\w{1,4}|[^\w\s]")


def element(kind: str, start: int | None, end: int | None, **rest: Any) -> dict[str, Any]:
    nothing = dict.fromkeys(("level", "bbox", "html", "confidence"))
    row = {"page_number": 1, "kind": kind, "text": "", "section": [], "start_char": start, "end_char": end}
    return {**row, **nothing, **rest}


def described(*parts: tuple[str, str] | tuple[str, str, dict[str, Any]], between: str = "\n\n") -> dict[str, Any]:
    """Return a row of DESCRIBED whose text is that of `parts` (kind, text and further columns), with `between` in between."""
    elements: list[dict[str, Any]] = []
    text = ""
    for kind, content, *rest in parts:
        text += between if text else ""
        elements.append(element(kind, len(text), len(text) + len(content), text=content, **(rest[0] if rest else {})))
        text += content
    return {"text": text, "elements": elements, "figures": [], "rejects": []}


def plain(text: str) -> dict[str, Any]:
    """Return a row of DESCRIBED with a text and no elements."""
    return {"text": text, "elements": [], "figures": [], "rejects": []}


def count(texts: Sequence[str]) -> list[int]:
    """Return the tokens of each text: runs of four letters, marks and two special ones."""
    return [2 + len(_TOKEN.findall(text)) for text in texts]


def count_whole(texts: Sequence[str]) -> list[int]:
    """Return tokens that do not add up: joined text has more of them than its parts, and white space counts too."""
    return [1 + len(text) // 3 + len(text) // 40 for text in texts]
