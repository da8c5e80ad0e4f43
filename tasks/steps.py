"""Steps: the Prefect tasks that take a batch of contents from files to vectors, each staged, cached and retried.

A task's cache key names the recipe and the batch, and exists only while all of its staged files do.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from prefect import task
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.context import TaskRunContext

from schemas.errors import DocumentError, InputError, PagemillError, ServiceError
from schemas.rejects import Reject
from tasks.adapters import files
from tasks.describe import Reader
from tasks.look import look_at_staged, readings_of
from tasks.pool import pool_of
from tasks.ranges import Way, map_ranged
from tasks.run import Run
from tasks.staging import Batch, Content, Result, stage_each
from tasks.work import chunk_staged, describe_staged

REMEDIES = {
    "LimitError": "raise the limit that the message names, or exclude the document",
    "ServiceError": "run the refresh again",
    "WorkerError": "report the document's kind and this message as a bug, or exclude the document",
}


def cache_key(step: str, context: TaskRunContext, inputs: dict[str, Any]) -> str | None:
    """Return the key of a step's work on a batch, or None while a staged file of it is missing."""
    batch, run = inputs["batch"], inputs["run"]
    recipe = getattr(run.recipes, step)
    return f"{step}-{recipe}-{batch.digest}" if batch.complete(step, recipe) else None


def is_transient(task: object, run: object, state: Any) -> bool:
    """Retry only what a retry can cure."""
    return isinstance(state.result(raise_on_failure=False), ServiceError)


def step_task(step: str) -> Callable[..., Any]:
    """Make a function of (batch, run) the task of one step."""
    return task(
        name=f"{step} batch",
        task_run_name=f"{step} {{batch.label}}",
        cache_policy=CacheKeyFnPolicy(cache_key_fn=partial(cache_key, step)),
        persist_result=True,
        result_serializer="json",
        retries=2,
        retry_delay_seconds=[1, 10],
        retry_condition_fn=is_transient,
    )


@step_task("parse")
def parse_batch(batch: Batch, run: Run) -> Batch:
    """Read the layout elements of every file of the batch."""
    return stage_each(batch, "parse", run.recipes.parse, partial(_parse, run))


@step_task("describe")
def describe_batch(batch: Batch, run: Run) -> Batch:
    """Type the figures, in this process, where the model is loaded once; read them and assemble the text of every document."""
    reader = Reader(run.options.describe, run.options.parse.ocr_languages, readings_of(batch.corpus, run.recipes.describe))

    def arguments(content: Content) -> tuple[Any, ...]:
        parsed = batch.staged_at("parse", run.recipes.parse, content)
        return str(parsed), reader, look_at_staged(parsed, run.options.describe)

    return stage_each(batch, "describe", run.recipes.describe, partial(in_workers, run, "describe", describe_staged, arguments))


@step_task("chunk")
def chunk_batch(batch: Batch, run: Run) -> Batch:
    """Cut the text of every document of the batch, once what the strategy needs is staged."""
    aid = aid_of(run)
    if aid:
        batch = stage_each(batch, *aid, partial(_aid, run, batch))

    def arguments(content: Content) -> tuple[Any, ...]:
        described = batch.staged_at("describe", run.recipes.describe, content)
        return str(described), run.options.chunk, run.options.embed.model, str(batch.staged_at(*aid, content)) if aid else None

    return stage_each(batch, "chunk", run.recipes.chunk, partial(in_workers, run, "chunk", chunk_staged, arguments))


@step_task("embed")
def embed_batch(batch: Batch, run: Run) -> Batch:
    """Embed the chunks of every document of the batch, in this process: the model is loaded once."""
    return stage_each(batch, "embed", run.recipes.embed, partial(_embed, run, batch))


def _parse(run: Run, contents: list[Content]) -> Iterator[Result]:
    way = Way(run.options.parse, run.options.limits)
    for index, outcome in map_ranged(pool_of(run.run_id), contents, run.options.parse, way):
        yield contents[index], outcome if isinstance(outcome, pa.Table) else rejection("parse", outcome)


def in_workers(
    run: Run,
    step: str,
    function: Callable[..., pa.Table],
    arguments: Callable[[Content], tuple[Any, ...]],
    contents: list[Content],
) -> Iterator[Result]:
    """Call `function` for each content in the run's worker processes; errors become reasons to reject it."""
    for index, outcome in pool_of(run.run_id).map(function, [arguments(content) for content in contents]):
        yield contents[index], outcome if isinstance(outcome, pa.Table) else rejection(step, outcome)


def aid_of(run: Run) -> tuple[str, str] | None:
    """Return the step and the recipe of what the strategy of chunking needs beside the documents."""
    if run.options.chunk.sentence_vectors:
        return "sentences", run.recipes.sentences
    return ("proposals", run.recipes.proposals) if run.options.chunk.strategy == "llm" else None


def _aid(run: Run, batch: Batch, contents: list[Content]) -> Iterable[Result]:
    """Compute what the strategy needs in this process: the embedder is loaded here, and workers reach no network."""
    from tasks.aids import propose, sentence_vectors
    from tasks.embed import as_row

    paths = [batch.staged_at("describe", run.recipes.describe, content) for content in contents]
    if run.options.chunk.strategy == "llm":
        for content, path in zip(contents, paths, strict=True):
            yield content, propose(files.read_table(path).to_pylist()[0], run.options.chunk)
        return
    described = {position: files.read_table(path).to_pylist()[0] for position, path in enumerate(paths)}
    for position, vectors in sentence_vectors(described, run.options.embed):
        yield contents[position], as_row(vectors, run.recipes.dimension)


def rejection(step: str, error: PagemillError) -> Reject:
    """Return why a step cannot handle a document.

    Raises:
        InputError: the error is no document's but the call's.
    """
    if isinstance(error, InputError):
        raise error
    kind = type(error).__name__
    remedy = REMEDIES.get(kind, "correct the document, or exclude it")
    return Reject(step=step, error=kind, message=str(error), remedy=remedy, final=isinstance(error, DocumentError))


def _embed(run: Run, batch: Batch, contents: list[Content]) -> Iterable[Result]:
    from tasks.adapters.embedder import Embedder
    from tasks.embed import as_row, embed_contents

    texts = {position: _embedding_texts(run, batch, content) for position, content in enumerate(contents)}
    for position, vectors in embed_contents(texts, Embedder(run.options.embed.model, run.options.embed)):
        yield contents[position], as_row(vectors, run.recipes.dimension)


def _embedding_texts(run: Run, batch: Batch, content: Content) -> list[str]:
    chunks = files.read_table(batch.staged_at("chunk", run.recipes.chunk, content))["chunks"][0].values
    texts: list[str] = chunks.field("embedding_text").to_pylist()
    return texts
