"""What the HTML of a book tells of its PDF: tables, and the names of sections."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.roundtrip.normal import normalise

FILES, LARGEST = 160, 3_000_000
"""Files of a book that are read at most, and the largest that is read, in bytes."""
SHORT, LONG = 30, 2500
"""Length of a table's text in characters: shorter ones cannot be found again, and longer ones go over pages."""
MIN_NAME = 4
"""Fewest letters of a name that is looked for."""
_NUMBER = re.compile(r"^\s*(?:(?:chapter|appendix|part)\s+)?[A-Z]?[\d.]*[.:]?\s+", re.IGNORECASE)


class Truth(NamedTuple):
    """Tables as HTML, and the names of headings as `plain_name` makes them."""

    tables: list[str]
    headings: frozenset[str]


def truth_of(paths: Iterable[Path]) -> Truth:
    """Return the tables of several rows and columns, and the headings, of the first FILES pages of HTML."""
    tables: dict[str, str] = {}
    headings: set[str] = set()
    for path in [path for path in paths if path.is_file() and path.stat().st_size <= LARGEST][:FILES]:
        found = truth_in(path.read_bytes())
        headings |= found.headings
        tables.update({re.sub("<[^<>]*>", "", table): table for table in found.tables})
    return Truth(list(tables.values()), frozenset(headings))


def truth_in(page: bytes) -> Truth:
    """Return the tables and headings of a page of HTML; none of one that cannot be read."""
    from lxml import etree, html

    try:
        root = html.fromstring(f"<div>{normalise(page)}</div>")
    except (ValueError, etree.ParserError):
        return Truth([], frozenset())
    names = {plain_name(element.text_content()) for element in root.iter("h1", "h2", "h3", "h4", "h5", "h6")}
    tables = [table for table in root.iter("table") if _is_data([list(row) for row in table.iter("tr")])]
    return Truth([html.tostring(t, encoding="unicode") for t in tables], frozenset(n for n in names if len(n) >= MIN_NAME))


def _is_data(rows: list[list[Any]]) -> bool:
    length = sum(len(str(cell.text_content())) for row in rows for cell in row)
    return len(rows) > 1 and max(map(len, rows)) > 1 and SHORT < length < LONG


def plain_name(text: str) -> str:
    """Return the letters and digits of a heading without its number.

    >>> plain_name("2.1.3 Water wheels"), plain_name("Appendix B. Mills"), plain_name("A mill")
    ('waterwheels', 'mills', 'mill')
    """
    return re.sub(r"[\W_]+", "", _NUMBER.sub("", text)).lower()
