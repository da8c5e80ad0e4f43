import sys
from pathlib import Path

import pytest

from benchmarks.figures.run import Bin, Typed, calibration, coarse_label, fine_label, say_confusion
from benchmarks.figures.texts import word_recall
from benchmarks.parsing.scorers import report_of
from schemas.options.sections import FIGURE_LABELS
from tasks.describe.figure_types import UNSURE

FINE = {"bar_chart", "line_graph", "pie_chart", "scatter_plot", "table", "equation", "picture"}


def test_every_type_but_text_has_a_label_of_the_kit() -> None:
    assert {fine_label(kind) for kind in FIGURE_LABELS} == FINE | {"text"}
    assert {coarse_label(kind) for kind in FIGURE_LABELS} == {"chart", "table", "equation", "picture", "text"}
    assert (fine_label("scatter plot"), coarse_label("scatter plot")) == ("scatter_plot", "chart")
    assert (fine_label("flow chart or diagram"), coarse_label("flow chart or diagram")) == ("picture", "picture")


@pytest.mark.parametrize("kind", ["text", UNSURE])
def test_text_and_figures_of_no_sure_type_count_as_wrong(kind: str) -> None:
    assert fine_label(kind) == coarse_label(kind) == kind
    assert kind not in FINE


def test_bins_of_confidence_say_how_many_are_right() -> None:
    found = [(0.95, True), (1.0, True), (0.9, False), (0.6, True), (0.5, False)]
    bins = calibration(found, (0.0, 0.5, 0.9, 1.0))
    assert list(bins) == ["0.5 to 0.9", "0.9 to 1.0"]
    assert bins["0.5 to 0.9"] == pytest.approx(Bin(2, 0.55, 0.5))
    assert bins["0.9 to 1.0"] == pytest.approx(Bin(3, 0.95, 2 / 3))


def test_every_figure_is_in_one_bin() -> None:
    found = [(n / 20, n % 3 == 0) for n in range(21)]
    bins = calibration(found)
    assert sum(each.n for each in bins.values()) == len(found)
    assert sum(each.n * each.right for each in bins.values()) == pytest.approx(7)


@pytest.mark.parametrize(
    ("truth", "found", "share"),
    [
        ("TOTAL 12.50 cash", "cash total: 12.50", 1.0),
        ("the mill and the stream", "the stream", 0.4),
        ("one", "one one two", 1.0),
        ("Straße", "STRASSE", 1.0),
        ("word", "", 0.0),
        ("", "noise", 1.0),
    ],
)
def test_word_recall_is_the_share_of_the_transcript_that_is_found(truth: str, found: str, share: float) -> None:
    assert word_recall(truth, found) == pytest.approx(share)


def test_the_confusion_matrix_leaves_out_figures_of_no_known_fine_type(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("pie_chart", "pie chart"), ("pie_chart", "map"), ("table", "text"), ("chart", "bar chart")]
    say_confusion([Typed(f"{n}.png", label, "", found, 0.9) for n, (label, found) in enumerate(rows)])
    lines = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()[2:]}
    assert lines["bar"] == ["line", "pie", "scatter", "table", "equation", "picture", "text"]
    assert lines["pie_chart"] == ["-", "-", "1", "-", "-", "-", "1", "-"]
    assert lines["table"] == ["-"] * 7 + ["1"]
    assert lines["bar_chart"] == ["-"] * 8


def test_a_scorer_is_given_predictions_and_options_and_its_failure_ends_the_run(tmp_path: Path) -> None:
    scorer = tmp_path / "score.py"
    scorer.write_text("import json, sys\njson.dump(sys.argv[1:], open(sys.argv[3], 'w'))\n")
    told = report_of(sys.executable, scorer, tmp_path / "found.csv", "--column", "kind")
    assert (told[0], told[3:]) == (str(tmp_path / "found.csv"), ["--column", "kind"])
    scorer.write_text("raise SystemExit('no truth here')")
    with pytest.raises(SystemExit, match="no truth here"):
        report_of(sys.executable, scorer, tmp_path / "found.csv")
