from datetime import UTC, datetime

import pytest

from flows.cli.compare import convert_comparison_to_json, print_comparison
from tasks.evaluate.comparison import Pair, compare_metric
from tasks.evaluate.io.compare import EvaluationComparison
from tasks.evaluate.report.data import LoggedRun

A, B = (
    LoggedRun(run, f"{run} recipe", generation, datetime(2026, 11, generation, 3, tzinfo=UTC), "wide", "{}")
    for run, generation in (("first", 1), ("second", 2))
)
PAIRS = [Pair(name, name, 0.5, value) for name, value in (("heron", 1.0), ("otter", 0.0), ("badger", 1.0))]
FOUND = EvaluationComparison(A, B, [(compare_metric("recall", 5, PAIRS, 100, 0.95, 0), 1.0)], "recall", 5, [])


def test_people_read_which_runs_were_compared(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison(FOUND)
    assert "A: run first of generation 1 (recipe first re, 2026-11-01 03:00)" in capsys.readouterr().out


def test_json_tells_which_runs_were_compared() -> None:
    values = convert_comparison_to_json(FOUND)
    assert values["b"] == {"run_id": "second", "generation": 2, "recipe": "second recipe", "evaluated_at": B.evaluated_at}
