"""What a run shows in the Prefect UI: its name, its tag, its artifacts.

A corpus goes by the name of its folder; names and messages of others are escaped.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from prefect import tags
from prefect.artifacts import create_markdown_artifact
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run
from prefect.utilities.urls import url_for

from tasks.publish.escaping import escaped
from tasks.publish.io.names import artifact_key, corpus_name

logger = logging.getLogger(__name__)


def refresh_name() -> str:
    """Return the name of the refresh that is under way: its folders, without the paths to them."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['source'])} into {corpus_name(given['corpus'])}"


def evaluate_name() -> str:
    """Return the name of the evaluation that is under way."""
    given = flow_run.get_parameters()
    return f"{corpus_name(given['corpus'])} with {corpus_name(given['questions'])}"


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


def link() -> str:
    """Return the address of the flow run in the UI, or nothing if the server has none.

    Prefect's own `flow_run.ui_url` names a page that its UI no longer has.
    """
    return url_for("flow-run", flow_run.get_id()) or ""


def leave(kind: str, corpus: str, markdown: str, about: str) -> None:
    """Leave Markdown as an artifact of the run and of the corpus; `about` is followed by the corpus's name.

    Without the server's help the work goes on.
    """
    described = f"{escaped(about)} {escaped(corpus_name(corpus))}"
    try:
        create_markdown_artifact(markdown, key=artifact_key(kind, corpus), description=described)
    except (PrefectException, httpx.HTTPError, OSError) as error:
        logger.warning("artifact %s is not shown: %s", kind, error)
