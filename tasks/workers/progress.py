"""Progress: the share of each document that every step has done, for progress displays."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, float], None]
"""Called with a step and the number of documents done since the last call; part of a long document is a fraction."""


class Progress:
    """The progress of the steps of one run. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shares: dict[tuple[str, str], float] = {}
        self._listeners: list[Listener] = []

    @contextmanager
    def listen(self, listener: Listener) -> Iterator[None]:
        """Call `listener` while the block runs, in the thread that does the work."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def part(self, step: str, document: str, share: float) -> None:
        """Record that `step` has done `share` of a document, in [0, 1]. A smaller share than before changes nothing."""
        with self._lock:
            gained = share - self._shares.get((step, document), 0.0)
            if gained <= 0:
                return
            self._shares[step, document] = share
        for listener in tuple(self._listeners):
            listener(step, gained)

    def finish(self, step: str, document: str) -> None:
        """Record that `step` has finished a document, successfully or not."""
        self.part(step, document, 1.0)

    def count_done(self, step: str) -> float:
        """Return how many documents `step` has done so far."""
        with self._lock:
            return sum(share for (of, _), share in self._shares.items() if of == step)
