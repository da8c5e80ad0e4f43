"""Artifacts: what a run shows in the Prefect UI. Names and messages are escaped."""

import logging

import httpx
from prefect import events
from prefect.artifacts import create_markdown_artifact
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run
from prefect.utilities.urls import url_for

from schemas.shown import plain
from tasks.publish.escaping import escape_markdown
from tasks.publish.io.reports.names import make_artifact_key, name_corpus

logger = logging.getLogger(__name__)


def find_run_url() -> str:
    """Return the address of the flow run in the UI, or an empty text if the server has no UI.

    Prefect's own `flow_run.ui_url` is the address of a page that its UI no longer has.
    """
    return url_for("flow-run", flow_run.get_id()) or ""


def create_artifact(kind: str, corpus: str, markdown: str, about: str) -> None:
    """Save Markdown as an artifact of the run and of the corpus. Its description is `about` and the name of the corpus.

    If the server fails, the work goes on.
    """
    described = f"{escape_markdown(about)} {escape_markdown(name_corpus(corpus))}"
    try:
        create_markdown_artifact(markdown, key=make_artifact_key(kind, corpus), description=described)
    except (PrefectException, httpx.HTTPError, OSError) as error:
        logger.warning("artifact %s is not shown: %s", kind, error)


def emit_corpus_event(event: str, corpus: str, message: str) -> None:
    """Emit an event of the corpus to the server, which can make an alarm of it; the event names the run."""
    resource = {"prefect.resource.id": make_artifact_key("pagemill.corpus", corpus), "prefect.resource.name": name_corpus(corpus)}
    events.emit_event(event, resource, payload={"message": plain(message)})
    logger.warning("%s", plain(message))
