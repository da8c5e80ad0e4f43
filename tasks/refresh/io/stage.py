"""Stage: compute what a step lacks of contents, and keep it.

A final rejection is a staged row like others. One that another refresh may cure is kept with the run, in a file of its own, and
is gone with it.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.errors import CorpusError, DocumentError, InputError, PagemillError, SchemaError, ServiceError
from schemas.ids import digest
from schemas.references import Batch, Content, StepDone
from schemas.shown import plain
from schemas.staged import STEPS
from schemas.tables.rejects import Reject
from tasks.refresh.run import Run
from tasks.store import files, lance
from tasks.store.staging import reason_in
from tasks.workers import memory
from tasks.workers.progress import Progress

FAILURES = "failures"
REMEDIES = {
    "LimitError": "raise the limit that the message names, or exclude the document",
    "ServiceError": "run the refresh again",
    "ChangedError": "run the refresh again",
    "WorkerError": "report this message and the type of the document as a bug, or exclude the document",
}
RUN_ERRORS = (InputError, CorpusError, SchemaError)
"""Errors that are no document's: they end the run."""

logger = logging.getLogger(__name__)


class Attempt(NamedTuple):
    """One call of a step: `last` if nobody calls again when a service outside fails."""

    step: str
    last: bool
    progress: Progress


Result = tuple[Content, pa.Table | PagemillError]
"""A content with its staged row, or with the reason why there is none this time."""


def going_on(batch: Batch, run: Run, step: str, earlier: Sequence[StepDone]) -> list[Content]:
    """Return the contents of a batch that have come as far as `step`: no earlier step refused them or failed on them."""
    refused = {name for done in earlier for name in done.refused}
    before = STEPS[: STEPS.index(step)][-1:]
    return [
        content
        for content in batch.contents
        if content.name not in refused and all(files.is_whole(run.staged(previous, content)) for previous in before)
    ]


def stage_each(
    batch: Batch, run: Run, contents: list[Content], attempt: Attempt, compute: Callable[[list[Content]], Iterable[Result]]
) -> StepDone:
    """Compute and stage what a step lacks of `contents`; return what was done.

    `compute` takes the contents whose output is missing and yields one result for each of them, in any order.

    Raises:
        ServiceError: a service outside failed, and this is not the last attempt; what is staged stays.
        InputError, CorpusError, SchemaError: an error that is no document's, such as a full disk.
    """
    started = time.monotonic()
    step = attempt.step
    missing = [content for content in contents if not files.is_whole(run.staged(step, content))]
    lacking = {content.name for content in missing}
    for content in contents:
        if content.name not in lacking:
            attempt.progress.finish(step, content.name)
    errors = dict(_stage(run, attempt, compute(missing))) if missing else {}
    _settle(run, attempt, missing, errors)
    memory.release()
    whole = [content for content in contents if content.name not in errors]
    refused = [content for content in whole if reason_in(run.staged(step, content))]
    done = StepDone(
        step=step,
        computed=len(missing) - len(errors),
        reused=len(contents) - len(missing),
        failed=len(errors),
        seconds=time.monotonic() - started,
        refused=tuple(content.name for content in refused),
    )
    logger.info("%s of %s: %d computed, %d found staged", step, batch.label, done.computed, done.reused)
    return done


def _stage(run: Run, attempt: Attempt, results: Iterable[Result]) -> Iterator[tuple[str, PagemillError]]:
    for content, result in results:
        if isinstance(result, RUN_ERRORS):
            raise result
        if isinstance(result, PagemillError):
            yield content.name, result
        else:
            with lance.writing(run.corpus):
                files.put_table(run.staged(attempt.step, content), result)
        attempt.progress.finish(attempt.step, content.name)


def _settle(run: Run, attempt: Attempt, contents: list[Content], errors: dict[str, PagemillError]) -> None:
    """Ask for another attempt where one may help, else keep the errors as reasons to reject documents."""
    transient = [error for error in errors.values() if isinstance(error, ServiceError)]
    if transient and not attempt.last:
        raise ServiceError(f"{attempt.step} failed for {len(transient)} documents: {transient[0]}") from transient[0]
    for content in contents:
        if content.name in errors:
            keep_failure(run, content, rejection(attempt.step, errors[content.name]))


def rejection(step: str, error: PagemillError) -> Reject:
    """Return why a step cannot handle a document."""
    kind = type(error).__name__
    remedy = REMEDIES.get(kind, "correct the document, or exclude it")
    return Reject(step=step, error=kind, message=str(error), remedy=remedy, final=isinstance(error, DocumentError))


def keep_failure(run: Run, content: Content, reject: Reject) -> None:
    """Keep with the run why a content cannot go on."""
    logger.info("%s failed in step %s: %s", plain(Path(content.path).name), reject.step, plain(reject.message))
    record = {"sha256": content.sha256, "media_type": content.media_type, "reject": reject.model_dump()}
    files.put(run.folder / FAILURES / f"{digest(content.name)}.json", json.dumps(record).encode())


def failures_of(run: Run) -> dict[tuple[str, str], Reject]:
    """Return why contents could not go on in this run, by digest and media type."""
    records = [json.loads(path.read_bytes()) for path in (run.folder / FAILURES).glob("*.json")]
    return {(record["sha256"], record["media_type"]): Reject(**record["reject"]) for record in records}


def final_reason(run: Run, media_type: str, sha256: str) -> Reject:
    """Return why a step's staged row rejects a document.

    Raises:
        SchemaError: none does.
    """
    for step in STEPS:
        path = run.corpus.staged(step, getattr(run.recipes, step), media_type, sha256)
        reason = reason_in(path) if path.exists() else None
        if reason:
            return reason
    raise SchemaError(f"content {sha256} was rejected, but no staged file says why: run the refresh again")


def forget_staged(batch: Batch, run: Run, steps: Sequence[str]) -> None:
    """Delete what `steps` staged for a batch, so that it is computed again."""
    for content in batch.contents:
        for step in steps:
            run.staged(step, content).unlink(missing_ok=True)
