"""The queue of a corpus on the Prefect server: how many runs of its deployments wait, and how many are under way."""

from datetime import UTC, datetime

import httpx
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterTags
from prefect.exceptions import PrefectException

from flows.deploy.table import TAG
from schemas.corpus import Corpus
from schemas.errors import ServiceError
from tasks.evaluate.corpus_status import Sample
from tasks.store.objects.paths import resolve_place

STATES = {"waiting": ("SCHEDULED", "PENDING"), "under way": ("RUNNING",)}
MOST = 200
"""Deployments that are looked at."""


def count_queued_runs(corpus: Corpus) -> list[Sample]:
    """Return how many runs of a corpus wait although they are due, and how many are under way; empty if it is not deployed.

    Raises:
        ServiceError: the server refuses.
    """
    place = resolve_place(corpus.uri)
    try:
        with get_client(sync_client=True) as client:
            tagged = DeploymentFilter(tags=DeploymentFilterTags(all_=[TAG]))
            found = client.read_deployments(deployment_filter=tagged, limit=MOST)
            mine = [str(entry.id) for entry in found if entry.parameters.get("corpus") == place]
            if not mine:
                return []
            due = {"expected_start_time": {"before_": datetime.now(UTC).isoformat()}}
            chosen = {name: {"state": {"type": {"any_": types}}, **due} for name, types in STATES.items()}
            body = {"deployments": {"id": {"any_": mine}}}
            counts = {
                name: client.request("POST", "/flow_runs/count", json={**body, "flow_runs": runs}).json()
                for name, runs in chosen.items()
            }
    except (httpx.HTTPError, PrefectException) as error:
        raise ServiceError(f"the Prefect server failed ({error}): look at its log") from error
    return [Sample("runs", "deployed runs of the corpus on the server", n, {"state": name}) for name, n in counts.items()]
