"""The deployments of one corpus, as `deployments/prefect.yaml` defines them. `make deploy` makes them for every corpus."""

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NotRequired, TypedDict

import yaml
from pydantic import JsonValue

from flows.deploy.corpora import DeployedCorpus
from schemas.corpus import is_in_store

FILE = Path(__file__).parents[2] / "deployments" / "prefect.yaml"
TAG = "pagemill"
"""The tag of all deployments that Pagemill makes, and of their runs."""

DELIVERY = "deliver"

KINDS = (
    *("refresh-nightly", "refresh-on-demand", "verify-nightly", DELIVERY),
    *("evaluate-nightly", "evaluate-on-demand", "experiment", "generate-questions"),
)
"""Beginnings of the names of a corpus's deployments; the corpus's own name follows."""

ASIDE = ("experiment", "generate-questions")
"""Deployments whose runs wait for none of the others of their corpus: they do not change it."""

_PLACEHOLDER = re.compile(r"\{\{ \$(\w+) \}\}")


class WorkPool(TypedDict):
    """Where runs of a deployment are carried out: `job_variables` are those of the process of each."""

    job_variables: dict[str, Any]


class Trigger(TypedDict):
    """Events of the deployments named in `match_related` that start a run: one, or several."""

    expect: list[str]
    match_related: dict[str, str | list[str]]


class Definition(TypedDict):
    """What is read of a deployment in the file."""

    name: str
    entrypoint: str
    description: str
    parameters: dict[str, JsonValue]
    work_pool: WorkPool
    triggers: NotRequired[list[Trigger]]
    schedules: NotRequired[list[JsonValue]]


class Deployment(NamedTuple):
    """A deployment to make. An event of `expect` of the deployments named in `after` starts a run.

    Of the deployments of a corpus that are `in_turn`, one run at a time is under way; of others, one run of each.
    """

    name: str
    entrypoint: str
    description: str
    parameters: dict[str, JsonValue]
    scheduled: bool
    after: tuple[str, ...]
    expect: frozenset[str]
    in_turn: bool


@cache
def read_deployment_definitions() -> dict[str, Definition]:
    """Return what the file defines, by the name of the deployment."""
    found = yaml.safe_load(FILE.read_text("utf-8"))["deployments"]
    return {definition["name"]: definition for definition in found}


def read_job_variables() -> dict[str, Any]:
    """Return what the file says of the process of every run: `env`, its variables, and others of the work pool's template."""
    return read_deployment_definitions()[KINDS[0]]["work_pool"]["job_variables"]


def make_deployments_of_corpus(corpus: DeployedCorpus, has_destinations: bool) -> list[Deployment]:
    """Return the deployments of a corpus; those that need questions or destinations only if it has some."""
    values = {"PAGEMILL_SOURCE": corpus.source, "PAGEMILL_CORPUS": corpus.corpus, "PAGEMILL_QUESTIONS": corpus.questions}
    wanted = [
        one
        for one in read_deployment_definitions().values()
        if (corpus.questions or not _needs_questions(one["parameters"])) and (has_destinations or one["name"] != DELIVERY)
    ]
    filled = [{name: fill_template(value, values) for name, value in one["parameters"].items()} for one in wanted]
    return [_make_deployment(*one, corpus) for one in zip(wanted, filled, strict=True)]


def fill_template(template: JsonValue, values: dict[str, str]) -> JsonValue:
    """Return a template with values in the place of its variables, at any depth.

    >>> fill_template({"out": "{{ $PAGEMILL_CORPUS }}-experiment", "deep": True}, {"PAGEMILL_CORPUS": "/srv/reports"})
    {'out': '/srv/reports-experiment', 'deep': True}
    """
    if isinstance(template, dict):
        return {name: fill_template(value, values) for name, value in template.items()}
    if isinstance(template, list):
        return [fill_template(value, values) for value in template]
    return _PLACEHOLDER.sub(lambda found: values[found[1]], template) if isinstance(template, str) else template


def _needs_questions(parameters: object) -> bool:
    return "$PAGEMILL_QUESTIONS" in str(parameters)


def _make_deployment(definition: Definition, parameters: dict[str, JsonValue], corpus: DeployedCorpus) -> Deployment:
    name = definition["name"]
    [trigger] = definition.get("triggers") or [{"expect": [], "match_related": {"prefect.resource.name": []}}]
    named = trigger["match_related"]["prefect.resource.name"]
    after = [named] if isinstance(named, str) else named
    if name == "verify-nightly":
        parameters["deep"] = not is_in_store(corpus.corpus)  # in a store, ETags stand for what would have to be read
    return Deployment(
        name=name + corpus.suffix,
        entrypoint=definition["entrypoint"],
        description=definition["description"].replace("refresh-nightly", f"refresh-nightly{corpus.suffix}"),
        parameters=parameters,
        scheduled="schedules" in definition,
        after=tuple(one + corpus.suffix for one in after),
        expect=frozenset(trigger["expect"]),
        in_turn=name not in ASIDE,
    )
