"""Logs: what the steps log on a Dask worker goes to their task runs in the Prefect UI."""

import logging
from functools import cache

LOGGER = "tasks"
"""The logger of all that steps call."""


@cache
def send_logs() -> None:
    """Send records of level INFO and above to the task run of their thread, from now on, in this process."""
    from prefect.context import TaskRunContext
    from prefect.logging.handlers import APILogHandler

    class TaskRunHandler(APILogHandler):
        """Leaves out what no task run logs."""

        def emit(self, record: logging.LogRecord) -> None:
            if TaskRunContext.get():
                super().emit(record)

    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.INFO)
    logger.addHandler(TaskRunHandler(logging.INFO))
