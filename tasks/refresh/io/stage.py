"""Stage: compute the rows of contents that a step has not computed yet, and keep them.

A final rejection is a staged row like others. A rejection that another refresh may cure is kept in a file of the run, and is
deleted with the run.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.errors import CorpusError, DocumentError, InputError, PagemillError, SchemaError, ServiceError, WorkerError
from schemas.ids import digest
from schemas.references import Batch, Content, StepDone, digest_contents
from schemas.shown import plain
from schemas.staged import STEPS
from schemas.tables.rejects import Reject
from tasks.refresh.io.running import find_active_run
from tasks.refresh.run import Run
from tasks.store import files, lance
from tasks.store.packs import StagedRow
from tasks.store.staging import are_rejected, find_reject
from tasks.workers import memory
from tasks.workers.progress import Progress
from tasks.workers.tracing import add_span

FAILURES = "failures"
PACK_BYTES = 16 * 2**20
"""Rows that wait are staged when they are that large together."""

SLOW_SECONDS = 1.0
"""A document that takes longer has a span of its own in a trace."""

FLUSH_SECONDS = 2.0
"""A run that is killed computes about that much work again."""

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
    """One call of a step. `last` says that no further call follows if an outside service fails."""

    step: str
    last: bool
    progress: Progress


Result = tuple[list[Content], pa.Table | PagemillError]
"""Contents with their staged rows, or with the reason why there are none this time."""


def find_staged_row(run: Run, step: str, name: str) -> StagedRow | None:
    """Return where a step's row for the content `name` is, or None if it must be computed."""
    return find_active_run(run.run_id).staging.find(step, getattr(run.recipes, step), name)


def read_staged_row(run: Run, step: str, name: str) -> pa.Table:
    """Return a step's row for the content `name`.

    Raises:
        SchemaError: it is not staged.
    """
    row = find_staged_row(run, step, name)
    if row is None:
        raise SchemaError(f"step {step} staged nothing for content {name}: run the refresh again")
    return row.read()


def list_continuing_contents(batch: Batch, run: Run, step: str, earlier: Sequence[StepDone]) -> list[Content]:
    """Return the contents of a batch that have come as far as `step`: no earlier step refused them or failed on them."""
    refused = {name for done in earlier for name in done.refused}
    before = STEPS[: STEPS.index(step)][-1:]
    return [
        content
        for content in batch.contents
        if content.name not in refused and all(find_staged_row(run, previous, content.name) for previous in before)
    ]


def stage_each(
    batch: Batch, run: Run, contents: list[Content], attempt: Attempt, compute: Callable[[list[Content]], Iterable[Result]]
) -> StepDone:
    """Compute and stage what a step has not yet staged of `contents`; return what was done.

    `compute` takes the contents whose rows are missing, and yields results that cover each of them once, in any order.

    Raises:
        ServiceError: a service outside failed, and this is not the last attempt; what is staged stays.
        InputError, CorpusError, SchemaError: an error that is not one document's, such as a full disk.
    """
    started = time.monotonic()
    missing = [content for content in contents if find_staged_row(run, attempt.step, content.name) is None]
    lacking = {content.name for content in missing}
    there = [content for content in contents if content.name not in lacking]
    for content in there:
        attempt.progress.finish(attempt.step, content.name)
    refused = [content.name for content in there if find_reject(read_staged_row(run, attempt.step, content.name))]
    with Packer(run, attempt.step, name_pack_group(batch)) as packer:
        errors = dict(_stage_results(packer, attempt, compute(missing))) if missing else {}
    _handle_errors(run, attempt, missing, errors)
    memory.release_freed_memory()
    done = StepDone(
        step=attempt.step,
        computed=len(missing) - len(errors),
        reused=len(there),
        failed=len(errors),
        seconds=time.monotonic() - started,
        refused=(*refused, *packer.refused),
        spent=packer.spent,
    )
    logger.info("%s of %s: %d computed, %d found staged", attempt.step, batch.label, done.computed, done.reused)
    return done


def name_pack_group(batch: Batch) -> str:
    """Return the group of the packs that hold rows of a batch: whoever carries out a step again finds them by it."""
    return digest_contents(batch.contents)


class Packer:
    """Stages rows together: many small ones at once, and none later than FLUSH_SECONDS after it was computed."""

    def __init__(self, run: Run, step: str, group: str) -> None:
        self.refused: list[str] = []
        self._run, self._step, self._group = run, step, group
        self._names: list[str] = []
        self._rows: list[pa.Table] = []
        self._n_bytes = 0
        self._since = 0.0
        self.spent: dict[str, float] = {}

    def __enter__(self) -> "Packer":
        return self

    def __exit__(self, *error: object) -> None:
        self.flush()

    def add(self, contents: Sequence[Content], rows: pa.Table) -> None:
        """Stage the rows of contents, now or with the next ones."""
        names = [content.name for content in contents]
        self.refused += [name for name, refuses in zip(names, are_rejected(rows), strict=True) if refuses]
        self._since = self._since if self._rows else time.monotonic()
        self._names += names
        self._rows.append(rows)
        self._n_bytes += rows.nbytes
        if self._n_bytes > PACK_BYTES or time.monotonic() - self._since > FLUSH_SECONDS:
            self.flush()

    def time_results(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield the results; add the seconds that passed since the one before to `spent`, by the media types of its contents."""
        since = time.monotonic()
        for contents, result in results:
            now = time.monotonic()
            for content in contents:
                self.spent[content.media_type] = self.spent.get(content.media_type, 0.0) + (now - since) / len(contents)
                if now - since > SLOW_SECONDS:
                    add_span("document", now - since, {"pagemill.path": content.path, "pagemill.bytes": content.size})
            since = now
            yield contents, result

    def flush(self) -> None:
        """Write what is waiting as one pack."""
        if not self._rows:
            return
        names, rows = self._names, pa.concat_tables(self._rows)
        self._names, self._rows, self._n_bytes = [], [], 0
        with lance.explain_failed_writes(self._run.corpus):
            recipe = getattr(self._run.recipes, self._step)
            find_active_run(self._run.run_id).staging.put(self._step, recipe, names, rows, self._group)


def _stage_results(packer: Packer, attempt: Attempt, results: Iterable[Result]) -> Iterator[tuple[str, PagemillError]]:
    for contents, result in packer.time_results(results):
        if isinstance(result, RUN_ERRORS):
            raise result
        names = [content.name for content in contents]
        if isinstance(result, PagemillError):
            yield from ((name, result) for name in names)
        else:
            packer.add(contents, result)
        for name in names:
            attempt.progress.finish(attempt.step, name)


def _handle_errors(run: Run, attempt: Attempt, contents: list[Content], errors: dict[str, PagemillError]) -> None:
    """Ask for another attempt where one may help, else keep the errors as reasons to reject documents.

    In a run that was given up, work is called off: that is no document's error, and nobody asks for it.
    """
    if find_active_run(run.run_id).cancelled.is_set():
        return
    transient = [error for error in errors.values() if isinstance(error, ServiceError)]
    if transient and not attempt.last:
        raise ServiceError(f"{attempt.step} failed for {len(transient)} documents: {transient[0]}") from transient[0]
    for content in contents:
        if content.name in errors:
            save_failure(run, content, make_rejection(attempt.step, errors[content.name], run.options.pii.replaces))


def make_rejection(step: str, error: PagemillError, hides: bool) -> Reject:
    """Return why a step cannot handle a document. What an unforeseen error quotes was not looked through: `hides` leaves it out.

    >>> make_rejection("parse", WorkerError("ValueError: no date: ada@example.org"), hides=True).message
    'ValueError (pii.action leaves out what it quotes)'
    """
    kind, message = type(error).__name__, str(error)
    if hides and isinstance(error, WorkerError) and ":" in message:
        message = f"{message.partition(':')[0]} (pii.action leaves out what it quotes)"
    remedy = REMEDIES.get(kind, "correct the document, or exclude it")
    return Reject(step=step, error=kind, message=message, remedy=remedy, final=isinstance(error, DocumentError))


def save_failure(run: Run, content: Content, reject: Reject) -> None:
    """Keep with the run why a content cannot go on."""
    logger.info("%s failed in step %s: %s", plain(Path(content.path).name), reject.step, plain(reject.message))
    record = {"sha256": content.sha256, "media_type": content.media_type, "reject": reject.model_dump()}
    files.write_atomically(run.folder / FAILURES / f"{digest(content.name)}.json", json.dumps(record).encode())


def load_failures(run: Run) -> dict[tuple[str, str], Reject]:
    """Return why contents could not go on in this run, by digest and media type."""
    records = [json.loads(path.read_bytes()) for path in (run.folder / FAILURES).glob("*.json")]
    return {(record["sha256"], record["media_type"]): Reject(**record["reject"]) for record in records}


def find_final_reject(run: Run, name: str) -> Reject:
    """Return why a step's staged row rejects a document.

    Raises:
        SchemaError: none does.
    """
    for step in STEPS:
        row = find_staged_row(run, step, name)
        reason = find_reject(row.read()) if row else None
        if reason:
            return reason
    raise SchemaError(f"content {name} was rejected, but no staged row says why: run the refresh again")
