"""References: what travels between tasks, as JSON. They name contents and places; they hold no rows."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from schemas.corpus import Corpus
from schemas.ids import digest
from schemas.media_types import find_reader
from schemas.options.sources import SourceOptions
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


class PagePicture(NamedTuple):
    """A picture that lies beside the page that shows it: its address there, the path of its file, and the digest of that."""

    address: str
    path: str
    sha256: str


class Compound(NamedTuple):
    """What makes up a content that is more than the bytes of one file, whose digest is `file_sha256`.

    `reader` is the package that adds its format, with its version; `pictures` are those beside a page, without the `n_left_out`
    that are too many or too large; `missing` is what the machine lacks that planned, so that a reject ends once it is there.
    """

    file_sha256: str
    reader: str = ""
    pictures: tuple[PagePicture, ...] = ()
    n_left_out: int = 0
    missing: str = ""

    @property
    def sha256(self) -> str:
        """The digest of the content, wherever its pictures lie."""
        shown = [(picture.address, picture.sha256) for picture in self.pictures]
        made = json.dumps([self.file_sha256, self.reader, shown, self.n_left_out, *([self.missing] if self.missing else [])])
        return hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()


def find_compound(media_type: str, sha256: str, missing: str = "") -> Compound | None:
    """Return what makes up the content of a file, by format, digest and what is missing to read it; None if that is the file."""
    reader = find_reader(media_type)
    return Compound(sha256, reader, missing=missing) if reader or missing else None


class SourcePlace(Frozen):
    """A source that is no folder of this machine: its URL, the options that it needs besides, and its name in the corpus."""

    url: str
    options: SourceOptions = SourceOptions()
    name: str


class Content(Frozen):
    """The content of one file: where its bytes can be read, and the hash that they must have.

    `path` is a file of this machine, or below the `source` that is named. For one that is `inside` a container, it only names it:
    `archive.zip/a.pdf`; the container is where such a path is. A container itself has a blank media type. `sha256` is that of
    `compound`, if there is one.
    """

    sha256: str
    media_type: str
    path: str
    size: int
    inside: Inside | None = None
    source: SourcePlace | None = None
    compound: Compound | None = None

    @property
    def file_sha256(self) -> str:
        """The hash that the bytes of the file must have."""
        return self.compound.file_sha256 if self.compound else self.sha256

    @property
    def name(self) -> str:
        """What the content is, wherever it lies."""
        return make_content_name(self.media_type, self.sha256)

    @property
    def is_container(self) -> bool:
        """Whether the file is read for what lies in it."""
        return not self.media_type


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


class GateOutcome(TypedDict, total=False):
    """What `generations` keeps of a gate: how many expectations were judged, and what was warned of. Empty without a gate."""

    expectations: int
    warnings: list[str]


class RefreshOutcome(TypedDict):
    """What a refresh did, as JSON values. What stands without a default is there in any case.

    `outcome` is published, nothing changed or dry run; `counts` are those of documents and, once published, of rows. `skipped`
    names files that Pagemill does not read, `nameless` metadata of documents that are not there. A plan that was only printed
    has a line for each document in `plan`, and in `refused` why it would be refused. Seconds and idle core seconds are those of
    the phases; `steps` has totals by step, `spent` the seconds of each step by format, `kinds` the new rows by format, and
    `machines` the batches of each step by machine.
    """

    outcome: str
    corpus: str
    counts: dict[str, int]
    generation: NotRequired[int]
    message: NotRequired[str | None]
    skipped: NotRequired[Sequence[str]]
    nameless: NotRequired[Sequence[str]]
    plan: NotRequired[list[dict[str, str]]]
    refused: NotRequired[str]
    source: NotRequired[str]
    run_id: NotRequired[str]
    steps: NotRequired[dict[str, dict[str, float]]]
    spent: NotRequired[dict[str, dict[str, float]]]
    kinds: NotRequired[dict[str, dict[str, int]]]
    seconds: NotRequired[dict[str, float]]
    idle_core_seconds: NotRequired[dict[str, float]]
    machines: NotRequired[dict[str, dict[str, int]]]
    gate: NotRequired[GateOutcome]
    n_rejects: NotRequired[int]
    warnings: NotRequired[list[str]]


def digest_contents(contents: Iterable[Content]) -> str:
    """Return a digest of contents, which depends on their order."""
    return digest(*(content.name for content in contents))
