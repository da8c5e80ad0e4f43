"""References: what travels between tasks, as JSON. They name contents and places; they hold no rows."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from schemas.corpus import Corpus
from schemas.ids import digest
from schemas.shown import plain, shorten

LABEL_CHARS = 60

Places = dict[str, dict[str, tuple[str, int]]]
"""Where staged rows are: by step and content name, the pack and the position in it."""


class Frozen(BaseModel):
    """Base of references: immutable, and sent between tasks as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def make_content_name(media_type: str, sha256: str) -> str:
    """Return what names a content, wherever it lies."""
    return f"{media_type}:{sha256}"


class Inside(NamedTuple):
    """Where a member of an archive, mailbox or mail is: the path and the digest of that file, and the place in it."""

    container: str
    sha256: str
    locator: str


class Content(Frozen):
    """The content of one file: where its bytes can be read, and the hash that they must have.

    For one that is `inside` a container, `path` only names it: `archive.zip/a.pdf`.
    """

    sha256: str
    media_type: str
    path: str
    size: int
    inside: Inside | None = None

    @property
    def name(self) -> str:
        """What the content is, wherever it lies."""
        return make_content_name(self.media_type, self.sha256)


class Batch(Frozen):
    """Contents that go through the steps together, for one corpus."""

    corpus: Corpus
    contents: tuple[Content, ...]

    @property
    def label(self) -> str:
        """The batch for people: the name of its first file, and how many more files there are."""
        names = [shorten(plain(Path(content.path).name), LABEL_CHARS) for content in self.contents[:1]] or ["nothing"]
        return names[0] + (f" and {len(self.contents) - 1} more" if len(self.contents) > 1 else "")


class StepDone(Frozen):
    """What one step did with one batch. It names contents, and places only on its way from another machine.

    `refused` are the names of contents whose staged row rejects the whole document. `failed` counts the contents that a later
    refresh tries again. `spent` are seconds by media type: those between one result and the next count for the latter's. `rows`
    is where the rows are that another machine staged, and `machine` the address of that one.
    """

    step: str
    computed: int = 0
    reused: int = 0
    failed: int = 0
    seconds: float = 0.0
    refused: tuple[str, ...] = ()
    spent: dict[str, float] = Field(default_factory=dict)
    rows: Places = Field(default_factory=dict)
    machine: str = ""


class Handover(Frozen):
    """What a machine has to know of a batch, besides the run: where the rows are that earlier steps and runs have staged.

    `earlier` gives the name of the content that a changed document had before, by that of its new one. `version` is Pagemill's.
    """

    version: str
    rows: Places
    earlier: dict[str, str]


class Logged(Frozen):
    """A line that another machine logged: its logger, its level and its text."""

    logger: str
    level: int
    text: str


class Answer(Frozen):
    """What another machine says of a step that it has carried out: what it did, and what it logged meanwhile."""

    done: StepDone
    logged: tuple[Logged, ...] = ()


def digest_contents(contents: Iterable[Content]) -> str:
    """Return a digest of contents, which depends on their order."""
    return digest(*(content.name for content in contents))
