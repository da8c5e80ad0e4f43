"""A Python function as a destination: it is called with the changes, and has to apply them itself.

What it was given last is kept in the corpus. A process that is killed while the function runs has it called with the same changes
again, before any others; `Changes` name their rows by keys, so that what was applied already can be.
"""

import importlib
import logging
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from tasks.deliver.io.destination import Delivered, Delivery
from tasks.store import files

logger = logging.getLogger(__name__)


class Function:
    """A function of one argument: `tasks.deliver.io.changes.Changes`, with rows."""

    def __init__(self, corpus: Corpus, name: str, function: str) -> None:
        """Raises InputError: there is no such function."""
        self._state, self._named = corpus.marker(f"delivered-{name}.json"), f"deliver.{name}.to: {function}"
        module, _, attribute = function.partition(":")
        try:
            self._function: Callable[[Any], object] = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"deliver.{name}.to: there is no function {function} ({error}): install its package here, or correct the name"
            ) from error

    def read_delivered(self) -> Delivered | None:
        """Return what the function was given."""
        try:
            return Delivered.model_validate_json(self._state.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def apply(self, delivery: Delivery) -> None:
        """Call the function.

        Raises:
            InputError: it raised something.
        """
        before = self.read_delivered()
        if before and delivery.changes.since:
            self._write(before.model_copy(update={"begun": delivery.said.generation}))
        else:
            self._state.unlink(missing_ok=True)
        try:
            self._function(delivery.changes)
        except PagemillError:
            raise
        except Exception as error:  # whatever it may be, other destinations can be delivered to
            logger.warning("%s failed", self._named, exc_info=True)
            raise InputError(f"{self._named} failed ({error!r}): correct it; it gets the same changes again") from error
        self._write(delivery.said)

    def _write(self, said: Delivered) -> None:
        files.write_atomically(self._state, said.model_dump_json().encode())
