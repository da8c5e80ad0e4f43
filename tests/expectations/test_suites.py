import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectations.expected import BETWEEN, DRIFT, IN_SET, MEAN, NOT_NULL, QUANTILES, ROWS, ExpectationSpec, Finding
from expectations.judging import _dump_as_json, judge_expectations, make_gx_expectation, mean_of_counts, quantile_of_counts
from expectations.tallies import N_EXAMPLES, Rows, tally_suite


def run(suite: list[ExpectationSpec], *parts: Rows, key: str | None = None) -> list[Finding]:
    return judge_expectations([tally_suite("s", parts, sum(len(part.table) for part in parts), suite, key)])


def rows(**columns: Any) -> Rows:
    return Rows(pa.table(columns))


def test_findings_stand_in_the_order_of_the_suite_even_where_one_cannot_be_judged() -> None:
    suite = [ExpectationSpec(MEAN, name, {"max_value": 9}) for name in ("a", "missing", "a")]
    findings = run(suite, rows(a=[1, 2, 3]))
    assert [(finding.position, finding.column) for finding in findings] == [(0, "a"), (1, "missing"), (2, "a")]
    assert [finding.success for finding in findings] == [True, False, True]


def test_an_expectation_that_cannot_be_judged_is_critical_even_if_it_should_only_warn() -> None:
    (finding,) = run([ExpectationSpec(MEAN, "missing", {"min_value": 0}, "warning")], rows(a=[1]))
    assert finding.refuses
    assert "missing" in json.loads(finding.observed)["error"]


@pytest.mark.parametrize("kind", [MEAN, BETWEEN])
def test_an_expectation_on_a_column_of_the_wrong_type_is_critical(kind: str) -> None:
    (finding,) = run([ExpectationSpec(kind, "a", {"min_value": 0})], rows(a=["x", "y"]), rows(a=["z"]))
    assert finding.refuses
    assert "error" in json.loads(finding.observed)


def test_a_warning_that_fails_does_not_refuse() -> None:
    (finding,) = run([ExpectationSpec(MEAN, "a", {"max_value": 1}, "warning")], rows(a=[5]))
    assert not finding.success
    assert not finding.refuses


def test_a_failed_finding_names_the_rows_what_was_observed_and_what_is_allowed() -> None:
    suite = [ExpectationSpec(BETWEEN, "coverage", {"min_value": 0.98})]
    (finding,) = run(suite, rows(path=["a.pdf", "b.pdf"], coverage=[0.99, 0.123456789]), key="path")
    assert json.loads(finding.observed) == {
        "unexpected": 1,
        "of": 2,
        "examples": [{"path": "b.pdf", "coverage": 0.123457}],
    }
    assert json.loads(finding.allowed) == {"min_value": 0.98}


def test_a_condition_on_rows_is_part_of_what_is_allowed() -> None:
    suite = [ExpectationSpec(NOT_NULL, "a", where=("b", 2))]
    (finding,) = run(suite, rows(a=[None, 1], b=[1, 2]))
    assert finding.success
    assert json.loads(finding.observed) == {"unexpected": 0, "of": 1}
    assert json.loads(finding.allowed) == {"unexpected": 0, "where": "b == 2"}


@pytest.mark.parametrize("value", [np.nan, np.inf, np.float32(0.5), 7.0])
def test_whatever_is_not_expected_becomes_json(value: float) -> None:
    (finding,) = run([ExpectationSpec(IN_SET, "a", {"value_set": [1.0]})], rows(a=[float(value), 2.0]))
    json.loads(finding.observed)
    assert not finding.success


def test_few_examples_are_named_of_many_rows_in_many_parts() -> None:
    suite = [ExpectationSpec(BETWEEN, "a", {"max_value": 1})]
    (finding,) = run(suite, *(rows(a=[3, 0, 4]) for _ in range(9)))
    assert json.loads(finding.observed) == {"unexpected": 18, "of": 27, "examples": [3, 4, 3, 4, 3][:N_EXAMPLES]}


def test_an_empty_suite_finds_nothing() -> None:
    assert run([], rows(a=[1])) == []


COUNTED = st.lists(st.tuples(st.integers(1, 30), st.integers(1, 5)), min_size=1, max_size=20)
SUITE = [
    ExpectationSpec(ROWS, arguments={"value": 10}),
    ExpectationSpec(BETWEEN, "a", {"min_value": 3, "max_value": 20, "mostly": 0.7}),
    ExpectationSpec(IN_SET, "a", {"value_set": [*range(9)]}),
    ExpectationSpec(NOT_NULL, "a"),
    ExpectationSpec(MEAN, "a", {"min_value": 9}),
    ExpectationSpec(QUANTILES, "a", {"quantile_ranges": {"quantiles": [0.5, 0.95], "value_ranges": [[5, 20], [6, 20]]}}),
    ExpectationSpec(
        DRIFT,
        "a",
        {
            "partition_object": {"bins": [1.0, 8.0, 30.0], "weights": [0.5, 0.5]},
            "threshold": 0.3,
            "tail_weight_holdout": 0,
            "internal_weight_holdout": 0,
        },
    ),
]


@given(counted=COUNTED)
def test_rows_that_stand_for_several_find_what_the_rows_themselves_do(counted: list[tuple[int, int]]) -> None:
    values, counts = (pa.array(column, pa.int64()) for column in zip(*counted, strict=True))
    spread = pa.array([value for value, n in counted for _ in range(n)], pa.int64())
    one_by_one = judge_expectations([tally_suite("s", [Rows(pa.table({"a": [value]})) for value in spread], len(spread), SUITE)])
    together = judge_expectations([tally_suite("s", [Rows(pa.table({"a": values}), counts)], len(spread), SUITE)])
    for one, other in zip(one_by_one, together, strict=True):
        assert one.success == other.success
        found, expected = json.loads(one.observed), json.loads(other.observed)
        named = isinstance(found, dict) and "unexpected" in found
        assert (found["unexpected"], found["of"]) == (expected["unexpected"], expected["of"]) if named else found == expected


@pytest.fixture(scope="module")
def validate_rows() -> Callable[[pd.DataFrame, ExpectationSpec], Any]:
    """Judge rows as Great Expectations documents it."""
    import great_expectations as gx

    source = gx.get_context(mode="ephemeral").data_sources.add_pandas("rows")
    whole = source.add_dataframe_asset("rows").add_batch_definition_whole_dataframe("whole")
    return lambda rows, spec: whole.get_batch({"dataframe": rows}).validate(make_gx_expectation(spec))


@settings(max_examples=15)
@given(counted=COUNTED)
def test_counts_are_judged_as_great_expectations_judges_rows(
    validate_rows: Callable[[pd.DataFrame, ExpectationSpec], Any], counted: list[tuple[int, int]]
) -> None:
    """Its `get_validation_dependencies` and `metrics_validate`, which judge counts, are not public: this is their contract."""
    values = [value for value, n in counted for _ in range(n)]
    found = run(SUITE, *(Rows(pa.table({"a": pa.array([value], pa.int64())}), pa.array([n])) for value, n in counted))
    for spec, finding in zip(SUITE[1:], found[1:], strict=True):
        expected = validate_rows(pd.DataFrame({"a": values}), spec)
        observed = json.loads(finding.observed)
        assert finding.success == expected.success, spec
        if isinstance(observed, dict) and "unexpected" in observed:
            assert observed["unexpected"] == expected.result["unexpected_count"]
        else:
            assert observed == json.loads(_dump_as_json(expected.result["observed_value"]))


@given(values=st.lists(st.integers(0, 500), min_size=1, max_size=200), share=st.sampled_from([0.5, 0.95]))
def test_means_and_quantiles_of_counts_are_those_of_the_values(values: list[int], share: float) -> None:
    frame = pd.Series(values)
    counts = frame.value_counts().to_dict()
    assert mean_of_counts(counts) == pytest.approx(frame.mean())
    assert quantile_of_counts(counts, share) == frame.quantile(share, interpolation="nearest")
