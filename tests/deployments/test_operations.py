"""Every command of docs/operations.md that is marked there does what it says; the page names the others."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.deployments.deployed import Deployed

PAGE = Path("docs/operations.md").read_text("utf-8")
MARKED = [line.partition("#")[0].strip() for line in PAGE.splitlines() if re.search(r"\S\s+# ✓", line)]
ALARMS = re.findall(r"^\| (failed|crashed|late|refused by the gate|damaged|many rejects|recall fell) \|", PAGE, re.MULTILINE)
STOPS = "make down"


def section(title: str) -> list[str]:
    """Return the marked commands below a heading."""
    below = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [command for command in MARKED if f"\n{command}" in below]


def test_the_page_tells_of_every_alarm_and_deployment() -> None:
    from flows.deploy.alarms import ALARMS as MADE
    from flows.deploy.silence import NO_RUN
    from flows.deploy.table import KINDS

    assert ALARMS == [alarm.name for alarm in MADE] and f"| {NO_RUN} |" in PAGE
    assert [kind for kind in KINDS if f"| `{kind}` |" not in PAGE] == []
    blocks = [block for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) if not kind]
    commands = [line for block in blocks for line in block.splitlines()]
    assert [line for line in commands if line and "✓" not in line] == ["git pull"], "what is not run is in the table at the end"


def test_what_stands_in_the_file_of_options_is_what_pagemill_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.deploy.corpora import read_deployed_corpora
    from flows.settings import read_config_section

    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "pagemill.toml").write_text(shown)
    (tmp_path / "minutes.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    for name in ("NAME", "SOURCE", "CORPUS"):
        monkeypatch.delenv(f"PAGEMILL_{name}", raising=False)
    assert [(corpus.tag, corpus.schedule) for corpus in read_deployed_corpora()] == [
        ("reports", "30 1 * * *"),
        ("minutes", "0 5 * * 1"),
    ]
    assert read_config_section("deploy")["notify"] == "slack-webhook/night-watch"


@pytest.mark.slow
@pytest.mark.long
def test_every_marked_command_works_in_its_order(deployed: Deployed, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(deployed.source, source)
    for name in (".venv", "demo"):
        (tmp_path / name).symlink_to(Path(name).resolve())
    shutil.copy(deployed.source.parent / "questions.jsonl", tmp_path / "questions.jsonl")
    first = ".venv/bin/pagemill refresh source --corpus corpus"
    run = [command for command in section("First deployment") if command != STOPS]
    for title in ("A new recipe beside the live one", "What a run shows", "Rollback", "Damage", "Backup and restore"):
        run += section(title)
    assert set(MARKED) - set(run) == {STOPS, "make up && make deploy"}, "the last test of all takes the server down, and up again"
    for command in (first, "echo The tide comes in. > source/tide.txt", first, *run):
        done = deployed.server.call("bash", "-c", here(command, tmp_path).replace(".run/", f"{deployed.server.run_dir}/"))
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    assert "pagemill_generation{" in (tmp_path / "pagemill.prom").read_text()
    assert deployed.server.run("deploy").returncode == 0


def here(command: str, folder: Path) -> str:
    """Return a command as it is run in `folder`, its make in the clone, where paths are then absolute."""
    if command.startswith("make"):
        placed = re.sub(r"=(source|corpus)", rf"={folder}/\1", command)
        return f"cd {os.getcwd()} && {placed.replace('make', 'make --no-print-directory')}"
    return f"cd {folder} && {command}"
