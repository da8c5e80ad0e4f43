"""What a suite expects, in the terms of Great Expectations, as plain values: Great Expectations takes seconds to load."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Severity = Literal["critical", "warning"]


class Expected(NamedTuple):
    """One expectation: its type and arguments as Great Expectations names them.

    `where` (column, value) limits it to some rows. `meta` is added to what a finding says is allowed.
    """

    type: str
    column: str = ""
    arguments: Mapping[str, Any] = {}
    severity: Severity = "critical"
    where: tuple[str, Any] | None = None
    meta: Mapping[str, Any] = {}


class Counted(NamedTuple):
    """What there is to judge an expectation by: `n` rows, of these `nulls` and `unexpected` ones, with examples.

    An expectation that looks at a whole column has the number of rows by value instead. `error` says why nothing can be judged.
    """

    n: int
    nulls: int
    unexpected: int
    examples: list[Any]
    histogram: Mapping[Any, int]
    error: str = ""


class Tallied(NamedTuple):
    """A suite that has seen its `n_rows` rows."""

    suite: str
    n_rows: int
    results: tuple[tuple[Expected, Counted], ...]
