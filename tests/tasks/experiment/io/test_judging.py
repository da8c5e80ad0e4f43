import csv
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.experiment import ExperimentOptions
from tasks.experiment.io import run
from tasks.experiment.io.judging import COLUMNS, RATINGS, SHEET
from tests.tasks.experiment.io.conftest import QUESTIONS, asking
from tests.tasks.experiment.io.test_run import experiment


def judged(options: ExperimentOptions, out: Path) -> list[dict[str, str]]:
    experiment(options, out)
    with run.plan_and_lock_experiment(options.model_copy(update={"judged": True}), Corpus(str(out))) as plan:
        run.finish_experiment(plan, recommend=False)
    with (out / SHEET).open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_people_find_a_row_for_each_recipe_and_question_and_keep_what_they_wrote(
    options: ExperimentOptions, tmp_path: Path
) -> None:
    hostile = {**QUESTIONS[0], "id": "6", "question": '=cmd("x")'}
    asking(tmp_path, [*QUESTIONS, hostile])
    two = options.model_copy(update={"ranking": ("lexical",)})
    rows = judged(two, tmp_path / "out")
    assert len(rows) == 2 * 6
    assert all(row[name] == "" for row in rows for name in RATINGS)
    assert rows[0]["expected"] == "shallow water" and "[1] animals.md, page 1: " in rows[0]["retrieved"]
    assert rows[5]["question"] == '\'=cmd("x")'
    rows[3]["retrieval_accuracy"] = "0.5"
    with (tmp_path / "out" / SHEET).open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    again = judged(two.model_copy(update={"ranking": ("lexical", "dense")}), tmp_path / "out")
    assert again[: len(rows)] == rows
    assert len(again) == 4 * 6


def test_another_sheet_is_not_written_over(options: ExperimentOptions, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / SHEET).write_text("name,grade\nAda,1\n")
    with pytest.raises(InputError, match="is not a sheet of judgements"):
        judged(options.model_copy(update={"ranking": ("lexical",)}), tmp_path / "out")
