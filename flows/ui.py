"""What a run shows in the Prefect UI: its name, its tag, its progress, the page of its corpus.

A corpus has the name of its folder. Names and messages are escaped.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from prefect import tags
from prefect.artifacts import create_progress_artifact, update_progress_artifact
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run

from schemas.corpus import Corpus
from schemas.staged import STEPS
from tasks.publish.io.reports.names import make_artifact_key, name_corpus, name_source

if TYPE_CHECKING:
    from tasks.refresh.io.job import Job

EVERY_SECONDS = 2.0
logger = logging.getLogger(__name__)


def name_refresh_run() -> str:
    """Return the name of the current refresh: the names of its folders."""
    given = flow_run.get_parameters()
    return f"{name_source(given['source'])} into {name_corpus(given['corpus'])}"


def name_evaluation_run() -> str:
    """Return the name of the current evaluation."""
    given = flow_run.get_parameters()
    return f"{name_corpus(given['corpus'])} with {name_corpus(given['questions'])}"


def name_verification_run() -> str:
    """Return the name of the current verification."""
    return name_corpus(flow_run.get_parameters()["corpus"])


def name_delivery_run() -> str:
    """Return the name of the current delivery."""
    return name_corpus(flow_run.get_parameters()["corpus"])


def name_question_generation_run() -> str:
    """Return the name of the current generation of questions."""
    given = flow_run.get_parameters()
    return f"questions about {name_corpus(given['corpus'])}"


def name_finetuning_run() -> str:
    """Return the name of the current fine-tuning."""
    given = flow_run.get_parameters()
    return f"{name_corpus(given['out'])} from questions about {name_corpus(given['corpus'])}"


@contextmanager
def tag_run_with_corpus(corpus: str) -> Iterator[None]:
    """Tag the flow run, and the task runs of the block, with the name of the corpus; those of a candidate with both names."""
    home = Corpus(os.path.abspath(corpus)).home
    names = [name_corpus(corpus), *([name_corpus(home.uri)] if home else [])]
    under_way = FlowRunContext.get()
    missing = [name for name in names if under_way and under_way.flow_run and name not in under_way.flow_run.tags]
    if under_way and under_way.flow_run and missing:
        with get_client(sync_client=True) as client:
            client.update_flow_run(under_way.flow_run.id, tags=[*under_way.flow_run.tags, *missing])
    with tags(*names):
        yield


def show_corpus_status(corpus: str) -> None:
    """Bring the page of a corpus in the UI up to date. A failure is the task's; the run that calls it has done its work."""
    from tasks.evaluate.tasks import show_corpus  # takes a second to import

    show_corpus(name_corpus(corpus), Corpus(corpus), return_state=True)


@contextmanager
def show_progress_artifact(job: "Job") -> Iterator[None]:
    """Keep a progress artifact up to date during the block. If the server fails, the work goes on."""
    over = threading.Event()
    thread = threading.Thread(
        target=copy_context().run, args=(_create_progress_artifact, job, over), name="pagemill-progress", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(EVERY_SECONDS)


def _create_progress_artifact(job: "Job", over: threading.Event) -> None:
    n_documents = len(job.contents())
    try:
        shown: Any = create_progress_artifact(
            0.0, key=make_artifact_key("refresh-progress", job.corpus.uri), description=f"{n_documents} documents"
        )
        while not over.wait(EVERY_SECONDS):
            update_progress_artifact(
                shown, compute_percent_done(job, n_documents), f"{describe_steps_done(job)} of {n_documents} documents"
            )
        update_progress_artifact(
            shown, compute_percent_done(job, n_documents), f"{describe_steps_done(job)} of {n_documents} documents"
        )
    except (PrefectException, OSError) as error:
        logger.warning("progress is not shown: %s", error)


def compute_percent_done(job: "Job", n_documents: int) -> float:
    """Return how much of the work of all steps is done, in percent."""
    done = sum(job.progress.count_done(step) for step in STEPS)
    return min(100.0, 100.0 * done / (n_documents * len(STEPS))) if n_documents else 100.0


def describe_steps_done(job: "Job") -> str:
    """Return, as a text for people, how many documents each step has done.

    A part of a long document counts as a fraction.
    """
    return ", ".join(f"{step} {job.progress.count_done(step):.4g}" for step in STEPS)
