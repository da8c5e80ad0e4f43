"""Lineage: send the events of a refresh to where OpenLineage's own variables or file of options say; nowhere without them."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from expectations.expected import read_finding
from schemas.errors import GateError
from schemas.tables.generations import VERSIONED
from tasks.publish.io.validate import read_validations
from tasks.refresh.run import Run
from tasks.store import lance, published
from tasks.store.objects.paths import resolve_place

if TYPE_CHECKING:
    from openlineage.client import OpenLineageClient
    from openlineage.client.event_v2 import RunEvent

    from tasks.observe.lineage import Refresh

PREFIX, DISABLED, NAMESPACE = "OPENLINEAGE_", "OPENLINEAGE_DISABLED", "OPENLINEAGE_NAMESPACE"
FILES = ("openlineage.yml", "~/.openlineage/openlineage.yml")
"""Where OpenLineage's client looks for its options, besides the variables."""

ABOUT_NO_PLACE = (DISABLED, NAMESPACE, "OPENLINEAGE_CLIENT_LOGGING")
logger = logging.getLogger(__name__)


@contextmanager
def report_lineage(run: Run) -> Iterator[None]:
    """Send an event before and after the block, in which a refresh is carried out. What cannot be sent is logged as a warning."""
    client = _open_client() if is_lineage_wanted() else None
    if client is None:
        yield
        return
    from tasks.observe.lineage import Refresh, make_fail_event, make_start_event

    refresh = Refresh(
        os.environ.get(NAMESPACE, "default"), run.run_id, run.source, resolve_place(run.corpus.uri), tuple(run.options.columns)
    )
    _send(client, lambda: make_start_event(refresh, _now()))
    try:
        yield
    except BaseException as error:
        failure = error
        if isinstance(error, GateError):
            _send(client, lambda: _make_event_of_gate(refresh, run))
        _send(client, lambda: make_fail_event(refresh, _now(), failure))
        raise
    else:
        _send(client, lambda: _make_event_of_gate(refresh, run))
        _send(client, lambda: _make_event_of_publication(refresh, run))
    finally:
        client.close()


def is_lineage_wanted() -> bool:
    """Return whether OpenLineage is told where to send events."""
    if os.environ.get(DISABLED, "").lower() == "true":
        return False
    named = any(name.startswith(PREFIX) and name not in ABOUT_NO_PLACE for name in os.environ)
    return named or any(Path(place).expanduser().is_file() for place in FILES)


def _open_client() -> "OpenLineageClient | None":
    try:
        from openlineage.client import OpenLineageClient

        return OpenLineageClient()
    except ImportError:
        logger.warning("no lineage is sent: pip install 'pagemill[openlineage]', or unset the variables OPENLINEAGE_…")
    except Exception as error:
        logger.warning("no lineage is sent, OpenLineage's options are wrong: %s", error)
    return None


def _send(client: "OpenLineageClient", make: "Callable[[], RunEvent]") -> None:
    """Send an event. A failure must not fail the refresh, which goes on or is done."""
    try:
        client.emit(make())
    except Exception as error:
        logger.warning("an event of the lineage was not sent: %s", error)


def _make_event_of_gate(refresh: "Refresh", run: Run) -> "RunEvent":
    from tasks.observe.lineage import make_gate_event

    findings = [read_finding(row) for row in read_validations(run.corpus, run.run_id)]
    columns = {name: lance.open_table(run.corpus, name).schema.names for name in VERSIONED}
    return make_gate_event(refresh, _now(), findings, columns)


def _make_event_of_publication(refresh: "Refresh", run: Run) -> "RunEvent":
    from tasks.observe.lineage import Table, make_complete_event

    live = published.find_generation(run.corpus, run.base + 1)
    tables = {
        name: Table(published.open_published(run.corpus, live, name).schema, version, live.counts[f"n_{name}"])
        for name, version in live.versions.items()
    }
    return make_complete_event(refresh, _now(), tables)


def _now() -> str:
    return datetime.now(UTC).isoformat()
