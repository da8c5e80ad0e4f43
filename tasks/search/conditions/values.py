"""Values in conditions, by the types of the columns that they are compared with."""

import math
import re
from datetime import date
from typing import NamedTuple

import pyarrow as pa

WHOLE = re.compile(r"[+-]?\d{1,19}")
DAY = re.compile(r"'\d{4}-\d{2}-\d{2}'")


class Form(NamedTuple):
    """What values of a column are: columns with values of one family can be compared. `written` says how to write one."""

    family: str
    written: str


def get_value_form(kind: pa.DataType) -> Form | None:
    """Return what values of a type are, None if no condition can use them.

    >>> get_value_form(pa.date32())
    Form(family='date', written="a date, such as '2024-05-31'")
    """
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return Form("text", "text in single quotes, such as 'a'")
    if pa.types.is_integer(kind):
        return Form("number", f"a whole number of {kind.bit_width} bits")
    if pa.types.is_floating(kind):
        return Form("number", "a number")
    if pa.types.is_boolean(kind):
        return Form("boolean", "true or false")
    if pa.types.is_date32(kind):
        return Form("date", "a date, such as '2024-05-31'")
    if pa.types.is_list(kind) and get_value_form(kind.value_type):
        return Form("list", "array_has(column, value)")
    return None


def write_value_as_sql(kind: str, written: str, of: pa.DataType) -> str | None:
    """Return the value that a token writes, in SQL, None if it is no value of a type. `kind` is that of the token, or date.

    >>> write_value_as_sql("number", "+07", pa.int32()), write_value_as_sql("text", "'2024-02-30'", pa.date32())
    ('7', None)
    """
    family = (get_value_form(of) or Form("", "")).family
    if family == "text" and kind == "text":
        return quote_as_sql(written[1:-1].replace("''", "'"))
    if family == "number" and kind == "number":
        return _parse_whole_number(written, of.bit_width) if pa.types.is_integer(of) else _parse_number(written)
    if family == "boolean" and kind == "name" and written.lower() in ("true", "false"):
        return written.lower()
    if family == "date" and kind in ("text", "date") and DAY.fullmatch(written):
        return _parse_date(written[1:-1])
    return None


def quote_as_sql(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def _parse_whole_number(written: str, bits: int) -> str | None:
    """Return a whole number that Lance reads as one: the least of 64 bits would become a number with a point."""
    if not WHOLE.fullmatch(written):
        return None
    most = 2 ** (bits - 1)
    number = int(written)
    return str(number) if max(-most, 1 - 2**63) <= number < most else None


def _parse_number(written: str) -> str | None:
    number = float(written)
    return repr(number) if math.isfinite(number) else None


def _parse_date(written: str) -> str | None:
    try:
        return f"date '{date.fromisoformat(written)}'"
    except ValueError:
        return None
