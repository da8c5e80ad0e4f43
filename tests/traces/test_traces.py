"""No command connects to anything but this machine's loopback, or writes anywhere but where it says."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from PIL import Image, ImageDraw

from demo.draw import draw_corpus, write_questions
from flows.cli.main import make_cli_application
from tests.soak.tiny_embedder import make_embedder
from tests.traces.tracer import REFUSED_NAMESPACES, STRACE, Trace, traced

pytestmark = [pytest.mark.slow, pytest.mark.skipif(STRACE is None, reason="strace is not installed: apt-get install strace")]
PAGEMILL = str(Path(sys.executable).with_name("pagemill"))
HERE = Path.cwd()
ANSWERED = """
import json, subprocess, sys, urllib.request
with subprocess.Popen([*sys.argv[1:], "--port", "0", "--json"], stdout=subprocess.PIPE, text=True) as serving:
    url = json.loads(serving.stdout.readline())["url"]
    for path in ("/", "/health", "/search?q=seal", "/documents", "/pages?document=tide-tables.pdf&page=1"):
        try:
            urllib.request.urlopen(url.rstrip("/") + path).read()
        except urllib.error.HTTPError as error:
            assert error.code < 500
    serving.terminate()
assert serving.returncode == 0
"""
"""Starts `pagemill serve`, asks it what its page asks, and ends it."""

DASK = """
import subprocess, sys
from pathlib import Path
from tests.flows.dask.dask_cluster import dask_cluster
with dask_cluster(Path("../tmp/cluster").resolve(), []) as cluster:
    cluster.add_worker("one")
    done = subprocess.run([*sys.argv[1:], "--dask-address", cluster.address])
sys.exit(done.returncode)
"""
"""Starts a scheduler and a worker of Dask, and has the worker do a refresh."""

FIRST = ("refresh few --corpus out/few", "search seal --corpus out/few -k 2", "parse source/{pdf} --out out/parsed")
"""A refresh of one document of each kind, a search, a look at a document."""

REST = (
    "refresh source --corpus corpus",
    "refresh source --corpus out/on-dask --task-runner dask",
    "refresh source --corpus corpus --candidate other --embedder {embedder}",
    "candidates --corpus corpus",
    "switch other --corpus corpus",
    "rollback 1 --corpus corpus",
    "refresh source --corpus corpus --candidate another --embedder {embedder}",
    "discard another --corpus corpus",
    "documents --corpus corpus",
    "duplicates --corpus corpus",
    "findings --corpus corpus",
    "access token out/tokens --groups keepers",
    "access log --corpus corpus",
    "generations --corpus corpus",
    "changes --since 1 --corpus corpus",
    "deliver --corpus corpus",
    "status --corpus corpus",
    "rejects --corpus corpus",
    "validations --corpus corpus",
    "validations --corpus corpus --docs out/docs",
    "evaluate --corpus corpus --questions questions.jsonl",
    "evaluate --corpus corpus --questions questions.jsonl",
    "compare previous latest --corpus corpus",
    "metrics --corpus corpus",
    "scores --corpus corpus",
    "report --corpus corpus --out out/report.html",
    "questions generate --corpus corpus --out out/asked.jsonl --per-document 1",
    "questions check questions.jsonl --corpus corpus",
    "questions import questions.jsonl --corpus corpus --out out/imported.jsonl",
    "experiment --design three-strategies --source source --questions questions.jsonl --out out/experiment",
    "finetune --corpus corpus --questions halves.jsonl --out out/tuned --epochs 1",
    "verify --corpus corpus --deep",
    "repair --corpus corpus",
    "backup out/backups --corpus corpus",
    "restore out/backups out/restored",
    "inspect source/{pdf}",
    "chunk source/{text}",
    "describe source/{picture}",
    "serve --corpus corpus --source source",
    "serve --corpus corpus --stdio",
    "purge {text} --corpus corpus --yes",
)
"""Every command, each on what those before it made."""

FEW = ("charts-2024.pdf", "archive/letter-1987.pdf", "archive/broken.pdf", "archive/tide-log.txt", "handbook.md", "metadata.csv")
"""A digital file with figures, a scan, a file that cannot be read, texts, and metadata beside them."""


class Scene(NamedTuple):
    """A working folder, a home and a temporary folder, where commands are traced."""

    root: Path
    names: dict[str, str]

    def trace(self, line: str, *more: str) -> Trace:
        command = [PAGEMILL, *line.format(**self.names).split()]
        if command[1] == "serve" and "--stdio" not in command:
            command = [sys.executable, "-c", ANSWERED, *command]
        if "dask" in command:
            command = [sys.executable, "-c", DASK, *command]
        unset = ("XDG_", "PREFECT_", "ORT_", "DO_NOT_")
        given = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
        given |= {"HOME": str(self.root / "home"), "TMPDIR": str(self.root / "tmp"), "PYTHONPATH": str(HERE)}
        given |= {"PYTHONDONTWRITEBYTECODE": "1"}
        return traced(command, self.root / "log", given, self.root / "work", *more)

    def check(self, line: str, *more: str) -> None:
        """Trace a command, which must succeed, and check where it connects to and writes."""
        trace = self.trace(line, *more)
        work, home = self.root / "work", self.root / "home"
        allowed = [work / "corpus", work / "out", self.root / "tmp", home / ".cache/pagemill", home / ".prefect"]
        assert trace.code == 0, trace.said
        assert trace.strangers() == set()
        assert trace.elsewhere(allowed) == set()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    root = tmp_path_factory.mktemp("traced")
    for name in ("home", "tmp", "work"):
        (root / name).mkdir()
    work = root / "work"
    draw_corpus(work / "source")
    write_questions(work / "questions.jsonl")
    asked: list[dict[str, Any]] = [json.loads(line) for line in (work / "questions.jsonl").read_text().splitlines()]
    halves = [{**question, "split": ("train", "test")[number % 2]} for number, question in enumerate(asked)]
    (work / "halves.jsonl").write_text("".join(json.dumps(question) + "\n" for question in halves))
    (work / "pagemill.toml").write_text('[deliver.lake]\nto = "out/lake"\n')
    chart = Image.new("RGB", (200, 80), "white")
    ImageDraw.Draw(chart).text((10, 30), "tide 4.2 m", fill="black")
    chart.save(work / "source/gauge.png")
    for name in FEW:
        (work / "few" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(work / "source" / name, work / "few" / name)
    found = {path.suffix: str(path.relative_to(work / "source")) for path in sorted((work / "source").rglob("*.*"))}
    names = {"pdf": found[".pdf"], "text": found[".txt"], "picture": found[".png"]}
    return Scene(root, {**names, "embedder": str(make_embedder(root / "embedder"))})


def test_a_refresh_a_search_and_a_look_at_documents_stay_on_this_machine(scene: Scene) -> None:
    for line in FIRST:
        scene.check(line)


def test_without_namespaces_documents_are_read_without_a_word_to_anybody(scene: Scene) -> None:
    scene.check("parse source/{pdf} --out out/unconfined", *REFUSED_NAMESPACES)


def commands(application: typer.Typer) -> Iterator[str]:
    """Yield the names of an application's commands."""
    for command in application.registered_commands:
        assert command.name or command.callback
        yield command.name or str(getattr(command.callback, "__name__", "")).removesuffix("_command")
    for group in application.registered_groups:
        yield str(group.name)


def test_every_command_is_traced() -> None:
    assert set(commands(make_cli_application())) == {line.split()[0] for line in FIRST + REST}


@pytest.mark.long
def test_every_other_command_stays_on_this_machine(scene: Scene) -> None:
    for line in REST:
        scene.check(line)
