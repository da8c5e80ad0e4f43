"""Refreshes in processes of their own, forked from one that has everything imported, and killed at chosen moments."""

import importlib
import os
import signal
import sys
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from tests.forking import Forker, attempt, serve


class Moment(NamedTuple):
    """Just after the n-th call of a function (of any process' main thread or task) has returned."""

    module: str
    function: str
    n: int


class Ended(NamedTuple):
    """How a forked refresh ended: the signal that killed it or 0, its outcome, its error."""

    signal: int
    outcome: dict[str, Any] | None = None
    error: str = ""


class Forks(Forker):
    """Runs refreshes in forks, as runs of the Prefect server at `api`."""

    def __init__(self, api: str) -> None:
        environment = {**os.environ, "PREFECT_API_URL": api, "PREFECT_LOGGING_LEVEL": "ERROR", "HF_HUB_OFFLINE": "1"}
        super().__init__([sys.executable, "-m", "tests.flows.forks"], environment)

    def start(self, source: Path, corpus: Path, moment: Moment | None = None, **given: Any) -> None:
        """Start a refresh; `wait` tells how it ended, in the order of the starts."""
        self.send({"source": str(source), "corpus": str(corpus), "moment": moment, "given": given})

    def wait(self) -> Ended:
        """Return how the earliest refresh that was started and not waited for ended."""
        return Ended(**self.receive())

    def run(self, source: Path, corpus: Path, moment: Moment | None = None, **given: Any) -> Ended:
        """Run one refresh."""
        self.start(source, corpus, moment, **given)
        return self.wait()


def kill_at(moment: Moment) -> None:
    """Let this process' whole group be killed just after the moment."""
    module = importlib.import_module(moment.module)
    original = getattr(module, moment.function)
    calls = 0

    @wraps(original)
    def counted(*args: Any, **keywords: Any) -> Any:
        nonlocal calls
        result = original(*args, **keywords)
        calls += 1
        if calls == moment.n:
            os.killpg(0, signal.SIGKILL)
        return result

    setattr(module, moment.function, counted)


def refresh_once(order: dict[str, Any]) -> dict[str, Any]:
    """Run one refresh in this process; return its outcome or its error."""
    from flows.cli.refresh import run_refresh
    from flows.settings import read_refresh_options

    if order["moment"]:
        kill_at(Moment(*order["moment"]))
    options, url = read_refresh_options(order["given"]), os.environ["PREFECT_API_URL"]
    return attempt(lambda: run_refresh(order["source"], order["corpus"], options, False, url))


def main() -> None:
    """Import everything, then run the refreshes that are asked for."""
    for module in ("torch", "transformers", "great_expectations", "pymupdf", "flows.refresh"):
        importlib.import_module(module)
    serve(refresh_once)


if __name__ == "__main__":
    main()
