"""Progress: what the steps have done so far, for whoever wants to show it."""

from collections.abc import Callable

_listeners: list[Callable[[str, int], None]] = []


def listen(listener: Callable[[str, int], None]) -> None:
    """Call `listener(step, n_documents)` whenever a step has dealt with more documents."""
    _listeners.append(listener)


def forget(listener: Callable[[str, int], None]) -> None:
    """Call `listener` no longer."""
    _listeners.remove(listener)


def advance(step: str, n: int) -> None:
    """Tell the listeners that `step` has dealt with `n` more documents."""
    for listener in _listeners:
        listener(step, n)
