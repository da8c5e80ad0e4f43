"""The gate's expectations evaluated in plain Python: Great Expectations takes most of the time of a small refresh.

It knows drafts that keep all of them. What it does not know, and what fails, is left to Great Expectations itself.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from expectations import suites
from expectations.findings import Finding

Check = Callable[[Any, Any], Any]


def _between(values: Any, expectation: Any) -> Any:
    low, high = expectation.min_value, expectation.max_value
    return (values >= (low if low is not None else values)) & (values <= (high if high is not None else values))


CHECKS: dict[str, Check] = {
    "expect_column_values_to_not_be_null": lambda values, expectation: values.notna(),
    "expect_column_values_to_be_unique": lambda values, expectation: ~values.duplicated(keep=False),
    "expect_column_values_to_be_in_set": lambda values, expectation: values.isin(expectation.value_set),
    "expect_column_values_to_be_between": _between,
}
"""For each value of a column, whether it is as expected."""


def quick_suite(name: str, frame: Any, expectations: Sequence[Any], key: str | None = None) -> list[Finding]:
    """Do what `run_suite` does, but for expectations that only warn, which are passed over."""
    critical = [expectation for expectation in expectations if str(getattr(expectation.severity, "value", "")) == "critical"]
    if all(_holds(frame, expectation) for expectation in critical):
        return [_finding(name, position, frame, expectation) for position, expectation in enumerate(critical)]
    return suites.run_suite(name, frame, expectations, key)


def _holds(frame: Any, expectation: Any) -> bool:
    if expectation.expectation_type == "expect_table_row_count_to_equal":
        return bool(len(frame) == expectation.value)
    if expectation.expectation_type not in CHECKS:
        return False
    rows = frame[frame["new"]] if expectation.row_condition is not None else frame
    is_about_nulls = expectation.expectation_type == "expect_column_values_to_not_be_null"
    values = rows[expectation.column] if is_about_nulls else rows[expectation.column].dropna()
    return bool(CHECKS[expectation.expectation_type](values, expectation).sum() >= expectation.mostly * len(values))


def _finding(name: str, position: int, frame: Any, expectation: Any) -> Finding:
    return Finding(
        suite=name,
        position=position,
        expectation=expectation.expectation_type,
        column=getattr(expectation, "column", ""),
        severity="critical",
        success=True,
        observed=json.dumps({"unexpected": 0, "of": len(frame)}),
        allowed=json.dumps({"unexpected": 0}),
    )
