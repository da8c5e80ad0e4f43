"""A source folder that is changed as people change theirs, and what the model knows of it."""

import csv
import os
import shutil
import time
from pathlib import Path

from tests.soak.model import File

PATHS = ("alder.txt", "birch.txt", "cedar.md", "sub/dogwood.txt", "sub/ü elm.txt", "sub/deep/fir.md")
BROKEN = ("a\0b", "c\0d", "")
NOUNS = ("heron", "miller", "turbine", "garden", "letter", "engine", "winter", "bridge")
PAST_SECONDS, STEP_SECONDS = 30 * 86_400, 10


def text_of(number: int) -> str:
    """Return a text of two sentences, each of 33 to 46 tokens for the small embedder, which takes a letter for a token.

    >>> text_of(0)
    'The heron of the village is called zqaaaqz now.\\n\\nNobody knows what zqaaaqz thinks of it, or why.'
    """
    noun, word = NOUNS[number % len(NOUNS)], word_of(number)
    return f"The {noun} of the village is called {word} now.\n\nNobody knows what {word} thinks of it, or why."


def word_of(number: int) -> str:
    """Return a word that stands in no other text."""
    return "zq" + "".join(chr(ord("a") + number // 26**place % 26) for place in (2, 1, 0)) + "qz"


class NightSource:
    """The folder and its model. Files mostly look old, each change in it ten seconds younger than the one before."""

    def __init__(self, folder: Path, files: dict[str, File]) -> None:
        self.folder = folder
        self.files = files
        self.clock = time.time() - PAST_SECONDS
        folder.mkdir()

    def write(self, path: str, text: str, fresh: bool = False) -> None:
        """Add a document, or change it."""
        there = self.folder / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.unlink(missing_ok=True)
        there.write_bytes(text.encode())
        self._date(there, fresh)
        self.files[path] = File(text, self._shelf(path))

    def delete(self, path: str) -> None:
        """Delete a document; what is said of it beside it stays."""
        (self.folder / path).unlink()
        del self.files[path]

    def rename(self, path: str, to: str) -> None:
        """Rename a document, over another one if there is one."""
        (self.folder / to).parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.folder / path, self.folder / to)
        self.files[to] = self.files.pop(path)._replace(shelf=self._shelf(to))

    def copy(self, path: str, to: str) -> None:
        """Copy a document with its time and mode."""
        (self.folder / to).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / to).unlink(missing_ok=True)
        shutil.copy2(self.folder / path, self.folder / to)
        self.files[to] = self.files[path]._replace(shelf=self._shelf(to))

    def shelve(self, path: str, shelf: str) -> None:
        """Say beside a document on which shelf it stands; nothing if that is blank."""
        said = {**self._shelves(), path: shelf}
        with (self.folder / "metadata.csv").open("w", newline="") as sink:
            csv.writer(sink).writerows([("path", "shelf"), *sorted(said.items())])
        self._date(self.folder / "metadata.csv", False)
        if path in self.files:
            self.files[path] = self.files[path]._replace(shelf=shelf)

    def let_read(self, path: str, readable: bool) -> None:
        """Let a file be read, or let nobody read it."""
        (self.folder / path).chmod(0o644 if readable else 0)
        self.files[path] = self.files[path]._replace(readable=readable)

    def _shelf(self, path: str) -> str:
        return self._shelves().get(path, "")

    def _shelves(self) -> dict[str, str]:
        path = self.folder / "metadata.csv"
        if not path.exists():
            return {}
        with path.open(newline="") as source:
            return {row["path"]: row["shelf"] for row in csv.DictReader(source)}

    def _date(self, path: Path, fresh: bool) -> None:
        self.clock += STEP_SECONDS
        if not fresh:
            os.utime(path, (self.clock, self.clock))
