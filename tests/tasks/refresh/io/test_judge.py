"""The process that judges drafts finds what Great Expectations finds here, and tells what goes wrong."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from expectations.expected import BETWEEN, DRIFT, NOT_NULL, ROWS, ExpectationSpec, TalliedSuite
from expectations.judging import judge_expectations
from expectations.tallies import Rows, tally_suite
from schemas.corpus import Corpus
from schemas.errors import PagemillError
from schemas.options.sections import LimitOptions
from tasks.refresh.io import judge as judging
from tasks.refresh.io.running import hold_active_run
from tasks.store.staging import Staging
from tasks.workers.pool import WorkerPool
from tasks.workers.progress import Progress

RUN: Any = SimpleNamespace(run_id="r")
PARTITION = {"bins": [1.0, 8.0, 30.0], "weights": [0.5, 0.5]}
SUITE = [
    ExpectationSpec(ROWS, arguments={"value": 3}),
    ExpectationSpec(BETWEEN, "a", {"max_value": 2}, "warning"),
    ExpectationSpec(NOT_NULL, "a", where=("b", True), meta={"said": "none"}),
    ExpectationSpec(
        DRIFT, "a", {"partition_object": PARTITION, "threshold": 0.1, "tail_weight_holdout": 0, "internal_weight_holdout": 0}
    ),
    ExpectationSpec(BETWEEN, "missing", {"max_value": 2}),
]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    """A run whose process has not loaded Great Expectations."""
    monkeypatch.setattr(judging, "_is_loaded", lambda: False)
    staging = Staging(Corpus(str(tmp_path)), ())
    with WorkerPool(LimitOptions(workers=1)) as judges, hold_active_run("r", LimitOptions(), Progress(), staging, judges):
        yield judges


def suites() -> list[TalliedSuite]:
    rows = Rows(pa.table({"a": [1, None, 9], "b": [True, False, True]}))
    return [tally_suite("one", [rows], 3, SUITE), tally_suite("two", [rows], 4, SUITE[:1])]


def test_another_process_finds_what_this_one_does(elsewhere: WorkerPool) -> None:
    judging.preload_judge(elsewhere)
    judging.preload_statistics(elsewhere)
    found = judging.judge_suites(RUN, suites())
    assert found == judge_expectations(suites())
    assert [finding.success for finding in found] == [True, False, True, True, False, False]


@pytest.mark.usefixtures("elsewhere")
def test_what_the_other_process_cannot_judge_is_an_error() -> None:
    unknown = TalliedSuite("s", 1, ((ExpectationSpec("expect_the_moon"), suites()[0].results[0][1]),))
    with pytest.raises(PagemillError, match="expect_the_moon"):
        judging.judge_suites(RUN, [unknown])


def test_nothing_that_a_refresh_imports_loads_great_expectations() -> None:
    program = "import sys, flows.cli.refresh, tasks.publish.io.validate; sys.exit('great_expectations' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
