import json
from pathlib import Path

import numpy as np
import pytest

from flows.cli import main as cli
from schemas.corpus import Corpus
from schemas.errors import InputError
from tests.tasks.evaluate.report.logs import LoggedRun, Setting, log_runs, questions_of, texts_of


def call(*arguments: str | Path) -> None:
    cli.make_cli_application()([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, draw = tmp_path_factory.mktemp("corpus"), np.random.default_rng(0)
    texts = texts_of(3, draw)
    asked = questions_of(6, texts, draw)
    runs = [LoggedRun(f"run{number}", number, Setting("good"), number) for number in (1, 2)]
    log_runs(Corpus(str(folder)), runs, texts, asked)
    return folder


def test_the_report_is_written_and_named(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "new" / "report.html"
    call("report", "--corpus", corpus, "--out", target)
    assert capsys.readouterr().out == f"report: {target}\n"
    assert "generation 2," in target.read_text()


def test_evaluations_are_chosen_as_for_a_comparison(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.html"
    call("report", "--corpus", corpus, "--out", target, "--run", "1", "--run", "previous", "--json")
    assert json.loads(capsys.readouterr().out) == {"report": str(target), "bytes": target.stat().st_size}
    assert "generation 1," in target.read_text()
    with pytest.raises(InputError, match="no evaluation is called 7"):
        call("report", "--corpus", corpus, "--out", target, "--run", "7")


def test_a_report_that_cannot_be_written_says_so(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        call("report", "--corpus", corpus, "--out", tmp_path / "file" / "report.html")
