"""Coded cells: each cell of a page of HTML in a colour of its own, so that the words of the PDF say which cell they are in."""

import re
from typing import NamedTuple

_TAG = re.compile(r"<(/?)(table|tr|td|th)\b([^>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(row|col)span=\"?(\d+)", re.IGNORECASE)
_STYLE = re.compile(r"\bstyle=\"", re.IGNORECASE)
INHERIT = "<style>td *, th * { color: inherit !important }</style>"
"""What lies within cells has their colour."""


class Place(NamedTuple):
    """Where a cell stands: which table of the file, its first row, and how many rows it spans."""

    table: int
    row: int
    rows: int


def code_cells(html: str) -> tuple[str, dict[int, Place]]:
    """Return HTML with cells in colours, 0xRRGGBB from 1 on, and the place of the cell of each colour. Tables are not nested.

    >>> code_cells('<table><tr><th>a</th></tr></table>')[0]
    '<table><tr><th style="color:#000001 !important;">a</th></tr></table>'
    """
    places: dict[int, Place] = {}
    at = {"table": -1, "row": -1}

    def coded(tag: re.Match[str]) -> str:
        closes, name, rest = tag[1], tag[2].lower(), tag[3]
        if closes:
            return tag[0]
        if name == "table":
            at.update(table=at["table"] + 1, row=-1)
        elif name == "tr":
            at["row"] += 1
        else:
            rows = next((int(span[2]) for span in _SPAN.finditer(rest) if span[1].lower() == "row"), 1)
            ink = len(places) + 1
            places[ink] = Place(at["table"], at["row"], rows)
            colour = f'style="color:#{ink:06x} !important;'
            rest = _STYLE.sub(colour, rest, count=1) if _STYLE.search(rest) else f'{rest} {colour}"'
        return f"<{tag[2]}{rest}>"

    return _TAG.sub(coded, html), places
