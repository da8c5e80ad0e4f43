"""A small table with every kind of column that a condition can name, and drawn conditions with what they mean in Python."""

import datetime
import operator
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from hypothesis import strategies as st

from tasks.store.indexes import choose_scalar_index

Row = Mapping[str, Any]
Meaning = Callable[[Row], bool | None]
"""Whether a condition holds for a row; None if nobody knows, as SQL has it."""

SCHEMA = pa.schema(
    {
        "path": pa.string(),
        "Author": pa.string(),
        "text": pa.large_string(),
        "n_pages": pa.int32(),
        "n_chars": pa.int64(),
        "größe": pa.float64(),
        "open": pa.bool_(),
        "date": pa.date32(),
        "section": pa.list_(pa.string()),
        "pages": pa.list_(pa.int32()),
    }
)
VALUES: dict[str, list[Any]] = {
    "path": ["a.pdf", "A.PDF", "a/b_c.txt", "100%", "back\\slash", "o'clock", "", "zoë.md", None],
    "n_pages": [0, 1, 2, 3, -7, 2**31 - 1, -(2**31), None],
    "größe": [0.5, 1.0, -2.25, 1e22, 0.1, None],
    "open": [True, False, None],
    "date": [datetime.date(2024, 5, 31), datetime.date(1960, 1, 1), datetime.date(9999, 12, 31), None],
}
VALUES |= {"Author": VALUES["path"], "text": VALUES["path"], "n_chars": [*VALUES["n_pages"], 2**63 - 1, 1 - 2**63]}
LISTS: dict[str, list[Any]] = {"section": ["Results", "o'clock", ""], "pages": [1, 2, 2**31 - 1]}
ROWS = [
    {
        "id": number,
        **{name: values[number * step % len(values)] for step, (name, values) in enumerate(VALUES.items(), start=1)},
        "section": [None, [], ["Results"], ["", "o'clock"], ["Results", "o'clock"]][number % 5],
        "pages": [[1], [1, 2], [], None, [2**31 - 1]][number * 2 % 5],
    }
    for number in range(120)
]
FAMILIES = (("path", "Author", "text"), ("n_pages", "n_chars", "größe"), ("open",), ("date",))
SIGNS = {"=": operator.eq, "==": operator.eq, "<>": operator.ne, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
SIGNS |= {">": operator.gt, ">=": operator.ge}
PATTERNS = ["%", "a%", "%.pdf", "a_b%", "100\\%", "%\\_%", "back\\\\%", "_.pdf", "", "%a%t", "ZO%", "o'%", "a.pdf"]


class Drawn(NamedTuple):
    """A condition as a caller could write it, and what it means."""

    written: str
    holds: Meaning


def write_table(folder: Path) -> Any:
    """Return ROWS as a Lance dataset whose columns have the indexes of declared columns, but `path`, in a folder."""
    import lance

    dataset = lance.write_dataset(pa.Table.from_pylist(ROWS, SCHEMA.append(pa.field("id", pa.int32()))), str(folder))
    for field in SCHEMA:
        if field.name not in ("path", "pages"):
            dataset.create_scalar_index(field.name, choose_scalar_index(field.type))
    return dataset


def matching(holds: Meaning) -> list[int]:
    """Return the ids of the rows for which a condition holds."""
    return [row["id"] for row in ROWS if holds(row) is True]


def _spelled(draw: st.DrawFn, word: str) -> str:
    return draw(st.sampled_from([word, word.lower(), word.capitalize()]))


def _name(draw: st.DrawFn, column: str) -> str:
    return draw(st.sampled_from([column, f"`{column}`", f'"{column}"', *([column.upper()] if column.isascii() else [])]))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.date):
        return f"date '{value}'" if value.year < 3000 else f"'{value}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _known(column: str) -> st.SearchStrategy[Any]:
    whole = {"n_pages": (-(2**31), 2**31 - 1), "n_chars": (1 - 2**63, 2**63 - 1)}
    drawn = st.sampled_from([value for value in VALUES[column] if value is not None])
    if column in FAMILIES[0]:
        return drawn | st.text(max_size=8)
    return drawn | st.integers(*whole[column]) if column in whole else drawn


@st.composite
def _comparisons(draw: st.DrawFn) -> Drawn:
    column = draw(st.sampled_from([*VALUES]))
    sign = draw(st.sampled_from([*SIGNS]))
    value = draw(_known(column))
    if draw(st.booleans()):
        return Drawn(f"{_name(draw, column)} {sign} {_value(value)}", _of([column], lambda row: SIGNS[sign](row[column], value)))
    return Drawn(f"{_value(value)}{sign}{_name(draw, column)}", _of([column], lambda row: SIGNS[sign](value, row[column])))


@st.composite
def _pairs(draw: st.DrawFn) -> Drawn:
    family = draw(st.sampled_from(FAMILIES))
    one, other = draw(st.sampled_from(family)), draw(st.sampled_from(family))
    sign = draw(st.sampled_from([*SIGNS]))
    written = f"{_name(draw, one)} {sign} {_name(draw, other)}"
    return Drawn(written, _of([one, other], lambda row: SIGNS[sign](_as(one, other, row[one]), _as(one, other, row[other]))))


def _as(one: str, other: str, value: Any) -> Any:
    return float(value) if "größe" in (one, other) else value


@st.composite
def _tests(draw: st.DrawFn) -> Drawn:
    column, no = draw(st.sampled_from([*VALUES])), draw(st.booleans())
    not_ = f"{_spelled(draw, 'NOT')} " if no else ""
    name, kind = _name(draw, column), draw(st.sampled_from(["IS", "IN", "BETWEEN"]))
    if kind == "IS":
        return Drawn(f"{name} {_spelled(draw, 'IS')} {not_}{_spelled(draw, 'NULL')}", lambda row: (row[column] is None) != no)
    if kind == "IN":
        values = draw(st.lists(_known(column), min_size=1, max_size=6))
        written = f"{name} {not_}{_spelled(draw, 'IN')} ({' , '.join(map(_value, values))})"
        return Drawn(written, _of([column], lambda row: (row[column] in values) != no))
    low, high = draw(_known(column)), draw(_known(column))
    written = f"{name} {not_}{_spelled(draw, 'BETWEEN')} {_value(low)} {_spelled(draw, 'AND')} {_value(high)}"
    return Drawn(written, _of([column], lambda row: (low <= row[column] <= high) != no))


@st.composite
def _likes(draw: st.DrawFn) -> Drawn:
    column, no, like = draw(st.sampled_from(FAMILIES[0])), draw(st.booleans()), draw(st.sampled_from(["LIKE", "ILIKE"]))
    pattern = draw(st.sampled_from(PATTERNS))
    found = re.compile(_as_regex(pattern), re.DOTALL | (re.IGNORECASE if like == "ILIKE" else 0))
    written = f"{_name(draw, column)} {_spelled(draw, 'NOT') + ' ' if no else ''}{_spelled(draw, like)} {_value(pattern)}"
    return Drawn(written, _of([column], lambda row: bool(found.fullmatch(row[column])) != no))


def _as_regex(pattern: str) -> str:
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    return "".join({"%": ".*", "_": "."}.get(part, re.escape(part[-1])) for part in parts)


@st.composite
def _memberships(draw: st.DrawFn) -> Drawn:
    column, call = draw(st.sampled_from([*LISTS])), draw(st.sampled_from(["array_has", "ARRAY_CONTAINS"]))
    value = draw(st.sampled_from(LISTS[column]))
    return Drawn(f"{call}({_name(draw, column)}, {_value(value)})", _of([column], lambda row: value in row[column]))


def _of(columns: list[str], holds: Meaning) -> Meaning:
    return lambda row: None if any(row[column] is None for column in columns) else holds(row)


def _joined(word: str, parts: list[Drawn]) -> Drawn:
    deciding = word == "OR"

    def holds(row: Row) -> bool | None:
        found = [part.holds(row) for part in parts]
        return deciding if deciding in found else None if None in found else not deciding

    return Drawn(f" {word} ".join(f"({part.written})" for part in parts), holds)


def _inverted(part: Drawn) -> Drawn:
    return Drawn(f"NOT ({part.written})", lambda row: None if (held := part.holds(row)) is None else not held)


CONSTANTS = [Drawn("true", lambda row: True), Drawn("FALSE", lambda row: False), Drawn("open", lambda row: row["open"])]
SIMPLE = st.one_of(st.sampled_from(CONSTANTS), _comparisons(), _pairs(), _tests(), _likes(), _memberships())
CONDITIONS: st.SearchStrategy[Drawn] = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(_inverted),
        st.builds(_joined, st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=4)),
    ),
    max_leaves=10,
)
"""Conditions of at most ten tests: no more LIKE than are allowed."""

FRAGMENTS = [
    *("repeat(text, 1000000)", "regexp_replace(text, '.', 'x', 'g')", "(select 1)", "1+1", "-- x", "/*", "0x1", "1e999", "::int"),
    *("[1]", "$1", ";", "NULL", "NOT ", " = ", " LIKE ", " AND ", " OR ", "(", ")", "'", '"', "`", "\\", "%", "_", "\x00", "é"),
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A condition of which a part was replaced, deleted or repeated."""
    text = draw(CONDITIONS).written
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        part = draw(st.sampled_from(["", text[start:end] * 2, *FRAGMENTS]) | st.text(max_size=4))
        text = text[:start] + part + text[end:]
    return text
