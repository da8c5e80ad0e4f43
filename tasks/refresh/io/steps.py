"""Steps: what takes a batch of contents from files to vectors. Each is a plain function of references that travel as JSON.

What a step lacks is computed and staged; an error of one document is a reason to reject that document, and no other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa

from schemas.conform import conform_to_schema
from schemas.errors import FLOW_FULL, InputError, LimitError, PagemillError, SchemaError, WorkerError
from schemas.options.sections import EmbedOptions
from schemas.records import AssembledDocument
from schemas.references import Batch, Content, StepDone
from schemas.staged import CHUNKED, STEPS
from tasks.describe.figure_types import FigureClass
from tasks.describe.io.classify import classify_figures, place_ocr_cache
from tasks.describe.io.examine import OcrSettings
from tasks.embed.io.embed import Texts
from tasks.embed.io.tokenizer import find_counting_model
from tasks.embed.provider import Provider, add_prompt
from tasks.embed.vectors import VectorCache
from tasks.parse.io.members import open_contents
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.parse.page_errors import REFUSED_MEMORY
from tasks.refresh.grouping import group_small, is_small
from tasks.refresh.io.running import ActiveRun, find_active_run
from tasks.refresh.io.screening import list_screened_schemas, make_screening
from tasks.refresh.io.stage import Attempt, Result, find_staged_row, list_continuing_contents, read_staged_row, stage_each
from tasks.refresh.io.worker_calls import (
    chunk_together,
    describe_together,
    join_long_document,
    parse_short_document,
    parse_together,
)
from tasks.refresh.run import Run
from tasks.store.files import find_local_path
from tasks.store.packs import StagedRow

Earlier = Sequence[StepDone]
Step = Callable[[Batch, Run, tuple[StepDone, ...]], StepDone]


def parse_batch(batch: Batch, run: Run, earlier: Earlier = (), last: bool = True) -> StepDone:
    """Read the layout elements of every file of the batch."""
    live = find_active_run(run.run_id)
    attempt = Attempt("parse", last, live.progress)
    return stage_each(batch, run, list(batch.contents), attempt, partial(_parse_contents, run, live))


def describe_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Find the type of every figure, read the words in it, and assemble the text of every document."""
    live = find_active_run(run.run_id)
    attempt = Attempt("describe", last, live.progress)
    return stage_each(
        batch, run, list_continuing_contents(batch, run, "describe", earlier), attempt, partial(_describe_contents, run, live)
    )


def chunk_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Cut the text of every document of the batch, once what the strategy needs is staged."""
    live = find_active_run(run.run_id)
    contents = list_continuing_contents(batch, run, "chunk", earlier)
    boundary_step = find_boundary_step(run)
    if boundary_step:
        boundaries = stage_each(
            batch, run, contents, Attempt(boundary_step, last, live.progress), partial(_compute_boundary_inputs, run)
        )
        contents = [content for content in contents if find_staged_row(run, boundary_step, content.name)]
    done = stage_each(batch, run, contents, Attempt("chunk", last, live.progress), partial(_chunk_contents, run, live))
    return done.model_copy(update={"failed": done.failed + boundaries.failed}) if boundary_step else done


def embed_batch(batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Embed the chunks of every document of the batch, in this process: the model is loaded once."""
    live = find_active_run(run.run_id)
    attempt = Attempt("embed", last, live.progress)
    return stage_each(batch, run, list_continuing_contents(batch, run, "embed", earlier), attempt, partial(_embed_contents, run))


BATCH_STEPS = {"parse": parse_batch, "describe": describe_batch, "chunk": chunk_batch, "embed": embed_batch}
"""The steps of a batch, in their order."""


def _parse_contents(run: Run, live: ActiveRun, contents: list[Content]) -> Iterator[Result]:
    """Parse small files of light formats together, other files alone, and long ones in ranges of pages."""
    how, here = (run.options.parse, make_screening(run.corpus, run.options)), {}
    schema = list_screened_schemas(run.options)["parse"]
    scratch = find_local_path(run.folder) / "ranges"
    with open_contents(live.pool, contents, run.options.limits, scratch, live.copies) as given:
        for content, found in zip(contents, given, strict=True):
            if isinstance(found, PagemillError):
                yield [content], found
            else:
                here[content] = found
        together = {content: (found, how) for content, found in here.items() if is_small(content)}
        yield from _map_in_workers(live, parse_together, schema, together)
        parser = RangedParser(how[0], run.options.limits, scratch, parse_short_document, join_long_document)
        alone = [content for content in here if not is_small(content)]

        def on_part(index: int, share: float) -> None:
            live.progress.part("parse", alone[index].name, share)

        for index, outcome in map_ranged(live.pool, [here[content] for content in alone], how, parser, on_part):
            yield [alone[index]], check_worker_rows(outcome, schema, 1)


def _describe_contents(run: Run, live: ActiveRun, contents: list[Content]) -> Iterator[Result]:
    """Classify figures in this process, where the model is loaded once; do the rest in the run's worker processes."""
    screening = make_screening(run.corpus, run.options)
    cache = None if run.options.pii.replaces else place_ocr_cache(run.corpus, run.recipes.describe)
    settings = OcrSettings(run.options.describe, run.options.parse, cache)
    calls: dict[Content, tuple[Any, ...]] = {}
    for content in contents:
        classes = run_guarded(partial(_classify_staged_figures, run), content.name)
        if isinstance(classes, PagemillError):
            yield [content], classes
        else:
            calls[content] = (_find_row(run, "parse", content), settings, classes, screening)
    schema = list_screened_schemas(run.options)["describe"]
    yield from _map_in_workers(live, describe_together, schema, calls, urgency=STEPS.index("describe") + 1)


def _classify_staged_figures(run: Run, name: str) -> dict[int, FigureClass]:
    return classify_figures(read_staged_row(run, "parse", name), run.options.describe)


def _chunk_contents(run: Run, live: ActiveRun, contents: list[Content]) -> Iterator[Result]:
    step, model = find_boundary_step(run), find_counting_model(run.options.embed)
    options = run.options.chunk.resolve(run.recipes.max_tokens)
    calls = {
        content: (_find_row(run, "describe", content), options, model, _find_row(run, step, content) if step else None)
        for content in contents
    }
    return _map_in_workers(live, chunk_together, CHUNKED, calls, urgency=STEPS.index("chunk") + 1)


def _find_row(run: Run, step: str, content: Content) -> StagedRow | None:
    row = find_staged_row(run, step, content.name)
    return row.fetch() if row else None


def _map_in_workers(
    live: ActiveRun,
    function: Callable[..., pa.Table],
    schema: pa.Schema,
    calls: Mapping[Content, tuple[object, ...]],
    urgency: int = 0,
) -> Iterator[Result]:
    """Call `function`, which takes several calls and returns a row of `schema` for each, in the run's worker processes.

    Later steps overtake earlier ones, so that nothing waits until all is parsed. Small contents share a call. If one fails,
    each of its contents is tried alone: an error is one document's.
    """
    groups = group_small(list(calls), live.n_workers)
    again: list[Content] = []
    for index, outcome in live.pool.map(
        function, [([calls[content] for content in group],) for group in groups], urgency=urgency
    ):
        rows = check_worker_rows(outcome, schema, len(groups[index]))
        if isinstance(rows, PagemillError) and len(groups[index]) > 1:
            again += groups[index]
        else:
            yield groups[index], rows
    for index, outcome in live.pool.map(function, [([calls[content]],) for content in again], urgency=urgency):
        yield [again[index]], check_worker_rows(outcome, schema, 1)


def check_worker_rows(outcome: object, schema: pa.Schema, n: int) -> pa.Table | PagemillError:
    """Return the outcome of a worker, which is not trusted, if it is an error or `n` rows of `schema`; otherwise an error."""
    if isinstance(outcome, PagemillError):
        return outcome
    if isinstance(outcome, pa.Table) and outcome.schema.equals(schema) and outcome.num_rows == n:
        with suppress(SchemaError):
            return conform_to_schema(outcome, schema)
    return WorkerError("a worker process returned something that is not the rows of its step")


Argument = TypeVar("Argument")
Found = TypeVar("Found")


def run_guarded(function: Callable[[Argument], Found], argument: Argument) -> Found | PagemillError:
    """Return what `function` returns, or why it cannot: one document's error must not be the others'.

    Raises:
        InputError: the call is wrong, whatever the document.
    """
    try:
        return function(argument)
    except (InputError, OSError):
        raise
    except Exception as error:
        return as_pagemill_error(error)


def as_pagemill_error(error: Exception) -> PagemillError:
    """Return an error of the project's own tree for any error; a device or a process that is out of memory is a limit."""
    if isinstance(error, PagemillError):
        return error
    message = f"{type(error).__name__}: {error}"
    if "cuda" in message.lower() and REFUSED_MEMORY.search(message):
        return LimitError(f"the device does not have enough memory: lower embed.batch_tokens, or embed on the CPU ({message})")
    if isinstance(error, MemoryError) or REFUSED_MEMORY.search(message):
        return LimitError(f"{FLOW_FULL} ({message})")
    ours = WorkerError(message)
    ours.__cause__ = error
    return ours


def find_boundary_step(run: Run) -> str | None:
    """Return the step that computes what the strategy of chunking needs beside the documents."""
    if run.options.chunk.sentence_vectors:
        return "sentences"
    return "proposals" if run.options.chunk.strategy == "llm" else None


def _compute_boundary_inputs(run: Run, contents: list[Content]) -> Iterable[Result]:
    """Compute what the strategy needs in this process: the embedder is loaded here, and workers reach no network."""
    from tasks.chunk.chunk import split_document_into_sentences
    from tasks.chunk.io.boundary_inputs import propose_boundaries_of_each

    def described(content: Content) -> AssembledDocument:
        table = read_staged_row(run, "describe", content.name)
        return {"text": table["text"][0].as_py(), "elements": table["elements"][0].as_py()}

    if run.options.chunk.strategy == "llm":
        rows = propose_boundaries_of_each(map(described, contents), run.options.chunk)
        yield from (([content], row) for content, row in zip(contents, rows, strict=True))
        return
    truncating = run.options.embed.model_copy(update={"too_long": "truncate"})
    yield from _compute_vectors(
        run, contents, lambda content: split_document_into_sentences(described(content)).texts, truncating, VectorCache()
    )


def _embed_contents(run: Run, contents: list[Content]) -> Iterable[Result]:
    """Embed the chunks of contents, but for those that the documents had before, or others in this run."""
    live = find_active_run(run.run_id)
    for content in contents:
        before = live.earlier.get(content.name)
        rows = [find_staged_row(run, step, before) for step in ("chunk", "embed")] if before else []
        if rows and all(rows):
            chunked, embedded = (row.read() for row in rows if row)
            vectors = embedded["vectors"][0].values
            flat = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1)
            texts = chunked["chunks"][0].values.field("embedding_text").to_pylist()
            live.vectors.add(add_prompt(run.recipes.document_prompt, texts), flat)
    yield from _compute_vectors(run, contents, partial(_read_embedding_texts, run), run.options.embed, live.vectors)


def _compute_vectors(
    run: Run, contents: list[Content], texts: Callable[[Content], Texts], options: EmbedOptions, memory: VectorCache
) -> Iterator[Result]:
    from tasks.embed.io.embed import choose_group_size, embed_each, make_embedded_row
    from tasks.embed.io.providers import open_provider

    options = run.recipes.embedding(options)

    def embedder(batch_tokens: int) -> Provider:
        smaller = options.model_copy(update={"batch_tokens": batch_tokens})
        return open_provider(smaller, run.recipes.dimension).with_memory(memory)

    for content, vectors in embed_each(contents, texts, embedder, options.batch_tokens, choose_group_size(options)):
        yield (
            [content],
            as_pagemill_error(vectors) if isinstance(vectors, Exception) else make_embedded_row(vectors, run.recipes.dimension),
        )


def _read_embedding_texts(run: Run, content: Content) -> Texts:
    chunks = read_staged_row(run, "chunk", content.name)["chunks"][0].values
    return chunks.field("embedding_text")
