"""Gutters: the numbers of lines beside a listing, which are no part of the code."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_CANDIDATES = "pre [class*='ln' i], pre [class*='line' i], pre [class*='num' i], pre [class*='gutter' i]"
_GUTTER = re.compile(
    r"(?:.*[\s_-])?(?:ln|lnum|lineno|linenos|lines?-?num(?:ber)?s?|line-no|ln-n(?:um)?|gutter)(?:[\s_-].*)?",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERS = re.compile(r"\s*\d+(?:\s+\d+)*\s*")


def take_gutters(page: "LexborHTMLParser") -> None:
    """Take the numbers of lines out of a parsed page: elements of a listing that are named so, and cells that count the lines."""
    if page.css_first("pre") is None:
        return
    for node in page.css(_CANDIDATES):
        if _GUTTER.fullmatch(node.attributes.get("class") or "") and _NUMBERS.fullmatch(node.text()):
            node.decompose()
    rows = (cell.parent for cell in map(_cell_of, page.css("td pre")) if cell is not None)
    for row in {row.mem_id: row for row in rows if row is not None}.values():
        cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
        for cell, code in pairwise(cells):
            if code.css_first("pre") is not None and _counts(cell.text()):
                cell.decompose()


def _cell_of(node: "LexborNode | None") -> "LexborNode | None":
    while node is not None and node.tag != "td":
        node = node.parent
    return node


def _counts(text: str) -> bool:
    """Return whether a text is nothing but numbers, each one more than the one before it."""
    if not _NUMBERS.fullmatch(text):
        return False
    numbers = [int(number) for number in text.split()]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
