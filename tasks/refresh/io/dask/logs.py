"""Logs: what a step logs on a worker comes with its answer to the flow, which logs it as its own.

So the lines of a step stand in the UI at its task run, and on the terminal, wherever it was carried out.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from schemas.references import Logged

LOGGER = "tasks"
"""The logger of all that steps call."""

_lines: ContextVar[list[Logged] | None] = ContextVar("lines_of_a_step", default=None)


class Collecting(logging.Handler):
    """Adds each record to the lines of the step that logs it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record of a step; another one goes to where this process would print it."""
        lines = _lines.get()
        if lines is not None:
            lines.append(Logged(logger=record.name, level=record.levelno, text=record.getMessage()))
        elif logging.lastResort and record.levelno >= logging.lastResort.level:
            logging.lastResort.handle(record)


@contextmanager
def collected() -> Iterator[list[Logged]]:
    """Collect what this thread logs at level INFO and above, for the length of the block."""
    _prepare()
    lines: list[Logged] = []
    token = _lines.set(lines)
    try:
        yield lines
    finally:
        _lines.reset(token)


@cache
def _prepare() -> None:
    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.INFO)
    logger.addHandler(Collecting(logging.INFO))


def log_again(lines: Iterable[Logged]) -> None:
    """Log what a worker has logged, by loggers of the same names."""
    for line in lines:
        logging.getLogger(line.logger).log(line.level, "%s", line.text)
