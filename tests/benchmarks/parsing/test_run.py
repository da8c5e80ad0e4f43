import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.parsing.peers import Converter, Peers, convert_all
from tests.tasks import drawn


def bench(*parts: str, kit: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PAGEMILL_BENCH": kit}
    command = [sys.executable, "-m", "benchmarks.parsing.run", *parts]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("named", "told"), [("", "PAGEMILL_BENCH is not set"), ("/", "holds no corpus, ocr, parsing")])
def test_a_missing_kit_is_said_in_one_line(named: str, told: str) -> None:
    run = bench(kit=named)
    assert run.returncode == 1
    assert told in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_unknown_part_is_refused() -> None:
    run = bench("quantity", kit="")
    assert run.returncode == 2
    assert "no part quantity: choose from quality" in run.stderr


def test_converters_of_a_process_of_their_own_say_what_each_document_costs(tmp_path: Path) -> None:
    paths = [tmp_path / "a.pdf", tmp_path / "b.pdf"]
    paths[0].write_bytes(drawn.two_columns())
    paths[1].write_bytes(b"no PDF")
    runs = convert_all(["pagemill-parse", "absent"], Peers(sys.executable, ()), paths, tmp_path / "work")
    assert list(runs) == ["pagemill-parse"]
    run = runs["pagemill-parse"]
    assert len(run.cpu) == len(run.wall) == 2
    assert all(seconds >= 0 for seconds in run.cpu)
    assert [path.name for path in run.out.glob("*.md")] == ["a.md"]
    assert "How a Mill Grinds Documents" in (run.out / "a.md").read_text()


def test_a_converter_that_dies_is_named(tmp_path: Path) -> None:
    converter = Converter("nobody", sys.executable, tmp_path / "work")
    with converter, pytest.raises(SystemExit, match="nobody died"):
        converter.convert([tmp_path / "a.pdf"])
