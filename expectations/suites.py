"""Run a suite (a list of Great Expectations expectations) over a data frame. Its findings become rows of VALIDATIONS."""

import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from expectations.findings import Finding

if TYPE_CHECKING:
    from great_expectations.core import ExpectationSuite, ExpectationValidationResult
    from great_expectations.expectations import Expectation
    from pandas import DataFrame

N_EXAMPLES = 5
UNSAID = {"batch_id", "column", "partition_object", "tail_weight_holdout", "internal_weight_holdout"}
_one_context = threading.Lock()
"""Great Expectations keeps its current context in a global."""


def run_suite(name: str, frame: "DataFrame", expectations: "Sequence[Expectation]", key: str | None = None) -> list[Finding]:
    """Return one finding for each expectation, in their order.

    `key` is the column whose values name rows in the examples of `observed`. An expectation's `meta` becomes part of `allowed`.
    An expectation that raises (for example, because its column is missing) gives a failed critical finding with the message.
    """
    import great_expectations as gx

    placed = [
        expectation.copy(update={"meta": {"said": expectation.meta, "position": at}})
        for at, expectation in enumerate(expectations)
    ]
    with _one_context:
        results = _validate(frame, gx.ExpectationSuite(name=name, expectations=placed), key) if placed else []
    findings = [_finding(name, result) for result in results]
    return sorted(findings, key=lambda finding: finding.position)


def _validate(frame: "DataFrame", suite: "ExpectationSuite", key: str | None) -> "Sequence[ExpectationValidationResult]":
    import great_expectations as gx
    from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults

    stores = InMemoryStoreBackendDefaults(init_temp_docs_sites=False)
    context = gx.get_context(mode="ephemeral", project_config=DataContextConfig(store_backend_defaults=stores))
    context.enable_analytics(False)
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    asset = context.data_sources.add_pandas("draft").add_dataframe_asset(suite.name)
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch(batch_parameters={"dataframe": frame})
    named = {"unexpected_index_column_names": [key]} if key and key in frame.columns else {}
    form = {"result_format": "SUMMARY", "partial_unexpected_count": N_EXAMPLES, **named}
    results: Sequence[ExpectationValidationResult] = batch.validate(suite, result_format=form).results
    context.data_sources.delete("draft")
    return results


def _finding(suite: str, result: "ExpectationValidationResult") -> Finding:
    config = result.expectation_config
    error = _error(result.exception_info)
    return Finding(
        suite=suite,
        position=config.meta["position"],
        expectation=config.type,
        column=config.kwargs.get("column", ""),
        severity="critical" if error else config.severity.value,
        success=bool(result.success) and not error,
        observed=_json({"error": error}) if error else _json(_observed(result.result)),
        allowed=_json(_allowed(config.kwargs) | (config.meta["said"] or {})),
    )


def _error(info: dict[str, Any]) -> str:
    """Return the message of the error that an expectation raised. It is in `info` itself, or below a metric that failed."""
    causes = [info] if "raised_exception" in info else list(info.values())
    return "; ".join(sorted({str(cause["exception_message"]) for cause in causes if cause["raised_exception"]}))


def _observed(result: dict[str, Any]) -> Any:
    if "unexpected_count" not in result:
        return result.get("observed_value")
    examples = result.get("partial_unexpected_index_list") or result.get("partial_unexpected_list")
    counts = {"unexpected": result["unexpected_count"], "of": result["element_count"]}
    return counts | ({"examples": examples} if result["unexpected_count"] else {})


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
