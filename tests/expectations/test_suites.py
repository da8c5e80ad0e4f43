import gc
import json
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from great_expectations import expectations as gxe

from expectations.findings import Finding
from expectations.suites import run_suite


def test_findings_stand_in_the_order_of_the_suite_even_where_one_raised() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3]})
    suite = [gxe.ExpectColumnMaxToBeBetween(column=name, max_value=9) for name in ("a", "missing", "a")]
    findings = run_suite("s", frame, suite)
    assert [(finding.position, finding.column) for finding in findings] == [(0, "a"), (1, "missing"), (2, "a")]
    assert [finding.success for finding in findings] == [True, False, True]


def test_an_expectation_that_raises_is_critical_even_if_it_should_only_warn() -> None:
    suite = [gxe.ExpectColumnMeanToBeBetween(column="missing", min_value=0, severity="warning")]
    (finding,) = run_suite("s", pd.DataFrame({"a": [1]}), suite)
    assert finding.refuses
    assert "missing" in json.loads(finding.observed)["error"]


def test_an_expectation_on_a_column_of_the_wrong_type_is_critical() -> None:
    (finding,) = run_suite("s", pd.DataFrame({"a": ["x", "y"]}), [gxe.ExpectColumnMeanToBeBetween(column="a")])
    assert finding.refuses
    assert "error" in json.loads(finding.observed)


def test_a_warning_that_fails_does_not_refuse() -> None:
    suite = [gxe.ExpectColumnMaxToBeBetween(column="a", max_value=1, severity="warning")]
    (finding,) = run_suite("s", pd.DataFrame({"a": [5]}), suite)
    assert not finding.success
    assert not finding.refuses


def test_a_failed_finding_names_the_rows_what_was_observed_and_what_is_allowed() -> None:
    frame = pd.DataFrame({"path": ["a.pdf", "b.pdf"], "coverage": [0.99, 0.123456789]})
    suite = [gxe.ExpectColumnValuesToBeBetween(column="coverage", min_value=0.98)]
    (finding,) = run_suite("documents", frame, suite, key="path")
    assert json.loads(finding.observed) == {
        "unexpected": 1,
        "of": 2,
        "examples": [{"path": "b.pdf", "coverage": 0.123457}],
    }
    assert json.loads(finding.allowed) == {"min_value": 0.98}


def test_a_condition_on_rows_is_part_of_what_is_allowed() -> None:
    from great_expectations.expectations.row_conditions import Column

    suite = [gxe.ExpectColumnValuesToNotBeNull(column="a", row_condition=Column("b") > 1)]
    (finding,) = run_suite("s", pd.DataFrame({"a": [None, 1], "b": [1, 2]}), suite)
    assert finding.success
    assert json.loads(finding.allowed) == {"unexpected": 0, "where": "b > 1"}


@pytest.mark.parametrize("value", [np.nan, np.inf, np.True_, np.int32(7), np.float32(0.5)])
def test_whatever_numpy_yields_becomes_json(value: object) -> None:
    suite = [gxe.ExpectColumnValuesToBeInSet(column="a", value_set=["other"])]
    (finding,) = run_suite("s", pd.DataFrame({"a": [value, "x"]}), suite)
    json.loads(finding.observed)
    assert not finding.success


def test_an_empty_suite_finds_nothing() -> None:
    assert run_suite("s", pd.DataFrame({"a": [1]}), []) == []


def test_suites_that_run_at_once_do_not_mix() -> None:
    def most(value: int) -> Finding:
        frame = pd.DataFrame({"a": range(value + 1)})
        return run_suite(f"s{value}", frame, [gxe.ExpectColumnMaxToBeBetween(column="a", max_value=99)])[0]

    with ThreadPoolExecutor(4) as pool:
        findings = list(pool.map(most, range(12)))
    assert [(finding.suite, finding.observed) for finding in findings] == [(f"s{n}", str(n)) for n in range(12)]


def test_a_frame_is_let_go_after_its_suite() -> None:
    frame = pd.DataFrame({"a": [1]})
    alive = weakref.ref(frame)
    run_suite("s", frame, [gxe.ExpectColumnMaxToBeBetween(column="a", max_value=9)])
    del frame
    gc.collect()
    assert alive() is None
