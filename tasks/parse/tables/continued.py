"""Tables over several pages: whether a table continues in another, and which of its rows are new.

A table's text is as `cells.as_pipes` writes it: a header row, a delimiter row, the others.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasks.parse.tables.cells import BAR, FIGURE
from tasks.parse.tables.thresholds import FLUSH

_CONTINUED = re.compile(r"\b(?:continue[sd]|cont(?:\.|['\u2019]?d\b\.?)|fortsetzung|suite)", re.IGNORECASE)
_SIGNS = re.compile(r"[^\w]+")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_EMPTY = re.compile(r"^[-\u2013\u2014.*\s]*$")
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_SPAN = re.compile(r'rowspan="(\d+)"')
MAX_NOTICE_WORDS = 12
SAME_WIDTH = 0.2
"""Largest relative difference between the widths of two parts without a common header."""
TableElement = Mapping[str, Any]


def says_continued(text: str) -> bool:
    """Return whether a line only says that a table is continued.

    >>> says_continued("Table 3 (continued)"), says_continued("Prices continued to rise."), says_continued("Table 4")
    (True, False, False)
    """
    rest = _CONTINUED.sub("", text)
    bare = not rest.strip("()[]. -\u2013\u2014:") or re.match(r"^\W*(tab|on (the )?(next|following)|from)", rest, re.IGNORECASE)
    return bool(bare and rest != text and len(text.split()) <= MAX_NOTICE_WORDS)


def names_the_same(one: str, other: str) -> bool:
    """Return whether two captions are the same, except for a word such as "continued"."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", _CONTINUED.sub("", text)).strip().casefold()


def rest_of(first: TableElement, part: TableElement) -> str:
    """Return the rows of `part` that continue the table `first`, one per line, without a repeated header; "" if none do.

    The columns must agree. The header must be repeated completely, or be missing in a part that is as wide, or starts at the
    same left edge of another page, and begins like the body.
    """
    rows, own = _rows(first), _rows(part)
    if not rows or not own or len(_cells(rows[0])) != len(_cells(own[0])):
        return ""
    while len(own) > 1 and says_continued(" ".join(_cells(own[0]))):
        own = own[1:]
    n_head = min(_n_header_rows(first["html"] or ""), len(rows))
    same = 0
    while same < min(n_head, len(own)) and _squeezed(rows[same]) == _squeezed(own[same]):
        same += 1
    if same == n_head:
        return "\n".join(own[same:])
    return "" if same or not _begins_like_body(rows, n_head, own[0]) or not _as_wide(first, part) else "\n".join(own)


def _squeezed(row: str) -> str:
    """Return a row without spaces: where a column breaks words, one part of a table may have them whole and another not."""
    return _plain(row).replace(" ", "")


def _rows(table: TableElement) -> list[str]:
    lines = table["text"].split("\n")
    return [lines[0], *lines[2:]] if len(lines) > 1 else []


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in BAR.split(row)[1:-1]]


def _n_header_rows(html: str) -> int:
    """Return the number of rows in the table's head or, without one, of rows that the cells of the first row need."""
    head, marked, _ = html.partition("</thead>")
    if marked:
        return head.count("<tr")
    row = html.partition("</tr>")[0]
    return max([int(rows) for rows in _SPAN.findall(row)] + [2 if "colspan" in row else 1])


def _begins_like_body(rows: Sequence[str], n_head: int, row: str) -> bool:
    """Return whether `row` has figures where the body has them, not only years, which a header may have."""
    body = [_cells(line) for line in rows[n_head:]]
    cells = _cells(row)
    columns = [n for n in range(len(cells)) if _is_of_figures([line[n] for line in body if n < len(line)])]
    if not body or not columns:
        return bool(body)
    filled = [cells[n] for n in columns if not _EMPTY.match(cells[n])]
    years = bool(filled) and all(_YEAR.match(cell) for cell in filled)
    dated = all(_YEAR.match(line[n]) for line in body for n in columns if not _EMPTY.match(line[n]))
    return bool(filled) and all(FIGURE.match(cell) for cell in filled) and (dated or not years)


def _is_of_figures(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not _EMPTY.match(cell)]
    return bool(filled) and sum(bool(FIGURE.match(cell)) for cell in filled) * 2 > len(filled)


def _as_wide(one: TableElement, other: TableElement) -> bool:
    if not one["bbox"] or not other["bbox"]:
        return False
    a, b = (table["bbox"]["x1"] - table["bbox"]["x0"] for table in (one, other))
    flush = abs(one["bbox"]["x0"] - other["bbox"]["x0"]) <= FLUSH and one["page_number"] != other["page_number"]
    return bool(abs(a - b) <= SAME_WIDTH * max(a, b) or flush)


def joined_html(first: str, parts: Iterable[tuple[str, int]]) -> str:
    """Return the table `first` with the last rows of each of `parts` appended: these are tables, each with its number of rows.

    >>> joined_html("<table><tr>a</tr></table>", [("<table><tr>a</tr><tr>b</tr></table>", 1)])
    '<table><tr>a</tr><tr>b</tr></table>'
    """
    whole, end, rest = first.rpartition("</tr>")
    rows = [row for part, n_rows in parts for row in _ROW.findall(part)[-n_rows:]]
    if rest.startswith("</thead>"):
        end, rest = end + "</thead>", rest.removeprefix("</thead>")
    return whole + end + "".join(rows) + rest
