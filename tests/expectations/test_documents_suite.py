import json
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.documents import max_rejects_for, tally_documents
from expectations.expected import Finding
from expectations.judging import judge_expectations
from schemas.options.sections import GateOptions
from tests.expectations.frames import as_table, references


def healthy(n: int = 12, n_rejected: int = 0) -> pd.DataFrame:
    """The last document is planned, the others alternate; rejected ones come first."""
    rejected = [at < n_rejected for at in range(n)]
    return pd.DataFrame(
        {
            "document_id": [f"d{at}" for at in range(n)],
            "path": [f"{at}.pdf" for at in range(n)],
            "planned": [at % 2 == (n - 1) % 2 for at in range(n)],
            "n_chunks": [0 if no else 5 for no in rejected],
            "n_rejects": [1 if no else 0 for no in rejected],
            "coverage": [None if no else 0.995 for no in rejected],
        }
    )


def with_last(**values: object) -> pd.DataFrame:
    frame = healthy()
    for column, value in values.items():
        frame[column] = [*frame[column][:-1], value]
    return frame


def check(frame: pd.DataFrame, **limits: Any) -> list[Finding]:
    return judge_expectations([tally_documents(as_table(frame), GateOptions(**limits), len(frame))])


def failed(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(found.expectation, found.column) for found in findings if found.refuses]


@pytest.mark.parametrize(("n", "n_rejected"), [(0, 0), (1, 0), (1, 1), (3, 1), (10, 2), (12, 3)])
def test_documents_with_few_rejects_pass(n: int, n_rejected: int) -> None:
    assert failed(check(healthy(n, n_rejected))) == []


def test_a_stale_document_counts_as_rejected_and_needs_no_coverage() -> None:
    assert failed(check(with_last(n_rejects=1, coverage=None))) == []


def test_a_document_that_stays_needs_no_coverage_it_was_measured_when_it_was_drafted() -> None:
    assert failed(check(with_last(planned=False, coverage=None))) == []


@pytest.mark.parametrize(
    ("expectation", "column", "values"),
    [
        ("expect_column_values_to_be_in_set", "accounted", {"n_chunks": 0}),
        ("expect_column_values_to_be_between", "coverage", {"coverage": 0.97}),
        ("expect_column_values_to_be_unique", "document_id", {"document_id": "d0"}),
    ],
)
def test_a_document_broken_in_one_way_fails_in_just_that_way(expectation: str, column: str, values: dict[str, object]) -> None:
    findings = check(with_last(**values))
    assert failed(findings) == [(expectation, column)]
    (finding,) = [found for found in findings if found.refuses]
    assert "11.pdf" in finding.observed
    assert json.loads(finding.allowed)


def test_a_lost_document_is_found() -> None:
    findings = judge_expectations([tally_documents(as_table(healthy(12)), GateOptions(), 13)])
    assert failed(findings) == [("expect_table_row_count_to_equal", "")]


def test_no_documents_fail_where_some_were_expected() -> None:
    assert failed(judge_expectations([tally_documents(as_table(healthy(0)), GateOptions(), 3)])) == [
        ("expect_table_row_count_to_equal", "")
    ]


def test_too_many_rejects_refuse_and_are_named() -> None:
    (finding,) = [found for found in check(healthy(12, 4)) if found.refuses]
    assert finding.column == "rejected"
    assert json.loads(finding.observed)["unexpected"] == 4
    assert json.loads(finding.allowed)["rejects"] == "30 %"


@pytest.mark.parametrize("n", [1, 9, 10, 41, 99])
@pytest.mark.parametrize("share", [0.05, 0.3, 1 / 3, 1.0])
def test_as_many_rejects_as_are_allowed_pass_and_one_more_refuses(n: int, share: float) -> None:
    most = max_rejects_for(GateOptions(max_reject_share=share), n)
    assert failed(check(healthy(n, most), max_reject_share=share)) == []
    if most < n:
        assert failed(check(healthy(n, most + 1), max_reject_share=share)) == [("expect_column_values_to_be_in_set", "rejected")]


def test_a_share_of_zero_allows_no_reject_at_all() -> None:
    assert failed(check(healthy(3, 1), max_reject_share=0)) == [("expect_column_values_to_be_in_set", "rejected")]


@given(share=st.floats(0.001, 1), n=st.integers(1, 10_000))
def test_allowed_rejects_follow_the_share_beyond_the_first(share: float, n: int) -> None:
    allowed = max_rejects_for(GateOptions(max_reject_share=share), n)
    assert allowed <= max(1, share * n + 1e-6)
    assert allowed >= share * n - 1


ELEMENTS = pd.DataFrame({"element_id": ["e0", "e1", "e2"], "document_id": ["d0", "d0", "d1"]})


def failed_references(frame: pd.DataFrame) -> list[tuple[str, str]]:
    findings = references("elements", frame, "element_id", {"d0", "d1", "d2"})
    return [(found.column, found.observed) for found in findings if found.refuses]


@pytest.mark.parametrize("frame", [ELEMENTS, ELEMENTS[:0]])
def test_elements_of_known_documents_pass(frame: pd.DataFrame) -> None:
    assert failed_references(frame) == []


def test_an_element_of_an_unknown_document_is_named() -> None:
    ((column, observed),) = failed_references(ELEMENTS.assign(document_id=["d0", "gone", "d1"]))
    assert (column, "e1" in observed) == ("known", True)


def test_an_element_of_no_document_is_named() -> None:
    frame = pd.DataFrame({"element_id": ["e0", "e1", "e2"], "document_id": ["d0", None, "d1"]})
    ((column, observed),) = failed_references(frame)
    assert (column, "e1" in observed) == ("known", True)


def test_a_figure_that_is_there_twice_is_named() -> None:
    findings = references("figures", ELEMENTS.assign(element_id=["e0", "e1", "e1"]), "element_id", {"d0", "d1"})
    (finding,) = [found for found in findings if found.refuses]
    assert (finding.column, "e1" in finding.observed) == ("element_id", True)
