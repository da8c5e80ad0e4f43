"""Metadata: what files say of documents, as values that JSON can hold and every door can show."""

import math
from collections.abc import Mapping
from datetime import date

from schemas.ids import is_unicode

MOST_NESTED = 32
"""Lists and mappings in each other. Whoever lists documents reads all of it, and readers of JSON stop at some hundred."""


def make_json_value(value: object, left: int = MOST_NESTED) -> object:
    """Return a value whose names are texts, and so are infinite numbers; what else JSON has no form for, such as a date, stays.

    >>> make_json_value({1: math.inf, None: [True], date(2024, 5, 31): ("a",)})
    {'1': 'inf', 'null': [True], '2024-05-31': ['a']}

    Raises:
        ValueError: it is nested too deeply, or not Unicode, or a number of thousands of digits.
    """
    if isinstance(value, Mapping | list | tuple) and not left:
        raise ValueError(f"it is nested more than {MOST_NESTED} deep")
    if isinstance(value, Mapping):
        return {_make_name(name): make_json_value(inner, left - 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [make_json_value(inner, left - 1) for inner in value]
    if isinstance(value, str) and not is_unicode(value):
        raise ValueError("it holds half of a surrogate pair, which is no character")
    if isinstance(value, int) and not isinstance(value, bool):
        str(value)  # raises ValueError: nothing can write a number of thousands of digits
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _make_name(name: object) -> str:
    if isinstance(name, bool) or name is None:
        return {True: "true", False: "false", None: "null"}[name]
    return str(make_json_value(name.isoformat() if isinstance(name, date) else str(name)))
