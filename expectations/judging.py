"""Judging: Great Expectations says whether what was counted is as expected. It takes seconds to load, and only here."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from expectations.expected import Counts, ExpectationSpec, Finding, TalliedSuite
from expectations.tallies import is_judged_by_row

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation

UNSAID = {"batch_id", "column", "partition_object", "tail_weight_holdout", "internal_weight_holdout"}

FORM = {"result_format": "BASIC"}
COUNTS_ONLY = {"result_format": "BOOLEAN_ONLY"}


def judge_expectations(suites: Sequence[TalliedSuite]) -> list[Finding]:
    """Return one finding for each expectation, in the order of the suites.

    If an expectation cannot be judged, for example because its column is missing or has the wrong type, its finding fails, is
    critical and holds the message.
    """
    return [_make_finding(tallied, position, *result) for tallied in suites for position, result in enumerate(tallied.results)]


def _make_finding(tallied: TalliedSuite, position: int, expected: ExpectationSpec, counted: Counts) -> Finding:
    expectation = make_gx_expectation(expected)
    config = expectation.configuration
    success, observed = (
        (False, {"error": counted.error}) if counted.error else _judge_expectation(expectation, expected, counted, tallied.n_rows)
    )
    return Finding(
        suite=tallied.suite,
        position=position,
        expectation=config.type,
        column=expected.column,
        severity="critical" if counted.error else config.severity.value,
        success=success,
        observed=_dump_as_json(observed),
        allowed=_dump_as_json(_describe_allowed(config.kwargs) | dict(expected.meta)),
    )


def make_gx_expectation(expected: ExpectationSpec) -> "Expectation":
    """Return the object of Great Expectations for what is expected."""
    import great_expectations.expectations  # noqa: F401  registers them
    from great_expectations.expectations.registry import get_expectation_impl
    from great_expectations.expectations.row_conditions import Column

    arguments = {**expected.arguments, "severity": expected.severity}
    if expected.column:
        arguments["column"] = expected.column
    if expected.where:
        column, value = expected.where
        arguments["row_condition"] = Column(column) == value
    return get_expectation_impl(expected.type)(**arguments)


def _judge_expectation(
    expectation: "Expectation", expected: ExpectationSpec, counted: Counts, n_rows: int
) -> tuple[bool, object]:
    """Return whether an expectation is met, and what was observed."""
    by_row = is_judged_by_row(expected)
    form = {**(COUNTS_ONLY if by_row else FORM)}
    asked = expectation.get_validation_dependencies(runtime_configuration=form).metric_configurations
    metrics = {
        found.id: _compute_metric(name, found.metric_value_kwargs, expected, counted, n_rows) for name, found in asked.items()
    }
    result = expectation.metrics_validate(metrics, runtime_configuration=form)
    if not by_row:
        return bool(result.success), result.result["observed_value"]
    observed = {"unexpected": counted.unexpected, "of": counted.n}
    return bool(result.success), {**observed, **({"examples": counted.examples} if counted.unexpected else {})}


def _compute_metric(name: str, given: Mapping[str, Any], expected: ExpectationSpec, counted: Counts, n_rows: int) -> object:
    """Return a number that Great Expectations asks for ("metric")."""
    values = counted.histogram
    known: dict[str, Callable[[], object]] = {
        "table.row_count": lambda: counted.n if expected.column else n_rows,
        "column_values.nonnull.unexpected_count": lambda: counted.nulls,
        "column_values.nonnull.count": lambda: sum(values.values()),
        "column.mean": lambda: mean_of_counts(values),
        "column.quantile_values": lambda: [quantile_of_counts(values, share) for share in given["quantiles"]],
        "column.histogram": lambda: count_between_edges(values, given["bins"]),
        "below_partition": lambda: sum(n for value, n in values.items() if value < given["max_value"]),
        "above_partition": lambda: sum(n for value, n in values.items() if value > given["min_value"]),
    }
    return known[name]() if name in known else counted.unexpected


def mean_of_counts(histogram: Mapping[float, int]) -> float | None:
    """Return the mean of counted values; None if there are none."""
    n = sum(histogram.values())
    return sum(value * times for value, times in histogram.items()) / n if n else None


def quantile_of_counts(histogram: Mapping[float, int], share: float) -> float | None:
    """Return the counted value that stands nearest to a `share` of their order; None if there are none.

    >>> quantile_of_counts({3: 2, 9: 1}, 0.5)
    3
    """
    place, reached = round((sum(histogram.values()) - 1) * share), 0
    for value in sorted(histogram):
        reached += histogram[value]
        if place < reached:
            return value
    return None


def count_between_edges(histogram: Mapping[float, int], edges: "list[float]") -> list[int]:
    """Return how many of the counted values lie between consecutive edges; the last range includes its right edge."""
    import numpy as np

    counts, _ = np.histogram(list(histogram), bins=edges, weights=list(histogram.values()))
    return [int(n) for n in counts]


def _describe_allowed(kwargs: dict[str, Any]) -> dict[str, object]:
    said = {key: value for key, value in kwargs.items() if key not in UNSAID and value is not None}
    rows = said.pop("row_condition", None)
    where = {"where": f"{rows['column']['name']} {rows['operator']} {rows['parameter']}"} if rows else {}
    return where | (said or {"unexpected": 0})


def _dump_as_json(value: object) -> str:
    return json.dumps(_convert_to_json_value(value), ensure_ascii=False, sort_keys=True)


def _convert_to_json_value(value: object) -> JsonValue:
    """Return `value` in a form that JSON can hold: no NumPy scalars, NaN as null, floats with six digits."""
    if isinstance(value, dict):
        return {str(key): _convert_to_json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_convert_to_json_value(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return float(f"{value:.6g}") if value - value == 0 else None
    return value if value is None or isinstance(value, str | int) else str(value)
