"""Staging: a step's output for one content is one Arrow file, written once and addressed by what it was made from.

The staged file is the truth; Prefect's cache only skips looking at it.
"""

import logging
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from schemas.corpus import Corpus
from schemas.ids import digest
from schemas.shown import plain, shortened
from schemas.tables.rejects import Reject
from tasks.store import files

STAGING = ".pagemill/staging"
LABEL_CHARS = 60

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

    @property
    def name(self) -> str:
        """What the content is, wherever it lies."""
        return f"{self.media_type}:{self.sha256}"


class Batch(Frozen):
    """Contents that go through the steps together, on their way to one corpus."""

    corpus: Corpus
    contents: tuple[Content, ...]

    @property
    def label(self) -> str:
        """What the batch holds, for people: its first file's name, and how many follow."""
        names = [shortened(plain(Path(content.path).name), LABEL_CHARS) for content in self.contents[:1]] or ["nothing"]
        return names[0] + (f" and {len(self.contents) - 1} more" if len(self.contents) > 1 else "")

    def staged_at(self, step: str, recipe: str, content: Content) -> Path:
        """Return where `step` keeps its output for `content`."""
        return staged_path(self.corpus, step, recipe, content.media_type, content.sha256)


class StepDone(Frozen):
    """What a step did of one batch, and nothing that another step did: it names contents, and no place.

    `refused` are the names of the contents whose staged row rejects the whole document. `failed` counts those that a later
    refresh tries again.
    """

    step: str
    computed: int = 0
    reused: int = 0
    failed: int = 0
    seconds: float = 0.0
    refused: tuple[str, ...] = ()


def staged_path(corpus: Corpus, step: str, recipe: str, media_type: str, sha256: str) -> Path:
    """Return where a step's output for one content lies below the corpus."""
    return corpus.staged(step, recipe, media_type, sha256)


def batch_digest(contents: Iterable[Content]) -> str:
    """Return the identity of contents, in their order."""
    return digest(*(content.name for content in contents))


def complete(batch: Batch, step: str, recipe: str, contents: Iterable[Content]) -> bool:
    """Tell whether the output of `step` is staged for all of `contents`."""
    return all(files.is_whole(batch.staged_at(step, recipe, content)) for content in contents)


def reason_in(path: Path) -> Reject | None:
    """Return why the staged row at `path` rejects its whole document (page 0), or None if it does not."""
    for reason in files.read_table(path)["rejects"][0].as_py():
        if reason["page_number"] == 0:
            return Reject(**reason)
    return None
