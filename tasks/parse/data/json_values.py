"""JSON and JSON lines: values as lines with their paths, alike records as tables, a record of JSON lines as a section."""

import json
from collections.abc import Iterator
from typing import Any

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES, Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, one_line
from tasks.parse.elements.places import write_lines_place
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import refusal
from tasks.parse.tables.cells import Cell
from tasks.parse.text.plain import decode

MAX_BYTES = 128 * 2**20
"""A larger file needs more memory than a worker has, when all of it is read at once."""
MAX_RECORDS = 200_000
MAX_COLUMNS = 40
ROWS_A_PART = 200
LINES_A_BLOCK = 25
TITLES = ("title", "name", "subject", "headline", "id", "key")
"""Keys whose value names a record, the best first."""


def parse_json(data: bytes) -> FlowDocument:
    """Return the values of a JSON file, each as a line `path: value`; a list of records with the same keys is a table.

    Raises:
        DocumentError: it is not JSON, nests too deeply, or is too large.
    """
    _check_size(data)
    decoded = decode(data)
    try:
        value = _load(decoded.text)
    except json.JSONDecodeError as error:
        message = f"the file is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        raise refusal(DocumentError, message, "correct it; if each line is a record, give the file the suffix .jsonl") from error
    except RecursionError as error:
        raise refusal(DocumentError, "the values of the file are nested too deeply", "exclude it") from error
    return FlowDocument([], NO_PROPERTIES, rejects=list(decoded.notes), stream=value_blocks(value))


def parse_json_lines(data: bytes) -> FlowDocument:
    """Return the records of a file of JSON lines, each a section that is cited by its line.

    Raises:
        DocumentError: no line is JSON, or there are too many records.
    """
    _check_size(data)
    decoded = decode(data)
    document = FlowDocument([], NO_PROPERTIES, rejects=list(decoded.notes))
    document.stream = _records(decoded.text, document.rejects)
    return document


def _load(text: str) -> Any:
    """Return a value, its numbers as they are written: 1.10 is no 1.1.

    Raises:
        json.JSONDecodeError, RecursionError: as `json.loads`.
    """
    return json.loads(text, parse_float=str, parse_int=str)


def _check_size(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise refusal(DocumentError, f"the file has more than {MAX_BYTES >> 20} MiB of values", "split it, or exclude it")


def _records(text: str, rejects: list[Reason]) -> Iterator[FlowBlock]:
    n_read = 0
    unread: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = _load(line)
        except (json.JSONDecodeError, RecursionError):
            unread.append(number)
            continue
        n_read += 1
        if n_read > MAX_RECORDS:
            raise refusal(DocumentError, f"the file has more than {MAX_RECORDS:,} records", "split it, or exclude it")
        place = write_lines_place(number, number)
        yield FlowBlock("heading", _title(record) or f"Record {number}", level=1, place=place)
        for block in _lines_of(record, ""):
            yield block._replace(place=place)
    if unread and not n_read:
        raise refusal(DocumentError, f"no line of the file is JSON, the first that is none is line {unread[0]}", "correct it")
    if unread:
        shown = ", ".join(map(str, unread[:5])) + (" and more" if len(unread) > 5 else "")
        message = f"{len(unread)} lines are not JSON and were left out: {shown}"
        rejects.append(note("RecordError", message, "correct these lines"))


def _title(record: Any) -> str:
    """Return what names a record, "" if nothing does."""
    named = (record.get(key) for key in TITLES) if isinstance(record, dict) else ()
    return next((one_line(str(value))[:200] for value in named if isinstance(value, str | int) and str(value).strip()), "")


def value_blocks(value: Any) -> Iterator[FlowBlock]:
    """Yield the members of a document, those that hold more under their names as headings."""
    if not isinstance(value, dict):
        yield from _lines_of(value, "$")
        return
    plain = {key: member for key, member in value.items() if not _is_container(member)}
    yield from _lines_of(plain, "") if plain or not value else ()
    for key, member in value.items():
        if _is_container(member):
            yield FlowBlock("heading", one_line(key), level=1, place=f"$.{_as_unicode(key)}")
            yield from _lines_of(member, _as_unicode(key))


def _is_container(value: Any) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _lines_of(value: Any, path: str) -> Iterator[FlowBlock]:
    """Yield a value as lines with paths, some to a paragraph, and as tables."""
    lines: list[str] = []
    waiting: list[tuple[str, Any]] = [(path, value)]
    while waiting:
        at, one = waiting.pop()
        table = _table_of(one)
        if table is not None:
            yield from _paragraph(lines, path)
            lines = []
            yield from _table_parts(table, at)
        elif _is_container(one):
            members = one.items() if isinstance(one, dict) else enumerate(one)
            inner = [(_path(at, key), member) for key, member in members]
            waiting += reversed(inner)
        else:
            shown = json.dumps(one) if not isinstance(one, str) else clean(one)
            lines.append(f"{at}: {shown}" if at and at != "$" else shown)
        if len(lines) >= LINES_A_BLOCK:
            yield from _paragraph(lines, path)
            lines = []
    yield from _paragraph(lines, path)


def _path(path: str, key: Any) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{_as_unicode(key)}" if path else _as_unicode(key)


def _as_unicode(key: str) -> str:
    """Return a name without halves of surrogate pairs, which JSON can write, and no text can have."""
    return key.encode("utf-8", "replace").decode()


def _paragraph(lines: list[str], path: str) -> Iterator[FlowBlock]:
    if lines:
        yield FlowBlock("paragraph", "\n".join(lines), place=f"$.{path}" if path not in ("", "$") else "$")


def _table_of(value: Any) -> list[dict[str, Any]] | None:
    """Return a list of records whose values are plain and whose keys are mostly the same; None for another value."""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, dict) and one for one in value):
        return None
    keys = {key for one in value for key in one}
    plain = not any(_is_container(member) for one in value for member in one.values())
    return value if plain and len(keys) <= MAX_COLUMNS and sum(map(len, value)) * 2 > len(keys) * len(value) else None


def _table_parts(records: list[dict[str, Any]], path: str) -> Iterator[FlowBlock]:
    columns = {key: n for n, key in enumerate(dict.fromkeys(key for one in records for key in one))}
    head = [Cell(0, n, one_line(key)) for key, n in columns.items()]
    for at in range(0, len(records), ROWS_A_PART):
        part = records[at : at + ROWS_A_PART]
        cells = [
            Cell(n, columns[key], one_line(member) if isinstance(member, str) else "" if member is None else json.dumps(member))
            for n, record in enumerate(part, 1)
            for key, member in record.items()
        ]
        place = f"$.{path}[{at}:{at + len(part)}]".replace("$.$", "$")
        yield FlowBlock("table", cells=(*head, *cells), n_head=1, place=place, joined_by="\n" if at else None)
