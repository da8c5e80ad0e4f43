"""Logs: show Pagemill's log records in the logs of the flow run in the Prefect UI."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Handler

LOGGERS = ("tasks", "flows", "expectations")
"""Pagemill's loggers, including all loggers below them."""

LEVEL = logging.INFO
_changing = threading.Lock()
_levels: list[dict[str, int]] = []
"""The levels of the loggers before each run that is now running in this process."""


@contextmanager
def send_logs_to_flow_run() -> Iterator[None]:
    """Send Pagemill's log records of level INFO and above to the current flow run during the block.

    A record from a task run goes to that task run. A record from a thread without a run goes to the flow run.
    """
    handler = _make_log_handler()
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


def _make_log_handler() -> "Handler":
    from prefect.context import FlowRunContext, TaskRunContext
    from prefect.logging.handlers import APILogHandler

    flow = FlowRunContext.get()
    own = flow.flow_run.id if flow and flow.flow_run else None

    class RunHandler(APILogHandler):
        """Sends the records of one flow run. A process with several flow runs has one handler for each."""

        def emit(self, record: logging.LogRecord) -> None:
            task, here = TaskRunContext.get(), FlowRunContext.get()
            of = task.task_run.flow_run_id if task else here.flow_run.id if here and here.flow_run else None
            if own is None or of not in (None, own):
                return
            if of is None:
                record.flow_run_id = own
            super().emit(record)

    return RunHandler(LEVEL)
