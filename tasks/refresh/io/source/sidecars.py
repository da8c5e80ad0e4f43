"""Sidecars: `metadata.csv` and `metadata.jsonl` beside documents, one line a document, the path first.

Paths are relative to the folder that the file lies in. Sidecars are not documents. A name is a declared column's however it is
spelled: ` Year` is `year`. Fields of a CSV are parted by commas, semicolons or tabs, as spreadsheets write them.
"""

import csv
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from schemas.access import GROUPS
from schemas.errors import InputError, StoreError
from schemas.ids import normal_path
from schemas.metadata import MOST_NESTED, make_json_value
from tasks.refresh.listed import find_misspelt_groups, split_groups, split_list
from tasks.store.sources.source import ListedFile, Source

NAMES = ("metadata.csv", "metadata.jsonl")
KEY = "path"
SEPARATORS = ",;\t"
DECODER = json.JSONDecoder(parse_constant=str)
"""Reads NaN and Infinity, which are no JSON, as texts."""
HINT = "sep="
"""Begins a first line by which spreadsheets are told the separator."""


def read_sidecars(source: Source, paths: list[str], columns: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """Return the metadata of every document that the sidecars at `paths` speak of, by its path below `source`.

    Values of declared `columns` (name to type name) are checked and given their types (dates as ISO 8601 strings).

    Raises:
        InputError: a sidecar cannot be read, or a declared column's value does not fit, or a document has different values in two
            lines of one sidecar, or different groups in two places, or a name seems to be `groups` misspelt; names file and line.
    """
    found: dict[str, dict[str, Any]] = {}
    granted: dict[str, tuple[object, str]] = {}
    for path in paths:
        folder, shown = PurePosixPath(path).parent, f"{source.uri}/{path}"
        said: dict[tuple[str, str], tuple[object, int]] = {}
        for line, record in _read_records(source, path, shown):
            key, values = _split_path_from_metadata(_rename_fields(record, columns, shown, line), shown, line)
            document = normal_path(str(folder / key))
            _check_spelling_of_groups(values, columns, f"{shown} line {line}")
            typed = {
                name: _convert_value(value, columns.get(name), name, f"{shown} line {line}") for name, value in values.items()
            }
            if GROUPS in columns and typed.get(GROUPS):
                groups, place = granted.setdefault(document, (typed[GROUPS], f"{shown} line {line}"))
                if groups != typed[GROUPS]:
                    raise InputError(
                        f"{shown} line {line} says that {key} is for {'; '.join(typed[GROUPS])}, and {place} says otherwise: "
                        "keep one of the lines"
                    )
            given = {name: value for name, value in typed.items() if value is not None}
            for name in columns.keys() & given.keys():
                value, before = said.setdefault((document, name), (given[name], line))
                if value != given[name]:
                    raise InputError(
                        f"{shown} line {line} says that {name} of {key} is {given[name]}, and line {before} says {value}: "
                        "keep one of the lines"
                    )
            found.setdefault(document, {}).update(given)
    return found


def convert_listed_metadata(file: ListedFile, columns: Mapping[str, str]) -> dict[str, object]:
    """Return what a source says of a document, with the types of declared columns.

    Raises:
        InputError: a declared column's value does not fit, or a name seems to be `groups` misspelt.
    """
    _check_spelling_of_groups(file.metadata, columns, file.path)
    typed = {name: _convert_value(value, columns.get(name), name, file.path) for name, value in file.metadata.items()}
    return {name: value for name, value in typed.items() if value is not None}


def _check_spelling_of_groups(names: Iterable[str], columns: Collection[str], where: str) -> None:
    if GROUPS in columns and (wrong := find_misspelt_groups(name for name in names if name not in columns)):
        raise InputError(f"{where}: {wrong} is no declared column, and seems to mean {GROUPS}: write it so, or rename it")


def _read_records(source: Source, path: str, shown: str) -> Iterator[tuple[int, dict[str, object]]]:
    try:
        text = b"".join(source.stream(path)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        remedy = "save it as UTF-8 (in a spreadsheet, as CSV UTF-8), or remove it"
        raise InputError(f"{shown} cannot be read as UTF-8: {error}: {remedy}") from error
    except StoreError:
        raise
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror}: check its permissions and its disk, or remove it") from error
    yield from _parse_csv(shown, text) if path.endswith(".csv") else _parse_json_lines(shown, text)


def _parse_csv(path: str, text: str) -> Iterator[tuple[int, dict[str, object]]]:
    lines = text.splitlines(keepends=True)
    skipped = 1 if lines and lines[0].lower().startswith(HINT) else 0
    separator = lines[0][len(HINT) : len(HINT) + 1] if skipped else _find_separator(lines[0] if lines else "")
    reader = csv.DictReader(lines[skipped:], strict=True, delimiter=separator if separator in SEPARATORS else ",")
    try:
        _check_header(reader.fieldnames or (), path, skipped + 1)
        for row in reader:
            line = reader.line_num + skipped
            if None in row or None in row.values():
                raise InputError(f"{path} line {line} does not have as many fields as the header: correct the line")
            yield line, dict(row)
    except csv.Error as error:
        line = reader.line_num + skipped
        raise InputError(f"{path} line {line} is not CSV: {error}: correct the quotes of the line") from error


def _find_separator(header: str) -> str:
    """Return the character that parts the names of a header, of which one is KEY; a comma if none does."""
    parted = (sign for sign in SEPARATORS if KEY in {name.strip(' "\r\n').casefold() for name in header.split(sign)})
    return next(parted, ",")


def _check_header(names: Collection[str], path: str, line: int) -> None:
    plain = [name.strip().casefold() for name in names]
    if repeated := sorted({name for name in plain if plain.count(name) > 1}):
        raise InputError(f"{path} line {line} names {', '.join(repeated)} more than once: give each column a name of its own")


def _parse_json_lines(path: str, text: str) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = DECODER.decode(line)
            if "\\u" in line or line.count("[") + line.count("{") > MOST_NESTED:
                make_json_value(record)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} line {number} is not JSON that can be kept: {error}: write one object a line") from error
        if not isinstance(record, dict):
            raise InputError(f'{path} line {number} is not an object: write it as {{"path": "report.pdf", "year": 2023}}')
        yield number, record


def _rename_fields(record: Mapping[str, object], columns: Collection[str], path: str, line: int) -> dict[str, object]:
    """Return a record whose names are those of declared columns and KEY as declared, and others without blanks around them."""
    declared = {name.casefold(): name for name in (KEY, *columns)}
    named: dict[str, Any] = {}
    for written, value in record.items():
        name = declared.get(written.strip().casefold(), written.strip())
        if name in named:
            raise InputError(f"{path} line {line} names {name} more than once: give each column a name of its own")
        named[name] = value
    return named


def _split_path_from_metadata(record: Mapping[str, object], path: str, line: int) -> tuple[str, dict[str, object]]:
    key = record.get(KEY)
    if not isinstance(key, str) or not key.strip():
        raise InputError(
            f"{path} line {line} has no path: name the document's path relative to {path.rpartition('/')[0]} in a column `path`"
        )
    return key.strip(), {name: value for name, value in record.items() if name != KEY}


def _convert_value(value: object, kind: str | None, name: str, where: str) -> Any:
    if value is None or value == "":
        return None
    if kind is None:
        return value
    try:
        return split_groups(value) if name == GROUPS else CONVERTERS[kind](value)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise InputError(
            f"{where}: {name} is {value!r}, which is not of type {kind}: correct it, or declare another type"
        ) from error


def _parse_int(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(value)
    number = int(value)
    if not -(2**63) <= number < 2**63:
        raise ValueError(value)
    return number


def _parse_float(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(value)
    return number


def _parse_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[str(value).strip().lower()]


def _parse_string(value: object) -> str:
    if isinstance(value, (dict, list)):
        raise ValueError(value)
    return str(value)


def _parse_date(value: object) -> str:
    return date.fromisoformat(str(value).strip()).isoformat()


CONVERTERS = {
    "int": _parse_int,
    "float": _parse_float,
    "bool": _parse_bool,
    "string": _parse_string,
    "date": _parse_date,
    "list<string>": split_list,
}
