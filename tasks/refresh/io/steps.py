"""Steps: what takes a batch of contents from files to vectors. Each is a plain function of references that travel as JSON.

What a step lacks is computed and staged; an error of one document is a reason to reject that document, and no other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pyarrow as pa

from schemas.conform import conform
from schemas.errors import InputError, LimitError, PagemillError, SchemaError, WorkerError
from schemas.options.sections import EmbedOptions
from schemas.references import Batch, Content, StepDone
from schemas.staged import CHUNKED, DESCRIBED, PARSED
from tasks.describe.io.classify import classify_staged, ocr_cache_of
from tasks.describe.io.describe import OcrSettings
from tasks.embed.io.embed import Texts
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.refresh.io.running import Running, running_of
from tasks.refresh.io.stage import Attempt, Result, going_on, stage_each
from tasks.refresh.io.worker_calls import chunk_staged, describe_staged
from tasks.refresh.run import Run
from tasks.store import files

Earlier = Sequence[StepDone]
Step = Callable[[Batch, Run, tuple[StepDone, ...]], StepDone]


def parse_batch(batch: Batch, run: Run, earlier: Earlier = (), last: bool = True) -> StepDone:
    """Read the layout elements of every file of the batch."""
    live = running_of(run.run_id)
    attempt = Attempt("parse", last, live.progress)
    return stage_each(batch, run, list(batch.contents), attempt, partial(_parse, run, live))


def describe_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Find the type of every figure, read the words in it, and assemble the text of every document."""
    live = running_of(run.run_id)
    attempt = Attempt("describe", last, live.progress)
    return stage_each(batch, run, going_on(batch, run, "describe", earlier), attempt, partial(_describe, run, live))


def chunk_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Cut the text of every document of the batch, once what the strategy needs is staged."""
    live = running_of(run.run_id)
    contents = going_on(batch, run, "chunk", earlier)
    boundary_step = boundary_step_of(run)
    if boundary_step:
        boundaries = stage_each(batch, run, contents, Attempt(boundary_step, last, live.progress), partial(_boundary_inputs, run))
        contents = [content for content in contents if files.is_whole(run.staged(boundary_step, content))]
    done = stage_each(batch, run, contents, Attempt("chunk", last, live.progress), partial(_chunk, run, live))
    return done.model_copy(update={"failed": done.failed + boundaries.failed}) if boundary_step else done


def embed_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Embed the chunks of every document of the batch, in this process: the model is loaded once."""
    live = running_of(run.run_id)
    attempt = Attempt("embed", last, live.progress)
    return stage_each(batch, run, going_on(batch, run, "embed", earlier), attempt, partial(_embed, run))


BATCH_STEPS = {"parse": parse_batch, "describe": describe_batch, "chunk": chunk_batch, "embed": embed_batch}
"""The steps of a batch, in their order."""


def _parse(run: Run, live: Running, contents: list[Content]) -> Iterator[Result]:
    parser = RangedParser(run.options.parse, run.options.limits)

    def on_part(index: int, share: float) -> None:
        live.progress.part("parse", contents[index].name, share)

    for index, outcome in map_ranged(live.pool, contents, run.options.parse, parser, on_part):
        yield contents[index], one_row(outcome, PARSED)


def _describe(run: Run, live: Running, contents: list[Content]) -> Iterator[Result]:
    """Classify figures in this process, where the model is loaded once; do the rest in the run's worker processes."""
    settings = OcrSettings(run.options.describe, run.options.parse.ocr_languages, ocr_cache_of(run.corpus, run.recipes.describe))
    calls: dict[Content, tuple[Any, ...]] = {}
    for content in contents:
        parsed = run.staged("parse", content)
        classes = guarded(partial(classify_staged, parsed), run.options.describe)
        if isinstance(classes, PagemillError):
            yield content, classes
        else:
            calls[content] = (str(parsed), settings, classes)
    yield from _in_workers(live, describe_staged, DESCRIBED, calls)


def _chunk(run: Run, live: Running, contents: list[Content]) -> Iterator[Result]:
    step = boundary_step_of(run)
    calls = {
        content: (
            str(run.staged("describe", content)),
            run.options.chunk,
            run.options.embed.model,
            str(run.staged(step, content)) if step else None,
        )
        for content in contents
    }
    return _in_workers(live, chunk_staged, CHUNKED, calls)


def _in_workers(
    live: Running, function: Callable[..., pa.Table], schema: pa.Schema, calls: Mapping[Content, tuple[Any, ...]]
) -> Iterator[Result]:
    """Call `function`, which returns a row of `schema`, in the run's worker processes, with what each content's call takes."""
    contents = list(calls)
    for index, outcome in live.pool.map(function, list(calls.values())):
        yield contents[index], one_row(outcome, schema)


def one_row(outcome: Any, schema: pa.Schema) -> Any:
    """Return the outcome of a worker, which is not trusted, if it is an error or one row of `schema`; else an error."""
    if isinstance(outcome, PagemillError):
        return outcome
    if isinstance(outcome, pa.Table) and outcome.schema.equals(schema) and outcome.num_rows == 1:
        with suppress(SchemaError):
            return conform(outcome, schema)
    return WorkerError("a worker process returned something that is not a row of its step")


def guarded(function: Callable[[Any], Any], argument: Any) -> Any:
    """Return what `function` returns, or why it cannot: one document's error must not be the others'.

    Raises:
        InputError: the call is wrong, whatever the document.
    """
    try:
        return function(argument)
    except (InputError, OSError):
        raise
    except Exception as error:
        return foreseen(error)


def foreseen(error: Exception) -> PagemillError:
    """Return an error of the project's own tree for any error; running out of a device's memory is a limit."""
    if isinstance(error, PagemillError):
        return error
    message = f"{type(error).__name__}: {error}"
    if "out of memory" in message.lower():
        return LimitError(f"the device does not have enough memory: lower embed.batch_tokens, or embed on the CPU ({message})")
    ours = WorkerError(message)
    ours.__cause__ = error
    return ours


def boundary_step_of(run: Run) -> str | None:
    """Return the step that computes what the strategy of chunking needs beside the documents."""
    if run.options.chunk.sentence_vectors:
        return "sentences"
    return "proposals" if run.options.chunk.strategy == "llm" else None


def _boundary_inputs(run: Run, contents: list[Content]) -> Iterable[Result]:
    """Compute what the strategy needs in this process: the embedder is loaded here, and workers reach no network."""
    from tasks.chunk.io.boundary_inputs import proposals, sentences_to_embed

    def described(content: Content) -> dict[str, Any]:
        table = files.read_table(run.staged("describe", content))
        return {name: table[name][0].as_py() for name in ("text", "elements")}

    if run.options.chunk.strategy == "llm":
        rows = proposals(map(described, contents), run.options.chunk)
        yield from zip(contents, rows, strict=True)
        return
    truncating = run.options.embed.model_copy(update={"too_long": "truncate"})
    yield from _vectors(run, contents, lambda content: sentences_to_embed(described(content)), truncating)


def _embed(run: Run, contents: list[Content]) -> Iterable[Result]:
    yield from _vectors(run, contents, partial(_embedding_texts, run), run.options.embed)


def _vectors(run: Run, contents: list[Content], texts: Callable[[Content], Texts], options: EmbedOptions) -> Iterator[Result]:
    from tasks.embed.io.embed import as_row, embed_each
    from tasks.embed.io.embedder import Embedder

    def embedder(batch_tokens: int) -> Embedder:
        return Embedder(options.model, options.model_copy(update={"batch_tokens": batch_tokens}))

    for content, vectors in embed_each(contents, texts, embedder, options.batch_tokens):
        yield content, foreseen(vectors) if isinstance(vectors, Exception) else as_row(vectors, run.recipes.dimension)


def _embedding_texts(run: Run, content: Content) -> Texts:
    chunks = files.read_table(run.staged("chunk", content))["chunks"][0].values
    return chunks.field("embedding_text")
