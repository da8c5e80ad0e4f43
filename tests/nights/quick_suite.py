"""The gate's expectations evaluated in plain Python: Great Expectations takes most of the time of a small refresh.

What is not known here is left to Great Expectations itself. Other tests hold it against real drafts.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from expectations import suites
from expectations.suites import Finding

Check = Callable[[Any, Any], bool]


def _column(frame: Any, expectation: Any) -> Any:
    rows = frame[frame["new"]] if expectation.row_condition is not None else frame
    return rows[expectation.column]


def _between(frame: Any, expectation: Any) -> bool:
    values = _column(frame, expectation).dropna()
    low, high = expectation.min_value, expectation.max_value
    good = [(low is None or value >= low) and (high is None or value <= high) for value in values]
    return bool(sum(good) >= expectation.mostly * len(good))


def _sum(frame: Any, expectation: Any) -> bool:
    return bool(frame[expectation.column].sum() <= expectation.max_value)


CHECKS: dict[str, Check] = {
    "expect_table_row_count_to_equal": lambda frame, expectation: len(frame) == expectation.value,
    "expect_column_values_to_not_be_null": lambda frame, expectation: bool(_column(frame, expectation).notna().all()),
    "expect_column_values_to_be_unique": lambda frame, expectation: bool(frame[expectation.column].is_unique),
    "expect_column_values_to_be_in_set": lambda frame, expectation: bool(
        _column(frame, expectation).dropna().isin(expectation.value_set).all()
    ),
    "expect_column_values_to_be_between": _between,
    "expect_column_sum_to_be_between": _sum,
}


def quick_suite(name: str, frame: Any, expectations: Sequence[Any], key: str | None = None) -> list[Finding]:
    """Do what `run_suite` does. Suites that only warn are passed over."""
    said = [expectation for expectation in expectations if _severity(expectation) == "critical"]
    if any(expectation.expectation_type not in CHECKS for expectation in said):
        return suites.run_suite(name, frame, expectations, key)
    return [_finding(name, position, frame, expectation) for position, expectation in enumerate(said)]


def _severity(expectation: Any) -> str:
    return str(getattr(expectation.severity, "value", expectation.severity))


def _finding(name: str, position: int, frame: Any, expectation: Any) -> Finding:
    kind = expectation.expectation_type
    success = CHECKS[kind](frame, expectation)
    column = getattr(expectation, "column", "")
    observed = int(frame[column].sum()) if kind == "expect_column_sum_to_be_between" else success
    limits = {limit: getattr(expectation, limit, None) for limit in ("min_value", "max_value")}
    return Finding(
        suite=name,
        position=position,
        expectation=kind,
        column=column,
        severity="critical",
        success=success,
        observed=json.dumps(observed),
        allowed=json.dumps({limit: value for limit, value in limits.items() if value is not None}),
    )
