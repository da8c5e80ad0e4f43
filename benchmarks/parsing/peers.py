"""The peers: converters in a virtual environment of their own, run beside Pagemill on the same documents."""

import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.report import say
from tasks.workers.environment import SINGLE_THREADED

SCORERS = "scorers"
REQUIREMENTS = {
    "pymupdf": ["pymupdf==2.0"],
    "camelot": ["camelot-py==2.0.0"],
    "opendataloader": ["opendataloader-pdf==2.5.16"],
    "markitdown": ["markitdown[pdf]==0.1.8"],
    "edgeparse": ["edgeparse==0.3.2"],
    "liteparse": ["liteparse==2.18.0"],
    "pdfplumber": ["pdfplumber==0.11.10"],
}
"""What each peer needs. None of them fetches a model when it runs; opendataloader needs Java."""
OWN = ("pagemill", "pagemill-parse")
AT_ONCE = ("opendataloader",)
"""Peers that start anew for every request: they get all documents in one."""
TURN = 5
"""Documents that a converter gets before it is another's turn, so that what else the machine does slows all of them alike."""


class Peers(NamedTuple):
    """The Python of the peers' environment, and those that could be installed."""

    python: str
    names: tuple[str, ...]


class Run(NamedTuple):
    """What a converter made of the documents: a folder of results, and seconds for each document."""

    out: Path
    cpu: list[float]
    wall: list[float]

    def mean_cpu(self) -> float:
        """Return seconds of CPU a document."""
        return statistics.fmean(self.cpu)


def install(cache: Path, scorers: Path, names: Iterable[str] = tuple(REQUIREMENTS)) -> Peers:
    """Make the peers' environment in `cache`, or find it there. `scorers` is the requirements file of the kit's scorers.

    `names` are the peers to install beside the scorers.

    Raises:
        SystemExit: the scorers' requirements cannot be installed.
    """
    wanted = {SCORERS: ["-r", str(scorers)], **{name: REQUIREMENTS[name] for name in names}}
    if "opendataloader" in wanted and not shutil.which("java"):
        say("  opendataloader is left out: it needs Java (apt-get install default-jre-headless)")
        del wanted["opendataloader"]
    made = environment(cache, "peers", wanted, json.dumps(REQUIREMENTS) + scorers.read_text())
    if SCORERS not in made.names:
        raise SystemExit("the scorers' requirements cannot be installed: is PyPI reached?")
    return made


def environment(cache: Path, name: str, wanted: Mapping[str, list[str]], key: str = "") -> Peers:
    """Make a virtual environment in `cache`, or find it there; what cannot be installed of `wanted` is said and left out.

    Each name in `wanted` has what pip is to install for it. `key` stands for the environment's content, by default `wanted`.
    """
    content = (key or json.dumps(wanted)) + sys.version
    folder = cache / f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    if not python.exists():
        say(f"  making the environment of the {name} in {folder}, once")
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return Peers(str(python), tuple(one for one, needs in wanted.items() if _install(folder, one, needs)))


def _install(folder: Path, name: str, needs: list[str]) -> bool:
    done = folder / f"{name}.installed"
    if done.exists():
        return True
    run = subprocess.run([folder / "bin" / "pip", "install", "--quiet", *needs], capture_output=True, text=True, check=False)
    if run.returncode:
        told = run.stderr.strip().splitlines()[-1:] or ["pip failed"]
        say(f"  {name} is left out: {told[0]}")
        return False
    done.touch()
    return True


class Converter:
    """A process of `benchmarks.parsing.conversion`, which computes on one thread, as Pagemill's workers do.

    The threads of a BLAS that wait for the next product count as computing: they doubled the CPU seconds of a page.
    """

    def __init__(self, name: str, python: str, out: Path) -> None:
        self.name = name
        out.mkdir(parents=True)
        self.run = Run(out, [], [])
        script = [python, "-P", str(Path(__file__).with_name("conversion.py"))]
        command = [sys.executable, "-m", "benchmarks.parsing.conversion"] if name.startswith(OWN[0]) else script
        self._told = (out / ".stderr").open("w")
        self._process = subprocess.Popen(
            [*command, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._told,
            text=True,
            bufsize=1,
            env=os.environ | SINGLE_THREADED,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._told.close()

    def convert(self, paths: Sequence[Path], counted: bool = True) -> None:
        """Convert documents; `counted` tells whether the seconds are kept.

        Raises:
            SystemExit: the process died.
        """
        assert self._process.stdin and self._process.stdout
        request = {"paths": [str(path) for path in paths], "out": str(self.run.out)}
        self._process.stdin.write(json.dumps(request) + "\n")
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.name} died:\n{(self.run.out / '.stderr').read_text()[-2000:]}")
        for cost in json.loads(answer) if counted else ():
            self.run.cpu.append(cost["cpu"])
            self.run.wall.append(cost["wall"])


def convert_all(names: Sequence[str], peers: Peers, paths: Sequence[Path], work: Path) -> dict[str, Run]:
    """Have each converter turn all documents into results below `work`, taking turns; the first document warms them up."""
    runs = {}
    able = [name for name in names if name in OWN or name in peers.names]
    together = [Converter(name, peers.python, work / name) for name in able]
    for converter in together:
        if converter.name not in AT_ONCE:
            converter.convert(paths[:1], counted=False)
    for start in range(0, len(paths), TURN):
        for converter in together:
            if converter.name not in AT_ONCE:
                converter.convert(paths[start : start + TURN])
    for converter in together:
        with converter:
            if converter.name in AT_ONCE:
                converter.convert(paths)
            runs[converter.name] = converter.run
    return runs
