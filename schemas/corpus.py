"""A corpus: the places of its tables, staged files, drafts, locks and markers."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError

PRIVATE = ".pagemill"
"""The folder for what readers do not need. A folder that holds one is a corpus; it is never part of a source."""

CANDIDATES = "candidates"
"""The private folder for candidates: corpora of the same documents by other recipes, which may take the corpus's place."""

STORES: dict[str, Callable[[str], Path]] = {}
"""What makes a place of a URI, by the URI's scheme: `tasks.store` knows the object stores."""


def place_of(uri: str) -> Path:
    """Return the place of a folder, or of a prefix in an object store, which has the ways of pathlib too.

    Raises:
        InputError: it is a URI of another kind, or none.
    """
    scheme, found, _ = uri.partition("://")
    if not found:
        return Path(uri)
    if scheme not in STORES:
        raise InputError(f"{uri} is no place that Pagemill knows: name a folder, or {' or '.join(STORES)}://bucket/prefix")
    return STORES[scheme](uri)


def is_in_store(place: str) -> bool:
    """Return whether a place is named by a URI, as those in object stores are, and not by a path."""
    return "://" in place


@dataclass(frozen=True)
class Corpus:
    """A corpus, given by its folder or by a URI such as s3://bucket/corpus. It travels between tasks as JSON.

    Its methods only compute paths: they touch no file.
    """

    uri: str

    def __str__(self) -> str:
        """Return the folder as the user named it."""
        return self.uri

    @property
    def quoted(self) -> str:
        """The folder as a shell takes it, for commands that messages name.

        >>> Corpus("/srv/annual reports").quoted
        "'/srv/annual reports'"
        """
        return shlex.quote(self.uri)

    @property
    def folder(self) -> Path:
        """The folder, or the prefix in a store, that holds everything."""
        return place_of(self.uri)

    @property
    def is_in_store(self) -> bool:
        """Whether it lies in an object store."""
        return is_in_store(self.uri)

    @property
    def private(self) -> Path:
        """The folder for what readers do not need: staged files, drafts, locks, markers."""
        return self.folder / PRIVATE

    @property
    def staging(self) -> Path:
        """The outputs of all steps."""
        return self.private / "staging"

    @property
    def drafts(self) -> Path:
        """The drafts of all runs that have not ended."""
        return self.private / "runs"

    @property
    def results(self) -> Path:
        """The results of steps in Prefect's cache."""
        return self.private / "results"

    @property
    def readings(self) -> Path:
        """The texts that were read in pictures, so that equal pictures are read once."""
        return self.private / "readings"

    @property
    def answers(self) -> Path:
        """The answers of language models, so that nothing is asked twice."""
        return self.private / "answers"

    @property
    def report(self) -> Path:
        """The report of the last evaluations, an HTML file."""
        return self.private / "report.html"

    @property
    def sentences(self) -> Path:
        """Vectors of questions and sentences that evaluations have embedded."""
        return self.private / "sentences.arrow"

    @property
    def plans(self) -> Path:
        """What planning remembers about sources for the next plan."""
        return self.private / "plans"

    @property
    def candidates(self) -> Path:
        """The folders of the candidates."""
        return self.private / CANDIDATES

    def candidate(self, name: str) -> "Corpus":
        """Return the candidate of that name: a corpus of its own, in a folder of this one."""
        return Corpus(str(self.candidates / name))

    @property
    def home(self) -> "Corpus | None":
        """The corpus that this one is a candidate of, or None.

        >>> Corpus("/data/notes").candidate("e5").home
        Corpus(uri='/data/notes')
        """
        place = self.folder.parent
        return Corpus(str(place.parent.parent)) if (place.parent.name, place.name) == (PRIVATE, CANDIDATES) else None

    def table(self, name: str) -> Path:
        """Return the path of a table."""
        return self.folder / f"{name}.lance"

    def step_folder(self, step: str, recipe: str) -> Path:
        """Return the folder of a step's outputs by one recipe."""
        return self.staging / step / recipe

    def recipes(self, whole: str) -> Path:
        """Return the file that holds the recipe of each step, for one whole recipe."""
        return self.private / "recipes" / f"{whole}.json"

    def marker(self, name: str) -> Path:
        """Return a small file that tells the state of the corpus."""
        return self.private / name

    def lock(self, name: str) -> Path:
        """Return the file to lock during a refresh, or during publication."""
        return self.private / f"{name}.lock"
