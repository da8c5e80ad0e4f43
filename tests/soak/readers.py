"""Readers of a corpus while a command changes it."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.store import published
from tests.soak.state import State, live_state


class OpenReader:
    """A reader that opened the live generation's tables before a command, and reads them after it."""

    def __init__(self, corpus: Path) -> None:
        self._tables = {name: self._open(corpus, name) for name in VERSIONED}
        self._before = self._read()

    def _open(self, corpus: Path, name: str) -> Any:
        import lance

        return lance.dataset(
            str(corpus / f"{name}.lance"), version=published.read_live_generation(Corpus(str(corpus))).versions[name]
        )

    def _read(self) -> dict[str, Any]:
        return {name: table.to_table() for name, table in self._tables.items()}

    def check(self) -> None:
        """Nothing of what was opened has changed."""
        after = self._read()
        assert all(after[name].equals(table) for name, table in self._before.items()), "a reader's tables have changed"


class Poller:
    """A reader that looks all the while at something; what goes wrong with that is kept in `errors`."""

    def __init__(self, look: Callable[[], None]) -> None:
        self.errors: list[Exception] = []
        self._look = look
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._poll)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _poll(self) -> None:
        while not self._done.wait(0.02):
            try:
                self._look()
            except Exception as error:
                self.errors.append(error)


class StatePoller(Poller):
    """A reader that looks at the live generation all the while, and keeps every state that it saw."""

    def __init__(self, corpus: Path) -> None:
        super().__init__(self._keep)
        self.corpus = corpus
        self.seen: dict[int, State] = {}

    def _keep(self) -> None:
        live, state = live_state(self.corpus)
        self.seen[live.generation] = state

    def check(self, states: dict[int, State]) -> None:
        """All that was seen is one of the kept generations as a whole."""
        assert not self.errors, self.errors[0]
        assert all(states[number] == state for number, state in self.seen.items() if number in states)
