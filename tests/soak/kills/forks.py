"""Commands in processes of their own, forked from one that has everything imported, and killed at chosen writes."""

import os
import shutil
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tests.forking import Forker, attempt, serve
from tests.soak.kills.writes import When

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
    outcome: dict[str, Any] | None = None
    error: str = ""
    writes: int = 0


class Forks(Forker):
    """Runs commands in forks, with the embedder in the folder `model`."""

    def __init__(self, model: Path) -> None:
        self.model = str(model)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT_API")},
            "PREFECT_LOGGING_LEVEL": "ERROR",
            "HF_HUB_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
            "OMP_NUM_THREADS": "1",
            "PYTHONWARNINGS": "ignore",
        }
        super().__init__([*MODES_APPLY, sys.executable, "-m", "tests.soak.kills.forks", self.model], environment)

    def start(self, order: Order) -> None:
        """Start a command; `wait` tells how it ended, in the order of the starts."""
        self.send(order)

    def wait(self) -> Ended:
        """Return how the earliest command that was started and not waited for ended."""
        return Ended(**self.receive())

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


def obey(values: list[Any]) -> dict[str, Any]:
    """Run the command of an order in this process; return its outcome or its error, and how often it wrote."""
    from tasks.publish.io import cleanup
    from tests.soak.commands import COMMANDS
    from tests.soak.kills.writes import Writes

    order = Order(*values)
    cleanup.SAFE_AGE = cleanup.SAFE_AGE if order.watched else timedelta(0)
    writes = Writes(order.corpus, order.kill, order.when)
    writes.install()
    answer = attempt(lambda: COMMANDS[order.command](order.corpus, **order.given))
    return {**answer, "writes": writes.n}


def main() -> None:
    """Import everything, then run the commands that are asked for."""
    from tests.soak.commands import prepare

    prepare(Path(sys.argv[1]))
    serve(obey)


if __name__ == "__main__":
    main()
