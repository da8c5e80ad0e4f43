"""What a run shows in the Prefect UI: its name, its tag, its artifacts.

A corpus has the name of its folder. Names and messages are escaped.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from prefect import tags
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.runtime import flow_run

from tasks.publish.io.reports.names import corpus_name


def refresh_name() -> str:
    """Return the name of the current refresh: the names of its folders."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['source'])} into {corpus_name(given['corpus'])}"


def evaluate_name() -> str:
    """Return the name of the current evaluation."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['corpus'])} with {corpus_name(given['questions'])}"


def generate_name() -> str:
    """Return the name of the current generation of questions."""
    given = flow_run.get_parameters()
    return f"questions about {corpus_name(given['corpus'])}"


@contextmanager
def tagged(corpus: str) -> Iterator[None]:
    """Tag the flow run, and the task runs of the block, with the name of the corpus."""
    name = corpus_name(corpus)
    under_way = FlowRunContext.get()
    if under_way and under_way.flow_run and name not in under_way.flow_run.tags:
        with get_client(sync_client=True) as client:
            client.update_flow_run(under_way.flow_run.id, tags=[*under_way.flow_run.tags, name])
    with tags(name):
        yield
