import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from expectations.chunks import tally_chunks
from expectations.expected import Finding
from expectations.judging import judge_expectations
from expectations.lengths import kl_divergence, make_length_profile
from schemas.options.sections import GateOptions
from tests.expectations.frames import as_chunks, counted

MAX_TOKENS = 256


def drawn_lengths(n: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.clip(np.random.default_rng(seed).normal(190, 60, n), 5, MAX_TOKENS).astype(np.int32)


def healthy(n: int = 400, seed: int = 0) -> pd.DataFrame:
    """Half of the rows are new, twenty chunks a document."""
    new = np.arange(n) < (n + 1) / 2
    lengths = drawn_lengths(n, seed)
    return pd.DataFrame(
        {
            "chunk_id": [f"{at:032x}" for at in range(n)],
            "document_id": [f"d{at // 20}" for at in range(n)],
            "n_tokens": lengths,
            "n_chars": lengths * 4,
            "blank": False,
            "norm": np.where(new, 1.0, np.nan),
            "new": new,
        }
    )


def check(frame: pd.DataFrame, **given: Any) -> list[Finding]:
    limits = GateOptions(**given.pop("limits", {}))
    expected: dict[str, Any] = {"profile": None, "n_chunks": len(frame), **given}
    return judge_expectations(tally_chunks(as_chunks(frame), limits, MAX_TOKENS, **expected))


def failed(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(found.expectation, found.column, found.severity) for found in findings if not found.success]


@pytest.mark.parametrize("n", [1, 2, 19, 199, 200, 1000])
def test_a_healthy_draft_passes(n: int) -> None:
    assert failed(check(healthy(n), profile=make_length_profile(counted(drawn_lengths(300)), MAX_TOKENS))) == []


def test_a_draft_without_new_chunks_passes() -> None:
    assert failed(check(healthy().assign(new=False, norm=np.nan))) == []


def test_an_empty_draft_passes_where_no_chunk_was_expected() -> None:
    assert failed(check(healthy()[:0])) == []


def test_an_empty_draft_fails_where_chunks_were_expected() -> None:
    assert any(found.refuses for found in check(healthy()[:0], n_chunks=400))


def with_value(column: str, value: object, row: int = 3) -> pd.DataFrame:
    frame = healthy()
    frame[column] = [*frame[column][:row], value, *frame[column][row + 1 :]]
    return frame


BROKEN = [
    ("expect_column_values_to_be_unique", "chunk_id", with_value("chunk_id", f"{4:032x}"), f"{4:032x}"),
    ("expect_column_values_to_be_in_set", "blank", with_value("blank", True), '"blank": true'),
    ("expect_column_values_to_be_between", "n_tokens", with_value("n_tokens", 257), '"n_tokens": 257'),
    ("expect_column_values_to_be_between", "n_tokens", with_value("n_tokens", 0), '"n_tokens": 0'),
    ("expect_column_values_to_be_between", "n_chars", with_value("n_chars", 0), '"n_chars": 0'),
    ("expect_column_values_to_not_be_null", "norm", with_value("norm", np.nan), '"norm": null'),
    ("expect_column_values_to_be_between", "norm", with_value("norm", 1.002), '"norm": 1.002'),
    ("expect_column_values_to_be_between", "norm", with_value("norm", 0.0), '"norm": 0.0'),
]


@pytest.mark.parametrize(("expectation", "column", "frame", "observed"), BROKEN)
def test_a_draft_broken_in_one_way_fails_in_just_that_way(
    expectation: str, column: str, frame: pd.DataFrame, observed: str
) -> None:
    findings = check(frame)
    assert failed(findings) == [(expectation, column, "critical")]
    (finding,) = [found for found in findings if not found.success]
    assert observed in finding.observed
    assert json.loads(finding.allowed)


def test_lost_rows_are_found() -> None:
    (finding,) = [found for found in check(healthy()[:-1], n_chunks=400) if not found.success]
    assert (finding.expectation, finding.observed, finding.allowed) == (
        "expect_table_row_count_to_equal",
        "399",
        '{"value": 400}',
    )
    assert finding.refuses


def test_a_missing_column_refuses() -> None:
    assert any(found.refuses for found in check(healthy().assign(new=True).drop(columns="norm")))


def test_a_small_mean_refuses_and_is_named() -> None:
    findings = check(healthy().assign(n_tokens=9))
    (mean,) = [found for found in findings if found.expectation == "expect_column_mean_to_be_between"]
    assert mean.refuses
    assert (mean.observed, json.loads(mean.allowed)["min_value"]) == ("9.0", 10)


def test_a_small_quantile_refuses_where_the_mean_does_not() -> None:
    lengths = np.where(np.arange(400) % 25 == 0, 256, 9)
    assert failed(check(healthy().assign(n_tokens=lengths))) == [
        ("expect_column_quantile_values_to_be_between", "n_tokens", "critical")
    ]


def test_too_many_tiny_chunks_refuse() -> None:
    lengths = np.where(np.arange(400) % 10 < 4, 5, 200)
    findings = check(healthy().assign(n_tokens=lengths), limits={"max_tiny_share": 0.3})
    (finding,) = [found for found in findings if not found.success]
    assert finding.refuses
    assert (json.loads(finding.observed)["unexpected"], json.loads(finding.allowed)["mostly"]) == (160, 0.7)


def test_few_short_chunks_only_warn() -> None:
    findings = check(healthy(10).assign(n_tokens=4, n_chars=12))
    assert failed(findings)
    assert not any(found.refuses for found in findings)


def test_many_documents_of_one_short_chunk_each_pass() -> None:
    frame = healthy()
    assert failed(check(frame.assign(document_id=frame["chunk_id"], n_tokens=4, n_chars=12))) == []


@pytest.mark.parametrize("n", [200, 1000, 100_000])
@pytest.mark.parametrize("seeds", [range(0, 25), range(25, 50)])
def test_lengths_of_the_same_kind_raise_no_alarm(n: int, seeds: range) -> None:
    for seed in seeds:
        reference = make_length_profile(counted(drawn_lengths(n, seed + 1000)), MAX_TOKENS)
        assert kl_divergence(counted(drawn_lengths(n, seed)), reference) < GateOptions().max_kl_divergence


@pytest.mark.parametrize("n", [200, 100_000])
def test_great_expectations_measures_the_drift_that_we_do(n: int) -> None:
    frame, reference = healthy(n), make_length_profile(counted(drawn_lengths(n, 7)), MAX_TOKENS)
    (drift,) = [found for found in check(frame, profile=reference) if "kl_divergence" in found.expectation]
    assert drift.success
    assert float(drift.observed) == pytest.approx(kl_divergence(counted(frame["n_tokens"]), reference), rel=1e-4)


def cut_at_twenty() -> pd.DataFrame:
    return healthy().assign(n_tokens=20)


def test_drift_refuses_and_names_observed_and_allowed() -> None:
    findings = check(cut_at_twenty(), profile=make_length_profile(counted(drawn_lengths(400)), MAX_TOKENS))
    (drift,) = [found for found in findings if found.refuses]
    assert drift.expectation == "expect_column_kl_divergence_to_be_less_than"
    assert float(drift.observed) > 0.25
    assert json.loads(drift.allowed) == {"threshold": 0.25}


def test_accepted_drift_is_recorded_and_does_not_refuse() -> None:
    profile = make_length_profile(counted(drawn_lengths(400)), MAX_TOKENS)
    findings = check(cut_at_twenty(), profile=profile, limits={"accept_drift": True})
    assert failed(findings) == [("expect_column_kl_divergence_to_be_less_than", "n_tokens", "warning")]


def test_few_chunks_and_profiles_of_few_have_nothing_to_drift_from() -> None:
    small = make_length_profile(counted(drawn_lengths(199)), MAX_TOKENS)
    assert failed(check(cut_at_twenty(), profile=small)) == []
    assert failed(check(cut_at_twenty()[:199], profile=make_length_profile(counted(drawn_lengths(400)), MAX_TOKENS))) == []
