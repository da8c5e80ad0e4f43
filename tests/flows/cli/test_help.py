"""What the commands say of themselves."""

import re
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer

from flows.cli import main as cli
from schemas.media_types import FORMATS, SUFFIXES

GROUPED = typer.main.get_command(cli.make_cli_application()).commands  # type: ignore[attr-defined]
COMMANDS = {
    f"{name} {inner}".strip(): command
    for name, group in GROUPED.items()
    for inner, command in getattr(group, "commands", {"": group}).items()
}


def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a call prints, without frames, in one line."""
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 1000)
    cli.make_cli_application()(list(arguments), standalone_mode=False)
    return flat(capsys.readouterr().out)


def flat(text: str) -> str:
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_every_word_that_was_written_for_it(
    name: str, flag: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, found = COMMANDS[name], shown(monkeypatch, capsys, *name.split(), flag)
    for text in (command.help, *(parameter.help for parameter in command.params if getattr(parameter, "help", None))):
        assert flat(text.replace("\\[", "[")) in found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_print_json(name: str) -> None:
    assert "--json" in {option for parameter in COMMANDS[name].params for option in parameter.opts}


def test_the_lines_of_help_end_where_the_terminal_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 1000)
    cli.make_cli_application()(["refresh", "--help"], standalone_mode=False)
    assert "CORPUS stays as it is and goes on answering" in capsys.readouterr().out


def test_help_of_refresh_tells_the_defaults_of_its_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shown(monkeypatch, capsys, "refresh", "--help")
    for default in ("special tokens included. By default 128.", "By default all-MiniLM-L6-v2.", "By default recall@5."):
        assert default in found


def test_help_of_refresh_names_every_kind_of_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(FORMATS) == set(SUFFIXES.values())
    found = shown(monkeypatch, capsys, "refresh", "--help")
    assert all(known.name in found for known in FORMATS.values())


def test_the_shell_completes_commands_and_options(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("_PAGEMILL_COMPLETE", "complete_bash")
    for words, n, expected in (("pagemill ref", 1, "refresh"), ("pagemill search --mo", 2, "--mode")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(n))
        with pytest.raises(SystemExit):
            cli.make_cli_application()(prog_name="pagemill")
        assert capsys.readouterr().out.split() == [expected]


def test_the_version_is_told_and_costs_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from flows.cli import main as cli\n"
        "sys.argv = ['pagemill', '--version']\n"
        "try:\n    cli.main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert not {'prefect', 'lancedb', 'lance', 'torch', 'pymupdf'} & set(sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, f"pagemill {version('pagemill')}\n"), run.stderr
