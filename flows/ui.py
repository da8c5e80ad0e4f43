"""What a run shows in the Prefect UI: its name, its tag, its artifacts.

A corpus has the name of its folder. Names and messages are escaped.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from prefect import tags
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.runtime import flow_run

from schemas.corpus import Corpus
from tasks.publish.io.reports.names import corpus_name


def name_refresh() -> str:
    """Return the name of the current refresh: the names of its folders."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['source'])} into {corpus_name(given['corpus'])}"


def name_evaluation() -> str:
    """Return the name of the current evaluation."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['corpus'])} with {corpus_name(given['questions'])}"


def name_verification() -> str:
    """Return the name of the current verification."""
    return corpus_name(flow_run.get_parameters()["corpus"])


def name_generation() -> str:
    """Return the name of the current generation of questions."""
    given = flow_run.get_parameters()
    return f"questions about {corpus_name(given['corpus'])}"


def name_finetuning() -> str:
    """Return the name of the current fine-tuning."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['out'])} from questions about {corpus_name(given['corpus'])}"


@contextmanager
def tag_run(corpus: str) -> Iterator[None]:
    """Tag the flow run, and the task runs of the block, with the name of the corpus; those of a candidate with both names."""
    home = Corpus(os.path.abspath(corpus)).home
    names = [corpus_name(corpus), *([corpus_name(home.uri)] if home else [])]
    under_way = FlowRunContext.get()
    missing = [name for name in names if under_way and under_way.flow_run and name not in under_way.flow_run.tags]
    if under_way and under_way.flow_run and missing:
        with get_client(sync_client=True) as client:
            client.update_flow_run(under_way.flow_run.id, tags=[*under_way.flow_run.tags, *missing])
    with tags(*names):
        yield


def show_status(corpus: str) -> None:
    """Bring the page of a corpus in the UI up to date. A failure is the task's; the run that calls it has done its work."""
    from tasks.evaluate.tasks import show_corpus  # takes a second to import

    show_corpus(corpus_name(corpus), Corpus(corpus), return_state=True)
