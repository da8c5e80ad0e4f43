"""Calls about many items, some at a time, which end early when more of them would be in vain."""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from schemas.errors import AnswerError, CostError, InputError, PagemillError, ServiceError
from tasks.workers.threads import map_in_threads

FIRST_CALLS = 8
"""So many items are asked about first. If no answer is of any use, the model is not asked more."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class Calls(Generic[Item, Result]):
    """Asks about items with `ask` until an error that would hit the next call too, which is then `stopped`.

    So many useless answers and no other as `least_useless` are such an error. Calls under way are ended before anything is
    returned, so that what they cost is not lost.
    """

    def __init__(self, ask: Callable[[Item], Result], calls_at_once: int, least_useless: int = 1) -> None:
        self._ask, self._calls_at_once, self._least_useless = ask, calls_at_once, least_useless
        self._n_useless = self._n_useful = 0
        self.stopped: PagemillError | None = None

    def ask_each(self, items: Sequence[Item]) -> list[Result | AnswerError | None]:
        """Return for each item what `ask` returns, or why the answer is of no use; None where nothing was asked any more."""
        found: list[Result | AnswerError | None] = []
        for part in (items[:FIRST_CALLS], items[FIRST_CALLS:]):
            answers = map_in_threads(self._ask_one, part, self._calls_at_once, threading.Event())
            useless = [one for one in answers if isinstance(one, AnswerError)]
            self._n_useless += len(useless)
            self._n_useful += sum(one is not None for one in answers) - len(useless)
            if useless and not self._n_useful and self._n_useless >= self._least_useless:
                self.stopped = self.stopped or useless[-1]
            found += answers
        return found

    def _ask_one(self, item: Item) -> Result | AnswerError | None:
        if self.stopped is not None:
            return None
        try:
            return self._ask(item)
        except AnswerError as error:
            return error
        except (CostError, InputError, ServiceError) as error:
            self.stopped = self.stopped or error
            return None
