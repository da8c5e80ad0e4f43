import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from flows.cli.main import make_cli_application
from flows.cli.output import print_table
from tests.flows.corpora import draw_pdf
from tests.tasks.small_corpus import publish_corpus

CALLS = [
    ("--help",),
    ("search", "--help"),
    ("refresh", "{}/in", "--corpus", "{}/new", "--dry-run"),
    ("search", "heron", "--corpus", "{}/corpus", "--mode", "fts"),
    ("generations", "--corpus", "{}/corpus"),
    ("status", "--corpus", "{}/corpus", "--json"),
    ("parse", "{}/in", "--out", "{}/out"),
    ("inspect", "{}/in/a.pdf"),
    ("chunk", "--list"),
    ("chunk", "{}/in/long.txt"),
]
"""Every way of writing: help, lines, tables, JSON, as results come; in output that a buffer holds, and in more."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("output")
    draw_pdf(found / "in/a.pdf", ["The weir was rebuilt in 1911."])
    (found / "in/long.txt").write_text("The heron waits by the weir. " * 5000)
    publish_corpus(str(found / "corpus"), {"a.txt": "The heron waits by the weir."})
    return found


def ended(folder: Path, call: tuple[str, ...], stdout: int) -> tuple[int, str]:
    """Return exit code and stderr of a command that writes to `stdout`."""
    command = [sys.executable, "-m", "flows.cli", *(word.format(folder) for word in call)]
    run = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stderr


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_command_whose_output_nobody_reads_any_more_ends_without_a_word(folder: Path, call: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert ended(folder, call, writer) == (141, "")
    finally:
        os.close(writer)


def test_status_says_whether_workers_reach_the_network(folder: Path) -> None:
    command = [sys.executable, "-m", "flows.cli", "status", "--corpus", str(folder / "corpus")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r"^workers +(no network \(namespaces\)|with network, because the kernel refuses .+)$", said, re.MULTILINE)


def test_a_reader_that_stops_after_a_line_ends_a_command_that_goes_on_printing(folder: Path) -> None:
    command = [sys.executable, "-m", "flows.cli", "chunk", str(folder / "in/long.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline().startswith(b'{"start": 0')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_output_that_finds_no_space_is_an_error(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        code, told = ended(folder, ("chunk", "--list"), full.fileno())
    assert (code, told.count("\n")) == (1, 1)
    assert "cannot write to standard output: No space left on device" in told


def test_a_letter_that_the_encoding_of_the_terminal_lacks_is_escaped(folder: Path) -> None:
    command = [sys.executable, "-m", "flows.cli", "chunk", "--list"]
    run = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
    assert b"St\\xe4bler" in run.stdout


def test_a_broken_pipe_inside_a_command_is_an_error_and_no_end_of_output() -> None:
    code = (
        "import sys\n"
        "from flows.cli import main as cli\n"
        "from tasks.store import published\n"
        "def gone(corpus):\n    raise BrokenPipeError(32, 'Broken pipe')\n"
        "published.read_live_generation = gone\n"
        "sys.argv = ['pagemill', 'status', '--corpus', 'anywhere']\n"
        "cli.main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "pagemill: a process or a server that this command used has stopped: run the command again\n"


HOSTILE = "a\x1b]0;pwned\x07\x1b[2J\x9b31m\u202efdp"
"""Sets the title of a terminal, wipes it, colours it, and turns the direction of what follows."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("hostile")
    publish_corpus(str(found / "corpus"), {f"{HOSTILE}\n.txt": f"The heron {HOSTILE} waits."})
    (found / "in").mkdir()
    for suffix in ("txt", "nothing"):
        (found / f"in/{HOSTILE}.{suffix}").write_text("One line.")
    return found


@pytest.mark.parametrize(
    "call",
    [
        ("search", "heron", "--corpus", "{}/corpus", "--mode", "fts"),
        ("search", "heron", "--corpus", "{}/corpus", "--mode", "fts", "--json"),
        ("documents", "--corpus", "{}/corpus"),
        ("refresh", "{}/in", "--corpus", "{}/new", "--dry-run"),
    ],
    ids=lambda call: " ".join(call[::4]),
)
def test_names_and_texts_of_documents_do_nothing_to_a_terminal(
    hostile: Path, call: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    make_cli_application()([word.format(hostile) for word in call], standalone_mode=False)
    told = capsys.readouterr().out
    assert "pwned" in told and "fdp" in told
    assert {character for character in told if unicodedata.category(character) in ("Cc", "Cf")} <= {"\n"}


def test_an_error_about_a_hostile_name_is_one_plain_line(hostile: Path) -> None:
    code, told = ended(hostile, ("chunk", f"{{}}/{HOSTILE}\n.pdf"), subprocess.DEVNULL)
    assert (code, told.count("\n")) == (1, 1)
    assert "pwned" in told and "\x1b" not in told and "\u202e" not in told


def test_a_table_that_a_terminal_is_too_narrow_for_is_printed_as_paragraphs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"path": "archive/a-long-name-of-a-letter.pdf", "n_pages": 3, "message": "the file opens only with a password, " * 3}]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    for width, first in (("80", " path"), ("30", "path     archive/a-long-name-of-a-letter.pdf")):
        monkeypatch.setenv("COLUMNS", width)
        print_table(rows, None, "none")
        lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines() if line.strip()]
        assert lines[0].startswith(first)
        assert any(re.search(r"\bn_pages\b", line) for line in lines), "names of columns are not cut"
