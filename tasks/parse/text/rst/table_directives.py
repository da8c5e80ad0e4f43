"""Tables written as directives: comma-separated values, and lists of lists."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence

from tasks.parse.elements.flow_document import bounded
from tasks.parse.tables.cells import Cell, as_html
from tasks.parse.text.rst.lines import indent_of

_OPTION = re.compile(r" *:([a-z-]+):(?: +(.*))?\Z")
_ELSEWHERE = ("file", "url")
_CELL = re.compile(r" *(\* +)?-(?: +(.*))?\Z")
_DELIMITERS = {"tab": "\t", "space": " "}


def directive_html(name: str, lines: Sequence[str]) -> str | None:
    """Return the table of a directive as HTML; None if it has no cells here, as when it names a file, which nobody opens."""
    options = dict(_options(lines))
    if any(option in options for option in _ELSEWHERE):
        return None
    body = lines[1 + len(options) :]
    reader: Callable[..., Iterator[list[str]]] = _csv_rows if name == "csv-table" else _list_rows
    rows = [row for row in reader(body, options) if row]
    cells = [Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    given = options.get("header-rows", "")
    n_head = (1 if "header" in options else 0) + (int(given[:4]) if given.isdecimal() else 0)
    return as_html(bounded(cells), n_head) if cells else None


def _options(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines[1:]:
        found = _OPTION.match(line)
        if not found:
            return
        yield found[1], found[2] or ""


def _csv_rows(body: Sequence[str], options: dict[str, str]) -> Iterator[list[str]]:
    """Yield the rows as far as they can be read: what breaks the rules of CSV ends the table."""
    delimiter = _DELIMITERS.get(options.get("delim", ","), options.get("delim", ","))
    delimiter = delimiter if len(delimiter) == 1 and delimiter != '"' else ","
    heads = [options["header"]] if "header" in options else []
    try:
        for row in csv.reader([*heads, *(line.strip() for line in body)], delimiter=delimiter, skipinitialspace=delimiter != " "):
            yield [" ".join(text.split()) for text in row]
    except csv.Error:
        return


def _list_rows(body: Sequence[str], options: dict[str, str]) -> Iterator[list[str]]:
    """Yield a row for each item of the outer list, a cell for each item inside it."""
    row: list[str] = []
    inner = None
    for line in filter(None, body):
        found = _CELL.match(line)
        at = line.index("-") if found else indent_of(line)
        if found and (found[1] or inner == at):
            if found[1] and row:
                yield row
                row = []
            inner = at
            row.append((found[2] or "").strip())
        elif row:
            row[-1] = f"{row[-1]} {line.strip()}".strip()
    yield row
