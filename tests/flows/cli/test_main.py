import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.flows.corpora import draw_pdf
from tests.tasks.drawn import scanned

HEAVY = ("torch", "transformers", "prefect", "lancedb", "lance", "great_expectations", "pymupdf", "pandas")


def pagemill(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flows.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_help_and_a_plan_pay_for_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One line.")
    code = (
        "import sys\n"
        "from flows.cli import main as cli\n"
        f"sys.argv = ['pagemill', 'refresh', {str(tmp_path)!r}, '--corpus', {str(tmp_path / 'c')!r}, '--dry-run']\n"
        "try:\n    cli.main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "assert not loaded, loaded\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "added     a.txt" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("refresh", "{}/nowhere", "--corpus", "{}/c"), "does not exist"),
        (("refresh", "{}", "--corpus", "{}/c"), "--allow-empty"),
        (("refresh", "{}", "--corpus", "{}/c", "--set", "chunk"), "not of the form section.name=value"),
        (("refresh", "{}", "--corpus", "{}/c", "--set", "chunk.sise=3"), "chunk.sise"),
        (("search", "anything", "--corpus", "{}/c"), "no published corpus"),
        (("status", "--corpus", "{}/c"), "no published corpus"),
        (("rejects", "--corpus", "{}/c"), "no published corpus"),
        (("rollback", "1", "--corpus", "{}/c"), "no published corpus"),
        (("purge", "a.txt", "--corpus", "{}/c"), "no published corpus"),
        (("parse", "{}/nowhere.pdf", "--out", "{}/out"), "does not exist"),
        (("chunk", "{}/nowhere.pdf"), "does not exist"),
        (("parse", "", "--out", "{}/c"), "blank"),
        (("parse", "{}", "--out", "{}"), "choose another folder for --out"),
        (("inspect", "{}/nowhere.pdf", "--out", "{}/page.png"), "does not exist"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_wrong_call_ends_in_one_clear_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    run = pagemill(*(argument.format(tmp_path) for argument in arguments))
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("pagemill: ")
    assert run.stderr.count("\n") == 1
    assert message in run.stderr
    assert not (tmp_path / "c").exists()


def test_a_dry_run_shows_its_plan_and_what_refuses_it(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_text("path,year\nnowhere.txt,2020\n")
    run = pagemill("refresh", tmp_path, "--corpus", tmp_path / "c", "--dry-run")
    assert run.returncode == 1
    assert "dry run" in run.stdout
    assert "metadata for documents that are not in the source, check the paths: nowhere.txt" in run.stdout
    assert "this plan would be refused: the source holds no documents" in run.stderr
    assert not (tmp_path / "c").exists()


def test_an_unknown_option_is_refused_before_anything_happens(tmp_path: Path) -> None:
    run = pagemill("refresh", tmp_path, "--corpus", tmp_path / "c", "--sise", "3")
    assert run.returncode == 2
    assert "No such option" in run.stderr


def test_parse_names_what_fails_and_converts_the_rest(tmp_path: Path) -> None:
    draw_pdf(tmp_path / "in/good.pdf", ["The weir was rebuilt in 1911."])
    (tmp_path / "in/bad.pdf").write_bytes(b"not a PDF")
    (tmp_path / "in/note.md").write_text("# Weir\n\nIt leaks.\n")
    (tmp_path / "in/mail.eml").write_text("From: ada@example.org\n\nA mail without attachments.\n")
    run = pagemill("parse", tmp_path / "in", "--out", tmp_path / "out", "--json")
    assert run.returncode == 1
    outcomes = {Path(row["path"]).name: row for row in json.loads(run.stdout)}
    assert outcomes["bad.pdf"]["error"]
    assert (tmp_path / "out/good.md").read_text() == "The weir was rebuilt in 1911.\n"
    assert (tmp_path / "out/note.md").read_text() == "# Weir\n\nIt leaks.\n"
    assert "A mail without attachments." in (tmp_path / "out/mail.md").read_text()
    assert "1 of 4 documents failed" in run.stderr


def test_parse_says_that_an_archive_holds_no_documents(tmp_path: Path) -> None:
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    run = pagemill("parse", tmp_path / "empty.zip", "--out", tmp_path / "out")
    assert (run.returncode, "no documents in" in run.stderr) == (1, True)


def test_parse_writes_elements_as_json_lines(tmp_path: Path) -> None:
    draw_pdf(tmp_path / "good.pdf", ["The weir was rebuilt in 1911."])
    assert pagemill("parse", tmp_path / "good.pdf", "--out", tmp_path / "out", "--format", "jsonl").returncode == 0
    [element] = [json.loads(line) for line in (tmp_path / "out/good.jsonl").read_text().splitlines()]
    assert (element["kind"], element["page_number"]) == ("paragraph", 1)


def test_results_lie_in_the_folders_of_their_documents_and_name_what_would_clash(tmp_path: Path) -> None:
    for name in ("in/a/x.txt", "in/b/x.txt", "in/b/x.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert pagemill("parse", tmp_path / "in", "--out", tmp_path / "in/out").returncode == 0
    again = pagemill("parse", tmp_path / "in", "--out", tmp_path / "in/out", "--json")
    outputs = {row["path"]: row["output"] for row in json.loads(again.stdout)}
    for name, result in (("a/x.txt", "a/x.md"), ("b/x.txt", "b/x.txt.md"), ("b/x.md", "b/x.md.md")):
        assert outputs[str(tmp_path / "in" / name)] == str(tmp_path / "in/out" / result)
        assert (tmp_path / "in/out" / result).read_text() == f"in/{name}\n"
    assert sorted(path.suffix for path in (tmp_path / "in/out").rglob("*") if path.is_file()) == [".md"] * 3


def test_no_result_replaces_another_or_a_document(tmp_path: Path) -> None:
    for name in ("a/same.txt", "b/same.txt", "note.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    run = pagemill("parse", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "out")
    assert run.returncode == 1
    assert "would both be written" in run.stderr
    run = pagemill("parse", tmp_path / "note.md", "--out", tmp_path)
    assert "would replace the document" in run.stderr
    assert (tmp_path / "note.md").read_text() == "x"


def test_a_page_that_cannot_be_read_is_named_and_the_others_written(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(scanned())
    run = subprocess.run(
        [sys.executable, "-m", "flows.cli", "parse", str(tmp_path / "a.pdf"), "--out", str(tmp_path / "out"), "--json"],
        env={**os.environ, "PAGEMILL_PARSE_OCR": "false", "PAGEMILL_DESCRIBE_MIN_SIDE_POINTS": "10000"},  # no figure model
        capture_output=True,
        text=True,
        check=True,
    )
    [outcome] = json.loads(run.stdout)
    assert [page["page_number"] for page in outcome["pages"]] == [2]
    assert "half-written" in (tmp_path / "out/a.md").read_text()


def test_inspect_lists_and_draws_a_page(tmp_path: Path) -> None:
    draw_pdf(tmp_path / "good.pdf", ["The weir was rebuilt in 1911.", "It leaks since then."])
    run = pagemill("inspect", tmp_path / "good.pdf", "--page", "2", "--furniture", "--out", tmp_path / "page.png")
    assert run.returncode == 0, run.stderr
    assert "It leaks since then." in run.stdout
    assert "weir" not in run.stdout
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    listed = json.loads(pagemill("inspect", tmp_path / "good.pdf", "--json").stdout)
    assert [(element["number"], element["text"]) for element in listed["elements"]] == [(1, "The weir was rebuilt in 1911.")]
    assert listed["output"] is None
    [number, step, *_] = pagemill("inspect", tmp_path / "good.pdf", "--why").stdout.splitlines()
    assert number == "1 paragraph  The weir was rebuilt in 1911."
    assert step.startswith("    layout-model (tasks/parse/layout/io/layout_model.py:")


def test_chunk_prints_json_lines_with_exact_places(tmp_path: Path) -> None:
    text = "The weir leaks. " * 40
    (tmp_path / "a.txt").write_text(text)
    run = pagemill("chunk", tmp_path / "a.txt", "--size", "64")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) > 2
    assert all(text[row["start"] : row["end"]] == row["text"] and row["n_tokens"] <= 64 for row in rows)


def test_a_blank_source_is_not_the_working_folder(tmp_path: Path) -> None:
    run = pagemill("refresh", "", "--corpus", tmp_path / "c")
    assert run.returncode == 1
    assert "blank" in run.stderr


def test_chunk_lists_every_strategy_with_its_options_and_refuses_those_of_others(tmp_path: Path) -> None:
    from schemas.options.strategies import STRATEGIES

    listed = json.loads(pagemill("chunk", "--list", "--json").stdout)
    assert set(listed) == set(STRATEGIES)
    assert listed["semantic-percentile"]["options"]["percentile"] == 95.0
    assert "ClusterSemanticChunker" in pagemill("chunk", "--list").stdout
    (tmp_path / "a.txt").write_text("The weir leaks.")
    run = pagemill("chunk", tmp_path / "a.txt", "--strategy", "page", "--overlap", "4")
    assert run.returncode == 1
    assert "strategy page has no option overlap_tokens" in run.stderr


def test_a_refusal_by_the_gate_keeps_its_lines() -> None:
    code = (
        "from flows.cli import main as cli\n"
        "from schemas.errors import GateError\n"
        "def refuse():\n    raise GateError('refused:\\n  rejected: a\\x1b.pdf')\n"
        "cli.run_command = refuse\n"
        "cli.main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "pagemill: refused:\n  rejected: a\\x1b.pdf\n")


def test_a_library_that_makes_an_error_of_an_interruption_leaves_its_exit_code() -> None:
    code = (
        "import os, signal\n"
        "from flows.cli import main as cli\n"
        "def load():\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except SystemExit as end:\n        raise ImportError('initialization failed') from end\n"
        "cli.run_command = load\n"
        "cli.main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr.count("\n")) == (130, 2) and "interrupted" in run.stderr
