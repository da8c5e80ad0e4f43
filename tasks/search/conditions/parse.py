"""Parse a condition, and write it anew as SQL. What is not understood is refused.

    any  := all {OR all}        all := one {AND one}        one := NOT one | ( any ) | test
    test := TRUE | FALSE | column | value sign column | column sign (value | column) | array_has(column, value)
          | column IS [NOT] NULL | column [NOT] IN (value {, value}) | column [NOT] (LIKE | ILIKE) pattern
          | column [NOT] BETWEEN value AND value

Lance evaluates any expression, and some of them end the process or take all of its memory. So nothing of the caller's text
reaches it as it stands: columns are those of the table, values have the type of their column, NOT is carried into the tests.
"""

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from schemas.errors import InputError
from schemas.ids import is_unicode
from schemas.options.search import CONDITION_CHARS
from tasks.search.conditions.reader import Column, Reader, Token

DEPTH = 50
"""How deep parentheses and NOT may be nested."""
OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
SPELLED = {"==": "=", "!=": "<>"}
SIGNS = (*OPPOSITE, *SPELLED)
MEMBERSHIP = ("array_has", "array_contains")


class Condition(NamedTuple):
    """A condition in SQL that Lance takes as it was meant, and the columns that it reads."""

    sql: str
    columns: frozenset[str]


class Joined(NamedTuple):
    """Parts joined by AND or OR. A part is a test in SQL, or parts joined by the other word."""

    word: str
    parts: tuple["Joined | str", ...]


def parse_condition(where: str, columns: Mapping[str, pa.DataType], offered: str) -> Condition:
    """Return a caller's condition on `columns`, types by names; `offered` says in an error which columns there are.

    >>> parse_condition("not (Path = 'a' or n_pages > 3)", {"path": pa.string(), "n_pages": pa.int32()}, "").sql
    "`path` <> 'a' AND `n_pages` <= 3"

    Raises:
        InputError: it is no condition on these columns, or larger than is allowed; the message says where, and what to write.
    """
    if not is_unicode(where):
        raise InputError("the condition is not UTF-8: set the terminal to UTF-8, or use other characters")
    if len(where) > CONDITION_CHARS:
        raise InputError(f"the condition has {len(where):,} characters: at most {CONDITION_CHARS:,} are read, so shorten it")
    if not where.strip():
        raise InputError("the condition is empty: leave it out, or compare a column, such as path = 'a.pdf'")
    reader = Reader(where, columns, offered)
    parsed = _parse_disjunction(reader, False, DEPTH)
    if reader.next.kind != "end":
        raise reader.make_error()
    return Condition(write_condition_as_sql(parsed), frozenset(reader.used))


def write_condition_as_sql(condition: Joined | str) -> str:
    """Return a parsed condition as SQL, with the parentheses that it needs and no others: Lance reads some 45 at most.

    >>> write_condition_as_sql(Joined("AND", ("a", Joined("OR", ("b", "c")))))
    'a AND (b OR c)'
    """
    if isinstance(condition, str):
        return condition
    return f" {condition.word} ".join(
        f"({write_condition_as_sql(part)})" if isinstance(part, Joined) and part.word == "OR" else write_condition_as_sql(part)
        for part in condition.parts
    )


def _parse_disjunction(reader: Reader, negated: bool, depth: int) -> Joined | str:
    parts = [_parse_conjunction(reader, negated, depth)]
    while reader.take("or"):
        parts.append(_parse_conjunction(reader, negated, depth))
    return _join_conditions("AND" if negated else "OR", parts)


def _parse_conjunction(reader: Reader, negated: bool, depth: int) -> Joined | str:
    parts = [_parse_single_condition(reader, negated, depth)]
    while reader.take("and"):
        parts.append(_parse_single_condition(reader, negated, depth))
    return _join_conditions("OR" if negated else "AND", parts)


def _join_conditions(word: str, parts: list[Joined | str]) -> Joined | str:
    """Return conditions joined by a word. Parts that are joined by the same word already are joined directly."""
    if len(parts) == 1:
        return parts[0]
    flat = (part.parts if isinstance(part, Joined) and part.word == word else (part,) for part in parts)
    return Joined(word, tuple(one for each in flat for one in each))


def _parse_single_condition(reader: Reader, negated: bool, depth: int) -> Joined | str:
    if not reader.next.is_any_of("not", "("):
        return _parse_test(reader, negated)
    if not depth:
        raise reader.make_error(f"parentheses and NOT are nested more than {DEPTH} deep: take some away")
    if reader.take("not"):
        return _parse_single_condition(reader, not negated, depth - 1)
    reader.expect("(")
    found = _parse_disjunction(reader, negated, depth - 1)
    reader.expect(")")
    return found


def _parse_test(reader: Reader, negated: bool) -> str:
    if reader.next.is_any_of(*MEMBERSHIP) and reader.is_before("("):
        return f"{'NOT ' if negated else ''}{_parse_membership(reader)}"
    if value := reader.take_value():
        return _parse_test_of_value(reader, value, negated)
    column = reader.column()
    if sign := reader.take(*SIGNS):
        return _parse_comparison(reader, column, sign, negated)
    if reader.take("is"):
        negated ^= bool(reader.take("not"))
        reader.expect("null")
        return f"{column.sql} IS {'NOT ' if negated else ''}NULL"
    return _parse_test_of_column(reader, column, negated)


def _parse_membership(reader: Reader) -> str:
    reader.take(*MEMBERSHIP)
    reader.expect("(")
    place, column = reader.next, reader.column()
    if column.form.family != "list":
        raise reader.make_error(f"{column.name} holds no lists: compare it, such as with =", place)
    reader.expect(",")
    value = reader.value(column.item)
    reader.expect(")")
    return f"array_has({column.sql}, {value})"


def _parse_test_of_value(reader: Reader, value: Token, negated: bool) -> str:
    """Return a value compared with a column; or true or false alone."""
    if sign := reader.take(*SIGNS):
        column = reader.column()
        comparator = _choose_comparator(sign, negated)
        return f"{column.sql} {MIRRORED.get(comparator, comparator)} {reader.write_value(value, column)}"
    if not value.is_any_of("true", "false"):
        raise reader.make_error()
    return "true" if value.is_any_of("true") != negated else "false"


def _parse_comparison(reader: Reader, column: Column, sign: Token, negated: bool) -> str:
    comparator = _choose_comparator(sign, negated)
    if reader.next.kind not in ("name", "quoted") or reader.next.is_any_of("true", "false", "null") or reader.is_day:
        return f"{column.sql} {comparator} {reader.value(column)}"
    place, other = reader.next, reader.column()
    if column.form.family == "list" or other.form.family != column.form.family:
        raise reader.make_error(f"{column.name} is compared with {column.form.written}", place)
    return f"{column.sql} {comparator} {other.sql}"


def _parse_test_of_column(reader: Reader, column: Column, negated: bool) -> str:
    """Return IN, LIKE or BETWEEN; or a column of true and false alone."""
    inverted = bool(reader.take("not"))
    tested = f"{column.sql} NOT" if inverted != negated else column.sql
    if reader.take("in"):
        return f"{tested} IN ({', '.join(_parse_value_list(reader, column))})"
    if like := reader.take("like", "ilike"):
        return f"{tested} {like.written.upper()} {reader.pattern(column)}"
    if reader.take("between"):
        low = reader.value(column)
        reader.expect("and")
        return f"{tested} BETWEEN {low} AND {reader.value(column)}"
    if inverted or column.form.family != "boolean":
        raise reader.make_error()
    return f"{'NOT ' if negated else ''}{column.sql}"


def _parse_value_list(reader: Reader, column: Column) -> list[str]:
    reader.expect("(")
    values = [reader.value(column)]
    while reader.take(","):
        values.append(reader.value(column))
    reader.expect(")")
    return values


def _choose_comparator(sign: Token, negated: bool) -> str:
    plain = SPELLED.get(sign.written, sign.written)
    return OPPOSITE[plain] if negated else plain
