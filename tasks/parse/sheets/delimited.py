"""CSV and TSV: a file of delimited values as one table, read row by row."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES, Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, one_line
from tasks.parse.elements.places import write_cells_place
from tasks.parse.rejections import refusal
from tasks.parse.sheets.sheet import LOOKED_AT, PART_PLACES
from tasks.parse.tables.cells import Cell, head_rows
from tasks.parse.text.plain import decode

DELIMITERS = ",;\t|"
SAMPLED = 100
"""Lines by which the delimiter is told."""
MAX_BYTES = 400 * 2**20
"""A larger file becomes more text than a worker can hold."""
MAX_FIELD = 2**20
"""Most characters of a value. A longer one comes from a quotation mark that nothing closes."""
MAX_COLUMNS = 16_384

_DECLARED = re.compile(r'"?sep=(.)"?[\r\n]', re.IGNORECASE)
"""The line by which a file tells Excel its delimiter."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ESCAPED = re.compile(r'(?<!\\)\\"')
"""A quotation mark in a value as programs write it that do not write it twice."""

Row = tuple[int, list[str]]
"""The number of a record in the file, counted from 0, and its values."""


class Dialect(NamedTuple):
    """How values are delimited, whether quotation marks are what they are in CSV, and whether backslashes mark those within."""

    delimiter: str
    is_quoted: bool = True
    has_backslashes: bool = False


def parse_delimited(data: bytes, delimiter: str = "") -> FlowDocument:
    """Return the content of a file: lines of one value above the table as captions, and the table in parts.

    `delimiter` is the likeliest one. Its blocks are made one by one.

    Raises:
        DocumentError: it is too large or no text; `tasks.parse.text.plain.decode` says more.
    """
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES >> 20} MiB of values"
        raise refusal(DocumentError, message, "split it, or exclude it")
    decoded = decode(data)
    document = FlowDocument([], NO_PROPERTIES, rejects=list(decoded.notes))
    declared = _DECLARED.match(decoded.text)
    dialect = Dialect(declared[1]) if declared else find_dialect(list(islice(_lines(decoded.text), SAMPLED)), delimiter)
    try:
        width = _find_width(decoded.text, dialect)
    except csv.Error:
        dialect = dialect._replace(is_quoted=False)
        width = _find_width(decoded.text, dialect)
        document.rejects.append(_unclosed())
    if width > MAX_COLUMNS:
        raise refusal(DocumentError, f"a row has {width:,} values", "check what delimits them, or exclude the file")
    document.stream = _blocks(_rows(decoded.text, dialect), width)
    return document


def _unclosed() -> Reason:
    message = "a quotation mark opens a value and is never closed: quotation marks were read as letters"
    return note("CsvError", message, "close it, or write quotation marks within values twice")


def find_dialect(lines: Sequence[str], likeliest: str = "") -> Dialect:
    r"""Return how the values of some lines are delimited: so that most lines have the same number of values, and many.

    >>> find_dialect(["a;b;c\n", "1,5;2;3\n"]).delimiter, find_dialect(["a\n", "b\n"]).delimiter
    (';', ',')
    """
    best, score = Dialect(likeliest or DELIMITERS[0]), (0.0, 0, False)
    escapes = (False, True) if any(map(_ESCAPED.search, lines)) else (False,)
    for dialect in (Dialect(one, True, escaped) for one in dict.fromkeys(likeliest + DELIMITERS) for escaped in escapes):
        try:
            widths = [len(row) for row in _reader(lines, dialect) if row]
        except csv.Error:
            continue
        usual = max(set(widths), key=widths.count, default=0)
        found = (widths.count(usual) / len(widths), usual, dialect.delimiter == likeliest) if usual > 1 else (0.0, 0, False)
        if found > score:
            best, score = dialect, found
    return best


def _lines(text: str) -> Iterator[str]:
    """Yield the lines with their ends, of any kind. A text as a file would be four times as large in memory."""
    return (found[0] for found in _LINE.finditer(text))


def _reader(lines: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    csv.field_size_limit(MAX_FIELD)
    if dialect.has_backslashes:
        lines = (_ESCAPED.sub('""', line) for line in lines)
    if dialect.is_quoted:
        return iter(csv.reader(lines, delimiter=dialect.delimiter, skipinitialspace=True))
    return iter(csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE))


def _rows(text: str, dialect: Dialect) -> Iterator[Row]:
    """Yield the rows that have a value; a line that names the delimiter is none."""
    is_declared = _DECLARED.match(text) is not None
    for number, values in enumerate(_reader(_lines(text), dialect)):
        if number < is_declared:
            continue
        if any(value and not value.isspace() for value in values):
            yield number, values


def _find_width(text: str, dialect: Dialect) -> int:
    """Return the number of columns, without empty ones at the right."""
    width = 0
    for values in _reader(_lines(text), dialect):
        while len(values) > width and not values[-1]:
            values.pop()
        width = max(width, len(values))
    return width


def _blocks(rows: Iterator[Row], width: int) -> Iterator[FlowBlock]:
    beginning = list(islice(rows, LOOKED_AT))
    n_above = _count_above(beginning) if width > 1 else 0
    for number, values in beginning[:n_above]:
        yield FlowBlock("caption", one_line(" ".join(values)), place=write_cells_place("", [number], (0, 0)))
    beginning = beginning[n_above:]
    head = _cells(beginning)
    n_head = head_rows(head)
    head = [cell for cell in head if cell.row < n_head]
    rest, is_first = chain(beginning, rows), True
    n = max(1, PART_PLACES // max(1, width))
    while part := list(islice(rest, n)):
        cells = _cells(part, width) if is_first else [*head, *_cells(part, width, n_head)]
        place = write_cells_place("", [number for number, _ in part], (0, max(0, width - 1)))
        yield FlowBlock("table", cells=tuple(cells), n_head=n_head, place=place, joined_by=None if is_first else "\n")
        is_first = False


def _count_above(beginning: Sequence[Row]) -> int:
    """Return how many rows stand above the table: those of one value, and those that a blank line parts from wider ones."""
    widths = [sum(map(bool, values)) for _, values in beginning]
    n_above = next((n for n, n_values in enumerate(widths) if n_values > 1), 0)
    for n in range(n_above + 1, len(beginning)):
        if beginning[n][0] > beginning[n - 1][0] + 1 and widths[n] > max(widths[:n]):
            n_above = n
    return n_above


def _cells(rows: Sequence[Row], width: int = 0, above: int = 0) -> list[Cell]:
    """Return the cells of some rows, `above` rows below the top; empty ones at the end of the first row make it `width` wide."""
    found = [
        Cell(n, c, one_line(value))
        for n, (_, values) in enumerate(rows, above)
        for c, value in enumerate(values[: width or None])
    ]
    return [*found, Cell(above, width - 1, "")] if rows and len(rows[0][1]) < width else found
