"""Progress: how much of each document every step has done, for whoever wants to show it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, float], None]
"""Called with a step and by how many documents it is further; a part of a long document is a fraction."""


class Progress:
    """What the steps of one run have done. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shares: dict[tuple[str, str], float] = {}
        self._listeners: list[Listener] = []

    @contextmanager
    def heard_by(self, listener: Listener) -> Iterator[None]:
        """Call `listener`, in the thread of whoever does the work, for the length of the block."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def part(self, step: str, document: str, share: float) -> None:
        """Say that `step` has done `share` of a document, in [0, 1]; a smaller share than before changes nothing."""
        with self._lock:
            gained = share - self._shares.get((step, document), 0.0)
            if gained <= 0:
                return
            self._shares[step, document] = share
        for listener in tuple(self._listeners):
            listener(step, gained)

    def finish(self, step: str, document: str) -> None:
        """Say that `step` is done with a document, whatever came of it."""
        self.part(step, document, 1.0)

    def done(self, step: str) -> float:
        """Return how many documents `step` has done so far."""
        with self._lock:
            return sum(share for (of, _), share in self._shares.items() if of == step)
