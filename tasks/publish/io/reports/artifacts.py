"""Artifacts: what a run shows in the Prefect UI. Names and messages are escaped."""

import logging

import httpx
from prefect import events
from prefect.artifacts import create_markdown_artifact
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run
from prefect.utilities.urls import url_for

from schemas.shown import plain
from tasks.publish.escaping import escape
from tasks.publish.io.reports.names import artifact_key, corpus_name

logger = logging.getLogger(__name__)


def run_url() -> str:
    """Return the address of the flow run in the UI, or an empty text if the server has no UI.

    Prefect's own `flow_run.ui_url` is the address of a page that its UI no longer has.
    """
    return url_for("flow-run", flow_run.get_id()) or ""


def create_artifact(kind: str, corpus: str, markdown: str, about: str) -> None:
    """Save Markdown as an artifact of the run and of the corpus. Its description is `about` and the name of the corpus.

    If the server fails, the work goes on.
    """
    described = f"{escape(about)} {escape(corpus_name(corpus))}"
    try:
        create_markdown_artifact(markdown, key=artifact_key(kind, corpus), description=described)
    except (PrefectException, httpx.HTTPError, OSError) as error:
        logger.warning("artifact %s is not shown: %s", kind, error)


def emit_event(event: str, corpus: str, message: str) -> None:
    """Emit an event of the corpus to the server, which can make an alarm of it; the event names the run."""
    resource = {"prefect.resource.id": artifact_key("pagemill.corpus", corpus), "prefect.resource.name": corpus_name(corpus)}
    events.emit_event(event, resource, payload={"message": plain(message)})
    logger.warning("%s", plain(message))
