"""The deployments of one corpus: what runs when, with which parameters. `make deploy` makes them for every corpus."""

from pathlib import Path
from typing import Any, NamedTuple

from flows.deploy.corpora import DeployedCorpus
from schemas.corpus import in_store

TAG = "pagemill"
"""The tag of all deployments that Pagemill makes, and of their runs."""

KINDS = (
    *("refresh-nightly", "refresh-on-demand", "verify-nightly"),
    *("evaluate-nightly", "evaluate-on-demand", "experiment", "generate-questions"),
)
"""Beginnings of the names of a corpus's deployments; the corpus's own name follows."""

REFRESHED = ("Completed", "nothing changed")
"""States of a refresh after which the corpus is evaluated: also without changes, as an earlier evaluation may have failed."""


class Deployment(NamedTuple):
    """A deployment to make. `after` names the deployment whose success starts a run.

    Of the deployments of a corpus that are `in_turn`, one run at a time is under way; of others, one run of each.
    """

    name: str
    entrypoint: str
    description: str
    parameters: dict[str, Any]
    scheduled: bool = False
    after: str = ""
    in_turn: bool = True


def deployments_of(corpus: DeployedCorpus) -> list[Deployment]:
    """Return the deployments of a corpus; those that need questions only if it has some."""
    folders = {"source": corpus.source, "corpus": corpus.corpus}
    made = [*_refreshes(corpus.suffix, folders), _verification(corpus), _generation(corpus)]
    return made + (_with_questions(corpus) if corpus.questions else [])


def _refreshes(suffix: str, folders: dict[str, str]) -> list[Deployment]:
    flow = "flows.refresh.refresh"
    nightly = "Bring the corpus up to date with its source, every night."
    on_demand = "Bring the corpus up to date now; options that are given here take precedence over pagemill.toml."
    return [
        Deployment(f"refresh-nightly{suffix}", flow, nightly, folders, scheduled=True),
        Deployment(f"refresh-on-demand{suffix}", flow, on_demand, folders),
    ]


def _verification(corpus: DeployedCorpus) -> Deployment:
    nightly = f"refresh-nightly{corpus.suffix}"
    return Deployment(
        f"verify-nightly{corpus.suffix}",
        "flows.verify.verify",
        f"Check that all files of the corpus are there and as they were written, whenever {nightly} has succeeded.",
        {"corpus": corpus.corpus, "deep": not in_store(corpus.corpus)},
        after=nightly,
    )


def _generation(corpus: DeployedCorpus) -> Deployment:
    return Deployment(
        f"generate-questions{corpus.suffix}",
        "flows.generate_questions.generate_questions",
        "Make questions with known answers about the documents of the corpus, for evaluations.",
        {"corpus": corpus.corpus, "out": f"{corpus.corpus}-generated-questions.jsonl"},
        in_turn=False,
    )


def _with_questions(corpus: DeployedCorpus) -> list[Deployment]:
    asked = {"corpus": corpus.corpus, "questions": corpus.questions}
    flow, nightly = "flows.evaluate.evaluate", f"refresh-nightly{corpus.suffix}"
    design = {
        "title": f"Chunkers on {Path(corpus.corpus).name}",
        "source": corpus.source,
        "questions": corpus.questions,
        "chunkers": [{"strategy": ["sentence", "recursive", "structural"], "size_tokens": [128, 256]}],
    }
    return [
        Deployment(
            f"evaluate-nightly{corpus.suffix}",
            flow,
            f"Measure how well the live generation answers the questions, whenever {nightly} has succeeded.",
            asked,
            after=nightly,
        ),
        Deployment(
            f"evaluate-on-demand{corpus.suffix}", flow, "Measure now how well the live generation answers the questions.", asked
        ),
        Deployment(
            f"experiment{corpus.suffix}",
            "flows.experiment.experiment",
            "Compare recipes on the documents and questions; the corpus is not touched.",
            {"options": design, "out": f"{corpus.corpus}-experiment", "recommend": True},
            in_turn=False,
        ),
    ]
