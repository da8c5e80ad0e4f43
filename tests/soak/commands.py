"""What a forked process does: one command on a corpus, in this process alone, without a Prefect server."""

import importlib
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from schemas.corpus import Corpus
from schemas.errors import PagemillError, WorkerError
from schemas.options.sections import EvaluateOptions, LimitOptions, RefreshOptions
from tests.soak.kills.power import synced

CHUNK_TOKENS = 48
KEPT = 3
"""Generations that refreshes of these tests keep."""


CANDIDATE = "small"
"""The candidate that these tests build beside a corpus."""

LIBRARIES = ("torch", "transformers", "great_expectations.expectations", "pymupdf", "lancedb", "lancedb.index", "lance", "pandas")
OWN = ("flows.cli.refresh", "flows.pipeline", "tasks.publish.io.purge", "tasks.publish.io.rollback", "tasks.evaluate.io.score")
"""What commands import when they need it, loaded before the forks."""


class InlinePool:
    """Does the work of worker processes in this process: they take a second to start, and other tests are about them."""

    def __init__(self, limits: LimitOptions) -> None: ...

    def __enter__(self) -> "InlinePool":
        return self

    def __exit__(self, *_: object) -> None: ...

    def map(
        self, function: Callable[..., Any], items: Sequence[tuple[Any, ...]], *_: Any, **__: Any
    ) -> Generator[tuple[int, Any], None, None]:
        """Yield (index, outcome) as `WorkerPool.map` does."""
        for index, args in enumerate(items):
            try:
                yield index, function(*args, lambda n: None)
            except PagemillError as error:
                yield index, error
            except Exception as error:
                yield index, WorkerError(f"{type(error).__name__}: {error}")


def prepare(model: Path) -> None:
    """Load all that commands need, and put quick parts in the place of slow ones that other tests are about."""
    for name in LIBRARIES + OWN:
        importlib.import_module(name)
    import torch

    import tasks.evaluate.io.score
    import tasks.refresh.io.job
    import tasks.refresh.io.running
    import tasks.refresh.io.worker_calls
    import tasks.search.io.retrieve
    from tasks.chunk.sentences import find_sentence_spans
    from tasks.embed.io import torch_engine
    from tasks.embed.io.cpu import numpy_engine
    from tasks.refresh.io.facts import make_recipes
    from tasks.store.loading import import_expectations

    torch.set_num_threads(1)
    numpy_engine._load_questions(model, "mean")
    torch_engine._load(model, "cpu", "float32")
    make_recipes(options(str(model), {}))
    list(find_sentence_spans("Sentences are found by rules. They are compiled once."))
    import_expectations()
    setattr(tasks.refresh.io.running, "WorkerPool", InlinePool)  # noqa: B010  mypy knows no replacing of classes
    setattr(tasks.refresh.io.job, "WorkerPool", InlinePool)  # noqa: B010


def options(model: str, given: dict[str, dict[str, Any]]) -> RefreshOptions:
    """Return the options of a refresh with the small embedder; `given` are set beside them."""
    base: dict[str, dict[str, Any]] = {
        "embed": {"model": model, "dtype": "float32", "device": "cpu"},
        "chunk": {"size_tokens": CHUNK_TOKENS},
        "publish": {"keep_generations": KEPT},
        "limits": {"workers": 1, "retry_seconds": ()},
        "parse": {"ocr": False},
    }
    sections = {*base, *given}
    return RefreshOptions.model_validate({name: {**base.get(name, {}), **given.get(name, {})} for name in sections})


def refresh(corpus: str, source: str, model: str, given: dict[str, Any]) -> dict[str, Any]:
    """Refresh a corpus."""
    from flows.cli.refresh import run_refresh

    return {**run_refresh(source, corpus, options(model, given), dry_run=False, url=None)}


def purge(corpus: str, path: str) -> dict[str, Any]:
    """Purge a document from a corpus and its candidates."""
    from tasks.publish.io.purge import purge_corpus_and_candidates

    return {**purge_corpus_and_candidates(Corpus(corpus), "main", path, uuid4().hex)}


def rollback(corpus: str, generation: int) -> dict[str, Any]:
    """Roll back."""
    from tasks.publish.io.rollback import roll_back_corpus

    return {"generation": roll_back_corpus(Corpus(corpus), generation, uuid4().hex)}


def beside(corpus: str, source: str, model: str, given: dict[str, Any]) -> dict[str, Any]:
    """Build the candidate `small` with chunks of another size."""
    from tasks.publish.io.candidates import place_candidate

    return refresh(place_candidate(Corpus(corpus), CANDIDATE).uri, source, model, {**given, "chunk": {"size_tokens": 32}})


def switch(corpus: str) -> dict[str, Any]:
    """Put the candidate in the place of the corpus."""
    from tasks.publish.io.switch import switch_to_candidate

    return switch_to_candidate(Corpus(corpus), CANDIDATE)


def cleanup(corpus: str, keep: int) -> dict[str, Any]:
    """Do what a refresh does after publishing."""
    from tasks.publish.io import cleanup as cleaning
    from tasks.publish.io.staged import delete_unneeded_staged_rows
    from tasks.store.locks import hold_publish_lock

    with hold_publish_lock(Corpus(corpus)):
        cleaning.delete_old_generations(Corpus(corpus), keep)
        cleaning.compact_log_tables(Corpus(corpus))
        delete_unneeded_staged_rows(Corpus(corpus))
    return {}


def evaluate(corpus: str, questions: str) -> dict[str, Any]:
    """Score a corpus with questions, in a run of a fixed name."""
    from tasks.evaluate.io import logs, score

    evaluation = score.start_evaluation("evaluation", Corpus(corpus), questions, EvaluateOptions(bootstrap_samples=100))
    located = score.locate_gold(evaluation)
    return {"n_metrics": len(logs.score_and_log_evaluation(evaluation, located))}


def backup(vault: str, corpus: str) -> dict[str, Any]:
    """Back up a corpus; the vault stands in the place of the corpus, so that kills come when it is written."""
    from tasks.publish.io.backups.backup import back_up_corpus

    return {**back_up_corpus(Corpus(corpus), vault, keep=1000)}


def repair(corpus: str, source: str) -> dict[str, Any]:
    """Repair a corpus with the documents of its source."""
    from flows.cli.upkeep.integrity import run_repair

    return {"done": run_repair(Corpus(corpus), source)}


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    "refresh": refresh,
    "purge": purge,
    "rollback": rollback,
    "beside": beside,
    "switch": switch,
    "cleanup": cleanup,
    "evaluate": evaluate,
    "backup": backup,
    "repair": repair,
    "synced": synced,
}
