"""Deployments on a Prefect server: made, renewed, and removed where a corpus no longer has them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterName, DeploymentFilterTags
from prefect.client.schemas.responses import DeploymentResponse
from prefect.events import DeploymentEventTrigger
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectNotFound, PrefectException
from pydantic import BaseModel

from flows.allowed import ENDPOINTS, FOLDERS, VARIABLE, find_values_named, format_allowed_places
from flows.deploy.alarms import create_alarms
from flows.deploy.corpora import DeployedCorpus
from flows.deploy.form import make_parameter_schema, read_options_in_force
from flows.deploy.silence import find_longest_schedule_gap
from flows.deploy.table import KINDS, TAG, Deployment, make_deployments_of_corpus, read_job_variables
from flows.settings import read_destinations
from schemas.errors import InputError, ServiceError

CORPUS_TAG = "corpus:"
PAGE_SIZE = 200
"""Most deployments in one answer of the server."""


class Server:
    """The Prefect server of this environment, as a place for deployments."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Server:
        self._client: SyncPrefectClient = self._stack.enter_context(get_client(sync_client=True))
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self._stack.close()
        if isinstance(error, (httpx.HTTPError, PrefectException)):
            raise ServiceError(f"the Prefect server refuses: {error}; see its log, then run make deploy again") from error

    def deploy(self, corpus: DeployedCorpus, variables: dict[str, str]) -> list[str]:
        """Make or renew the deployments of a corpus; remove those that it had before and no longer has. Return their names.

        `variables` are those of its runs. Those of this process must be the same, because they decide which options are in force.

        Raises:
            InputError: an option of the corpus is wrong.
        """
        self._check_pool(corpus.pool)
        wanted, in_force = make_deployments_of_corpus(corpus, bool(read_destinations())), read_options_in_force()
        variables = {**variables, VARIABLE: _list_allowed_places(corpus, wanted, in_force)}
        turn, ids = self._make_turn_limit(corpus.tag), dict[str, UUID]()
        for deployment in wanted:
            body = self._make_deployment_body(deployment, corpus, variables)
            flow = getattr(importlib.import_module(body["entrypoint"].rpartition(".")[0]), body["entrypoint"].rpartition(".")[2])
            body |= {
                "flow_id": str(self._client.create_flow(flow)),
                "parameter_openapi_schema": make_parameter_schema(flow, in_force),
            }
            body |= {"global_concurrency_limit_id": turn} if deployment.in_turn else {"concurrency_limit": 1}
            ids[deployment.name] = UUID(self._client.request("POST", "/deployments/", json=body).json()["id"])
        for deployment in wanted:
            self._replace_trigger(deployment, ids)
        for found in self._read_all(DeploymentFilter(name=DeploymentFilterName(any_=[kind + corpus.suffix for kind in KINDS]))):
            if found.id not in ids.values() and CORPUS_TAG + corpus.tag in found.tags:
                self._client.delete_resource_owned_automations(f"prefect.deployment.{found.id}")
                self._client.delete_deployment(found.id)
        return [deployment.name for deployment in wanted]

    def list_other_deployments(self, tags: set[str]) -> list[str]:
        """Return the names of deployments of corpora other than those of `tags`."""
        mine = {CORPUS_TAG + tag for tag in tags}
        ours = self._read_all(DeploymentFilter(tags=DeploymentFilterTags(all_=[TAG])))
        return sorted(found.name for found in ours if not mine & set(found.tags))

    def set_alarms(self, corpora: Sequence[DeployedCorpus], say: Callable[[str], None]) -> None:
        """Make the alarms, if there is somebody to notify; `say` what was done."""
        nightly = {
            f"{KINDS[0]}{corpus.suffix}": find_longest_schedule_gap(corpus.schedule, corpus.timezone) for corpus in corpora
        }
        create_alarms(self._client, say, nightly)

    def _check_pool(self, name: str) -> None:
        try:
            self._client.read_work_pool(name)
        except ObjectNotFound as error:
            hint = f"start one (prefect worker start --pool {name} --type process), then deploy"
            raise InputError(f"pool: no worker has asked for work from the pool {name} yet: {hint}") from error

    def _make_turn_limit(self, tag: str) -> str:
        """Return the id of the limit that lets one run of a corpus go on at a time."""
        name = f"{TAG}-{tag}"
        self._client.upsert_global_concurrency_limit_by_name(name, 1)
        return str(self._client.read_global_concurrency_limit_by_name(name).id)

    def _make_deployment_body(self, deployment: Deployment, corpus: DeployedCorpus, variables: dict[str, str]) -> dict[str, Any]:
        schedule = {"cron": corpus.schedule, "timezone": corpus.timezone}
        here = os.getcwd()
        return {
            "name": deployment.name,
            "entrypoint": deployment.entrypoint,
            "description": deployment.description,
            "parameters": deployment.parameters,
            "tags": [TAG, CORPUS_TAG + corpus.tag],
            "schedules": [{"schedule": schedule, "slug": "nightly", "active": True}] if deployment.scheduled else [],
            "work_pool_name": corpus.pool,
            "job_variables": {**read_job_variables(), "working_dir": here, "env": variables},
            "pull_steps": [{"prefect.deployments.steps.set_working_directory": {"directory": here}}],
            "concurrency_options": {"collision_strategy": "ENQUEUE"},
            "enforce_parameter_schema": True,
        }

    def _replace_trigger(self, deployment: Deployment, ids: dict[str, UUID]) -> None:
        """Let the success of others start this one, if its definition says so; remove earlier triggers."""
        mine = ids[deployment.name]
        self._client.delete_resource_owned_automations(f"prefect.deployment.{mine}")
        if not deployment.after:
            return
        trigger = DeploymentEventTrigger(
            name=f"{deployment.name} after {' or '.join(deployment.after)}",
            description=deployment.description,
            expect=set(deployment.expect),
            match_related=ResourceSpecification(
                {
                    "prefect.resource.id": [f"prefect.deployment.{ids[one]}" for one in deployment.after],
                    "prefect.resource.role": "deployment",
                }
            ),
        )
        trigger.set_deployment_id(mine)
        self._client.create_automation(trigger.as_automation())

    def _read_all(self, chosen: DeploymentFilter) -> list[DeploymentResponse]:
        found = list[DeploymentResponse]()
        while page := self._client.read_deployments(deployment_filter=chosen, limit=PAGE_SIZE, offset=len(found)):
            found += page
        return found


def _list_allowed_places(corpus: DeployedCorpus, deployments: Sequence[Deployment], in_force: dict[str, BaseModel]) -> str:
    """Return what runs of a corpus may be given: its deployments' folders, endpoints in force, what is allowed besides."""
    folders = [folder for deployment in deployments for _, folder in find_values_named(FOLDERS, deployment.parameters)]
    settings = {name: options.model_dump() for name, options in in_force.items()}
    endpoints = [address for _, address in find_values_named(ENDPOINTS, settings)]
    return format_allowed_places([*folders, *corpus.allowed_folders], [*endpoints, *corpus.allowed_endpoints])
