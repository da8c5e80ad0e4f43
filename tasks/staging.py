"""Staging: a step's output for one content is one Arrow file, written once and addressed by what it was made from.

Prefect's cache only skips work; the staged file is the truth.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from schemas.ids import digest
from schemas.rejects import Reject
from tasks import progress
from tasks.adapters import files, memory

STAGING = ".pagemill/staging"
logger = logging.getLogger(__name__)


class Frozen(BaseModel):
    """References that travel between tasks as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Content(Frozen):
    """One file's content: where its bytes can be read, and what they must hash to."""

    sha256: str
    media_type: str
    path: str
    size: int


class Failure(Frozen):
    """A content that a step could not handle this time, and why; not staged, since a later run may succeed."""

    sha256: str
    media_type: str
    reject: Reject


class StepDone(Frozen):
    """What a step did of one batch: contents computed and contents found staged, and how long it took."""

    step: str
    computed: int
    reused: int
    seconds: float


class Batch(Frozen):
    """Contents that go through the steps together, on their way to one corpus.

    `contents` are those that no step has failed on so far; `failures` the others, whether their rejection is final or not.
    """

    corpus: str
    contents: tuple[Content, ...]
    failures: tuple[Failure, ...] = ()
    done: tuple[StepDone, ...] = ()

    @property
    def digest(self) -> str:
        """Identity of the batch: its contents, in order."""
        return digest(*(f"{content.media_type}:{content.sha256}" for content in self.contents))

    @property
    def label(self) -> str:
        """What the batch holds, for people: its first file's name, and how many follow."""
        names = [Path(content.path).name for content in self.contents[:1]] or ["nothing"]
        return names[0] + (f" and {len(self.contents) - 1} more" if len(self.contents) > 1 else "")

    def staged_at(self, step: str, recipe: str, content: Content) -> Path:
        """Return where `step` keeps its output for `content`."""
        return staged_path(self.corpus, step, recipe, content.media_type, content.sha256)

    def complete(self, step: str, recipe: str) -> bool:
        """Tell whether every content's output of `step` is staged."""
        return all(self.staged_at(step, recipe, content).exists() for content in self.contents)


Result = tuple[Content, pa.Table | Reject]
"""A content with its staged row, or with the reason why there is none this time."""


def staged_path(corpus: str, step: str, recipe: str, media_type: str, sha256: str) -> Path:
    """Return where a step's output for one content lies below the corpus."""
    return Path(corpus) / STAGING / step / recipe / media_type.replace("/", "-") / sha256[:2] / f"{sha256}.arrow"


def stage_each(batch: Batch, step: str, recipe: str, compute: Callable[[list[Content]], Iterable[Result]]) -> Batch:
    """Compute and stage what `step` lacks of `batch`; return the batch without the contents that cannot go on.

    `compute` takes the contents whose output is missing and yields one result for each of them, in any order. A staged row
    that rejects the whole document (page 0) counts as a failure too, a final one.
    """
    started = time.monotonic()
    missing = [content for content in batch.contents if not batch.staged_at(step, recipe, content).exists()]
    failures = list(_stage(batch, step, recipe, compute(missing))) if missing else []
    failed = {(failure.sha256, failure.media_type) for failure in failures}
    kept = [content for content in batch.contents if (content.sha256, content.media_type) not in failed]
    rejected = list(_rejected(batch, step, recipe, kept))
    refused = {(failure.sha256, failure.media_type) for failure in rejected}
    memory.release()
    progress.advance(step, len(batch.contents))
    computed = len(missing) - len(failures)
    reused = len(batch.contents) - len(missing)
    done = StepDone(step=step, computed=computed, reused=reused, seconds=time.monotonic() - started)
    return batch.model_copy(
        update={
            "contents": tuple(content for content in kept if (content.sha256, content.media_type) not in refused),
            "failures": (*batch.failures, *failures, *rejected),
            "done": (*batch.done, done),
        }
    )


def _stage(batch: Batch, step: str, recipe: str, results: Iterable[Result]) -> Iterator[Failure]:
    for content, result in results:
        if isinstance(result, Reject):
            logger.warning("%s: %s: %s", content.path, result.error, result.message)
            yield Failure(sha256=content.sha256, media_type=content.media_type, reject=result)
        else:
            files.put_table(batch.staged_at(step, recipe, content), result)


def _rejected(batch: Batch, step: str, recipe: str, contents: list[Content]) -> Iterator[Failure]:
    for content in contents:
        rejects = files.read_table(batch.staged_at(step, recipe, content))["rejects"][0].as_py()
        for reason in rejects:
            if reason["page_number"] == 0:
                yield Failure(sha256=content.sha256, media_type=content.media_type, reject=Reject(**reason))
                break
