"""Commands in processes of their own, forked from one that has everything imported, and killed at chosen writes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
from datetime import timedelta
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from tests.nights.kills.writes import When

Options = dict[str, dict[str, Any]]
"""Options of a refresh, by section."""

MODES_APPLY = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 and shutil.which("setpriv") else []
)
"""Without them, root would read files that nobody may read."""


class Order(NamedTuple):
    """A command, what it is given beside the corpus, and at which write it is killed (0: never).

    While it is `watched` it deletes no version that is younger than an hour, as Pagemill does it, so that readers lose nothing.
    """

    command: str
    corpus: str
    given: dict[str, Any]
    kill: int = 0
    when: When = "after"
    watched: bool = False


class Ended(NamedTuple):
    """How a command ended: the signal that killed it or 0, its outcome, its error, how often it wrote."""

    signal: int
    outcome: dict[str, Any] | None
    error: str
    writes: int


class Forks:
    """The process that forks."""

    def __init__(self, model: Path) -> None:
        """`model` is the folder of the embedder that commands use."""
        self.model = str(model)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT_API")},
            "PREFECT_LOGGING_LEVEL": "ERROR",
            "HF_HUB_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
            "OMP_NUM_THREADS": "1",
            "PYTHONWARNINGS": "ignore",
        }

    def __enter__(self) -> Self:
        command = [*MODES_APPLY, sys.executable, "-m", "tests.nights.kills.forks", self.model]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def start(self, order: Order) -> None:
        """Start a command; `wait` tells how it ended, in the order of the starts."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def wait(self) -> Ended:
        """Return how the earliest command that was started and not waited for ended."""
        assert self.process.stdout
        return Ended(**json.loads(self.process.stdout.readline()))

    def refresh(self, corpus: Path, source: Path, given: Options | None = None) -> Ended:
        """Run one refresh; `given` are its options by section."""
        return self.run(self.refresh_order(corpus, source, given))

    def refresh_order(self, corpus: Path, source: Path, given: Options | None = None) -> Order:
        """Return the order to refresh."""
        return Order("refresh", str(corpus), {"source": str(source), "model": self.model, "given": given or {}})

    def run(self, order: Order) -> Ended:
        """Run one command."""
        self.start(order)
        return self.wait()


def obey(order: Order) -> dict[str, Any]:
    """Run a command in this process; return what came of it."""
    from schemas.errors import PagemillError
    from tasks.publish.io import cleanup
    from tests.nights.commands import COMMANDS
    from tests.nights.kills.writes import Writes

    cleanup.SAFE_AGE = cleanup.SAFE_AGE if order.watched else timedelta(0)
    writes = Writes(order.corpus, order.kill, order.when)
    writes.install()
    outcome, error = None, ""
    try:
        outcome = COMMANDS[order.command](order.corpus, **order.given)
    except PagemillError as refusal:
        error = f"{type(refusal).__name__}: {refusal}"
    except BaseException:
        error = "a bug: " + traceback.format_exc()
    return {"outcome": outcome, "error": error, "writes": writes.n}


def fork(order: Order, answer: Path) -> int:
    """Fork a process that leads a group of its own and runs one command; return its id."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        answer.write_text(json.dumps(obey(order), default=str))
    finally:
        os._exit(0)


def report(running: "SimpleQueue[tuple[int, Path] | None]") -> None:
    """Tell how the forked processes ended, in order."""
    while job := running.get():
        pid, answer = job
        _, status = os.waitpid(pid, 0)
        told = json.loads(answer.read_text()) if answer.exists() else {"outcome": None, "error": "", "writes": 0}
        answer.unlink(missing_ok=True)
        sys.stdout.write(json.dumps({"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, **told}) + "\n")
        sys.stdout.flush()


def main() -> None:
    """Read orders, fork, tell how they ended."""
    from tests.nights.commands import prepare

    prepare(Path(sys.argv[1]))
    running: SimpleQueue[tuple[int, Path] | None] = SimpleQueue()
    reporter = threading.Thread(target=report, args=(running,))
    reporter.start()
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            answer = Path(folder) / str(number)
            running.put((fork(Order(*json.loads(line)), answer), answer))
        running.put(None)
        reporter.join()


if __name__ == "__main__":
    main()
