"""The progress of a refresh, as an artifact in the Prefect UI."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

from prefect.artifacts import create_progress_artifact, update_progress_artifact
from prefect.exceptions import PrefectException

from schemas.staged import STEPS
from tasks.publish.io.reports.names import artifact_key
from tasks.refresh.io.job import Job

EVERY_SECONDS = 2.0
logger = logging.getLogger(__name__)


@contextmanager
def show_progress(job: Job) -> Iterator[None]:
    """Keep a progress artifact up to date during the block. If the server fails, the work goes on."""
    over = threading.Event()
    thread = threading.Thread(target=copy_context().run, args=(_show, job, over), name="pagemill-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(EVERY_SECONDS)


def _show(job: Job, over: threading.Event) -> None:
    n_documents = len(job.contents())
    try:
        shown: Any = create_progress_artifact(
            0.0, key=artifact_key("refresh-progress", job.corpus.uri), description=f"{n_documents} documents"
        )
        while not over.wait(EVERY_SECONDS):
            update_progress_artifact(shown, percent_done(job, n_documents), f"{steps_done(job)} of {n_documents} documents")
        update_progress_artifact(shown, percent_done(job, n_documents), f"{steps_done(job)} of {n_documents} documents")
    except (PrefectException, OSError) as error:
        logger.warning("progress is not shown: %s", error)


def percent_done(job: Job, n_documents: int) -> float:
    """Return how much of the work of all steps is done, in percent."""
    done = sum(job.progress.done(step) for step in STEPS)
    return min(100.0, 100.0 * done / (n_documents * len(STEPS))) if n_documents else 100.0


def steps_done(job: Job) -> str:
    """Return, as a text for people, how many documents each step has done.

    A part of a long document counts as a fraction.
    """
    return ", ".join(f"{step} {job.progress.done(step):.4g}" for step in STEPS)
