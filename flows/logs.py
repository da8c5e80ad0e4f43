"""Logs: what Pagemill logs while a flow runs stands in the run's logs in the Prefect UI."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Handler

LOGGERS = ("tasks", "flows", "expectations")
"""Pagemill's own; each stands for all below it."""

LEVEL = logging.INFO
_changing = threading.Lock()
_levels: list[dict[str, int]] = []
"""The loggers' levels before each run that is under way in this process."""


@contextmanager
def run_logs() -> Iterator[None]:
    """Send Pagemill's log records of level INFO and above to the flow run that is under way, for the length of the block.

    A record from a task run goes to that task run; one from a thread that belongs to no run goes to the flow run.
    """
    handler = _handler()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    with _changing:
        _levels.append({logger.name: logger.level for logger in loggers})
        for logger in loggers:
            logger.addHandler(handler)
            logger.setLevel(LEVEL)
    try:
        yield
    finally:
        handler.flush()
        with _changing:
            before = _levels.pop()
            for logger in loggers:
                logger.removeHandler(handler)
                logger.setLevel(LEVEL if _levels else before[logger.name])


def _handler() -> "Handler":
    from prefect.context import FlowRunContext, TaskRunContext
    from prefect.logging.handlers import APILogHandler

    flow = FlowRunContext.get()
    own = flow.flow_run.id if flow and flow.flow_run else None

    class RunHandler(APILogHandler):
        """Sends what belongs to one flow run; in a process with several, each has its own."""

        def emit(self, record: logging.LogRecord) -> None:
            task, here = TaskRunContext.get(), FlowRunContext.get()
            of = task.task_run.flow_run_id if task else here.flow_run.id if here and here.flow_run else None
            if own is None or of not in (None, own):
                return
            if of is None:
                record.flow_run_id = own
            super().emit(record)

    return RunHandler(LEVEL)
