"""When asked: what pays off for many calls alone, made meanwhile in a thread of its own."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Value = TypeVar("Value")

logger = logging.getLogger(__name__)


class BackgroundValue(Generic[Value]):
    """Something that is made once it was asked for often. No caller waits for it, and threads may share it."""

    def __init__(self, make: Callable[[], Value], often: int) -> None:
        """`make` is called by a thread after `often` calls of `asked`. If it fails, that is logged, and nothing is there."""
        self._make, self._often = make, often
        self._lock, self._n_asked = threading.Lock(), 0
        self._made: Future[Value | None] | None = None

    def request(self) -> Value | None:
        """Count a call, and return what was made, if it is there."""
        with self._lock:
            self._n_asked += 1
            if self._n_asked > self._often and self._made is None:
                helper = ThreadPoolExecutor(1, "pagemill-when-asked")
                self._made = helper.submit(self._make_value)
                helper.shutdown(wait=False)
        return self.ready

    @property
    def ready(self) -> Value | None:
        """What was made; None if it is not there."""
        return self._made.result() if self._made and self._made.done() else None

    def wait(self) -> Value | None:
        """Return what was made, as soon as it is there; None if it was not asked for often."""
        return self._made.result() if self._made else None

    def _make_value(self) -> Value | None:
        try:
            return self._make()
        except Exception as error:
            logger.warning("going on without what would make further calls faster: %s", error)
            return None
