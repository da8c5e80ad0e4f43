"""Run a suite, a list of Great Expectations expectations, over rows; what it finds becomes rows of VALIDATIONS."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from expectations.findings import Finding
from expectations.tallies import Rows, Tally

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation

UNSAID = {"batch_id", "column", "partition_object", "tail_weight_holdout", "internal_weight_holdout"}


def run_suite(
    name: str, rows: Iterable[Rows], n_rows: int, expectations: "Sequence[Expectation]", key: str | None = None
) -> list[Finding]:
    """Return one finding for each expectation, in their order, over `n_rows` rows that come in parts.

    A part may lack columns that another part has for the same rows. `key` is the column that identifies a row in the examples
    of what was observed. An expectation's `meta` is added to what is allowed. If an expectation cannot be judged, for example
    because its column is missing or has the wrong type, its finding fails, is critical and holds the message.
    """
    tallies = [Tally(expectation, key) for expectation in expectations]
    for part in rows:
        for tally in tallies:
            tally.add(part)
    return [_finding(name, position, tally, n_rows) for position, tally in enumerate(tallies)]


def _finding(suite: str, position: int, tally: Tally, n_rows: int) -> Finding:
    config = tally.expectation.configuration
    success, observed = (False, {"error": tally.error}) if tally.error else tally.judged(n_rows)
    return Finding(
        suite=suite,
        position=position,
        expectation=config.type,
        column=tally.column,
        severity="critical" if tally.error else config.severity.value,
        success=success,
        observed=_json(observed),
        allowed=_json(_allowed(config.kwargs) | (tally.expectation.meta or {})),
    )


def _allowed(kwargs: dict[str, Any]) -> dict[str, Any]:
    said = {key: value for key, value in kwargs.items() if key not in UNSAID and value is not None}
    rows = said.pop("row_condition", None)
    where = {"where": f"{rows['column']['name']} {rows['operator']} {rows['parameter']}"} if rows else {}
    return where | (said or {"unexpected": 0})


def _json(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)


def _plain(value: Any) -> Any:
    """Return `value` in a form that JSON can hold: no NumPy scalars, NaN as null, floats with six digits."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return float(f"{value:.6g}") if value - value == 0 else None
    return value if value is None or isinstance(value, str | int) else str(value)
