"""A corpus: the one value that knows where its tables, staged files, drafts, locks and markers lie."""

from dataclasses import dataclass
from pathlib import Path

PRIVATE = ".pagemill"
"""The folder of what is not for readers. A folder that holds one is a corpus, never a source's content."""


@dataclass(frozen=True)
class Corpus:
    """A corpus by its folder. Travels between tasks as JSON; computing a path touches no file."""

    uri: str

    def __str__(self) -> str:
        """Return the folder as the user named it."""
        return self.uri

    @property
    def folder(self) -> Path:
        """The folder that holds everything."""
        return Path(self.uri)

    @property
    def private(self) -> Path:
        """What readers do not need: staged files, drafts, locks, markers."""
        return self.folder / PRIVATE

    @property
    def staging(self) -> Path:
        """The outputs of all steps."""
        return self.private / "staging"

    @property
    def drafts(self) -> Path:
        """The drafts of all runs that have not come to their end."""
        return self.private / "runs"

    @property
    def results(self) -> Path:
        """What Prefect's cache remembers of steps."""
        return self.private / "results"

    @property
    def readings(self) -> Path:
        """What was read in pictures, so that equal ones are read once."""
        return self.private / "readings"

    @property
    def plans(self) -> Path:
        """What is remembered of sources between plans."""
        return self.private / "plans"

    def table(self, name: str) -> Path:
        """Return where a table lies."""
        return self.folder / f"{name}.lance"

    def staged(self, step: str, recipe: str) -> Path:
        """Return the folder of a step's outputs by one recipe."""
        return self.staging / step / recipe

    def recipes(self, whole: str) -> Path:
        """Return where the recipes of the single steps behind a whole recipe are kept."""
        return self.private / "recipes" / f"{whole}.json"

    def marker(self, name: str) -> Path:
        """Return a small file that tells the state of the corpus."""
        return self.private / name

    def lock(self, name: str) -> Path:
        """Return the file whose lock says that a refresh is under way, or that something is being published."""
        return self.private / f"{name}.lock"
