"""Trials: a command is interrupted at some moment, and what it leaves behind is looked for."""

import ctypes
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.flows.corpora import draw_pdf
from tests.soak.state import State, leftovers, live_state
from tests.tasks.drawn import scanned

PR_SET_CHILD_SUBREAPER = 36
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
COMMANDS = ("first refresh", "refresh", "refresh shown by a server", "evaluate", "purge")
END_SECONDS = 10
"""Longest time between a signal and the end of a command."""

ORPHAN_SECONDS = 3
"""Longest time between the end of a command and the end of what it started."""

QUESTION = '{"id": "q1", "question": "Where is the heron?", "documents": ["a.txt"], "gold": []}\n'
STAGED = "corpus/.pagemill/staging/**/*"
TICK_SECONDS = 0.005


class Trial(NamedTuple):
    """A command, the signal that it gets, and when: at a share of its undisturbed time, or once it has staged a file."""

    command: str
    signal: signal.Signals
    share: float | None = None


class Trace(NamedTuple):
    """How an interrupted command ended; `waited` is in seconds since the signal, `left` names what should not be there."""

    code: int
    waited: float
    told: str
    left: list[str]


def drawn_trials(n: int, seed: int, commands: tuple[str, ...] = COMMANDS) -> list[Trial]:
    """Return `n` trials: every signal as often as the others, at random moments."""
    chance = random.Random(seed)
    return [
        Trial(commands[number // len(SIGNALS) % len(commands)], SIGNALS[number % len(SIGNALS)], chance.uniform(0.02, 1))
        for number in range(n)
    ]


@contextmanager
def adopting() -> Iterator[None]:
    """Become the parent of all orphans below this process for the length of the block, and so know them."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(0), 0, 0, 0)


@dataclass
class Scene:
    """A source with a published corpus, what commands make of it undisturbed, and how long they take."""

    folder: Path
    model: str
    url: str
    seconds: dict[str, float] = field(default_factory=dict)
    after: dict[str, State] = field(default_factory=dict)

    def __post_init__(self) -> None:
        before = self.folder / "before"
        for name in ("a.txt", "b.txt", "secret.txt"):
            (before / "source").mkdir(parents=True, exist_ok=True)
            (before / "source" / name).write_text(f"The heron of {name} stands in the river.")
        draw_pdf(before / "source/report.pdf", ["Rainfall rose to 812 millimetres.", "The reservoir was full by March."])
        (before / "source/scan.pdf").write_bytes(scanned())
        (before / "questions.jsonl").write_text(QUESTION)
        self.run(before, "first refresh")
        (before / "source/secret.txt").unlink()

    def run(self, folder: Path, command: str) -> float:
        """Run a command to its end; return the seconds that it took."""
        started = time.monotonic()
        subprocess.run(self.call(folder, command), env=self.environment(folder, command), check=True, capture_output=True)
        return time.monotonic() - started

    def undisturbed(self, command: str) -> float:
        """Return how long the command takes; what it makes is kept."""
        if command not in self.seconds:
            folder = self.begun(self.folder / command.replace(" ", "-"), command)
            self.seconds[command] = self.run(folder, command)
            self.after[command] = live_state(folder / "corpus")[1]
        return self.seconds[command]

    def begun(self, folder: Path, command: str) -> Path:
        """Lay out the files that the command starts with."""
        shutil.copytree(self.folder / "before", folder)
        if command == "first refresh":
            shutil.rmtree(folder / "corpus")
        if "refresh" in command:
            (folder / "source/b.txt").write_text("The kingfisher came in spring.")
            (folder / "source/scan2.pdf").write_bytes(scanned() + b"\n")
        (folder / "tmp").mkdir(exist_ok=True)
        return folder

    def call(self, folder: Path, command: str) -> list[str]:
        """Return the command line."""
        verb = command.split()[1] if command == "first refresh" else command.split()[0]
        rest = {
            "refresh": [
                str(folder / "source"),
                "--embedder",
                self.model,
                "--set",
                "publish.keep_generations=9",
                "--allow-removals",
            ],
            "evaluate": ["--questions", str(folder / "questions.jsonl")],
            "purge": ["secret.txt", "--yes"],
        }[verb]
        return [sys.executable, "-m", "flows.cli", verb, *rest, "--corpus", str(folder / "corpus")]

    def environment(self, folder: Path, command: str) -> dict[str, str]:
        """Return the environment of a command: temporary files of its own, and a server only where it is meant."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_API", "PAGEMILL_"))}
        (folder / "tmp").mkdir(parents=True, exist_ok=True)
        server = {"PREFECT_API_URL": self.url} if command.endswith("server") else {}
        return {**kept, **server, "TMPDIR": str(folder / "tmp")}


def attempt(scene: Scene, trial: Trial, folder: Path) -> Trace:
    """Interrupt a command; run it again; return how it ended and all that was left then and afterwards."""
    undisturbed = scene.undisturbed(trial.command)
    scene.begun(folder, trial.command)
    due = staged_more(folder) if trial.share is None else passed(undisturbed * trial.share)
    with adopting():
        known = set(psutil.Process().children(recursive=True))
        code, waited, told = interrupt(scene, trial, folder, due)
        left = [f"process {' '.join(argv_of(process))[:200]}" for process in orphans(known)]
    if trial.signal != signal.SIGKILL:
        left += [str(path) for path in folder.rglob(".tmp-*")]
    left += [str(path) for path in (folder / "tmp").iterdir()]
    if code != 0 or trial.command != "purge":
        left += again(scene, trial.command, folder)
    return Trace(code, waited, told, left)


def staged_more(folder: Path) -> Callable[[], bool]:
    """Return a function that tells whether the corpus has a staged file more than now."""
    before = {path for path in folder.glob(STAGED) if path.is_file()}
    return lambda: any(path.is_file() for path in set(folder.glob(STAGED)) - before)


def passed(seconds: float) -> Callable[[], bool]:
    """Return a function that tells whether so many seconds have passed since now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def interrupt(scene: Scene, trial: Trial, folder: Path, due: Callable[[], bool]) -> tuple[int, float, str]:
    """Send the signal when it is due; return the exit code, the seconds that the command still took, and its stderr."""
    call, environment = scene.call(folder, trial.command), scene.environment(folder, trial.command)
    stderr = folder / "stderr.txt"
    with (
        stderr.open("wb") as told,
        subprocess.Popen(call, env=environment, stdout=subprocess.DEVNULL, stderr=told, process_group=0) as process,
    ):
        while not due():
            if process.poll() is not None:
                return process.returncode, 0.0, ""
            time.sleep(TICK_SECONDS)
        process.send_signal(trial.signal)
        sent = time.monotonic()
        try:
            process.wait(END_SECONDS * 3)
        finally:
            process.kill()
        return process.returncode, time.monotonic() - sent, stderr.read_text()


def orphans(known: set[psutil.Process]) -> list[psutil.Process]:
    """Return processes below this one that go on, and end them."""
    others = [process for process in psutil.Process().children(recursive=True) if process not in known]
    _, alive = psutil.wait_procs(others, timeout=ORPHAN_SECONDS)
    found = [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
    for process in found:
        process.kill()
    psutil.wait_procs(found, timeout=ORPHAN_SECONDS)
    return found


def argv_of(process: psutil.Process) -> list[str]:
    """Return a process's command line, if it has one still."""
    try:
        found: list[str] = process.cmdline()
    except psutil.Error:
        return [repr(process)]
    return found


def again(scene: Scene, command: str, folder: Path) -> list[str]:
    """Run the command again; return in what the corpus differs from that of an undisturbed one, and what nothing needs."""
    call, environment = scene.call(folder, command), scene.environment(folder, command)
    done = subprocess.run(call, env=environment, capture_output=True, text=True)
    if done.returncode != 0 and not (command == "purge" and "no generation of" in done.stderr):
        return [f"run again, it failed: {done.stderr}"]
    state = live_state(folder / "corpus")[1]
    changed = [] if state == scene.after[command] else ["the corpus differs"]
    old = [line for line in leftovers(folder / "corpus") if " versions of " not in line]  # versions stay for an hour: readers
    return [*changed, *old, *map(str, folder.rglob(".tmp-*"))]
