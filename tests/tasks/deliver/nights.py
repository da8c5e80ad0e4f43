"""Nights of a small corpus, what each of its generations says, and deliveries that are killed at a write."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from schemas.corpus import Corpus
from schemas.ids import document_id
from tasks.publish.io import cleanup
from tasks.publish.io.backups.restore import restore_backup
from tasks.publish.io.candidates import place_candidate
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.publish.io.switch import switch_to_candidate
from tasks.publish.io.tags import ensure_live_tags
from tasks.store.files import delete_tree
from tests.tasks.small_corpus import publish_again, publish_corpus

Texts = dict[str, str]


class Nights:
    """A corpus, and the texts of its generations by path."""

    def __init__(self, folder: Path, texts: Texts) -> None:
        self.corpus, self.generations = Corpus(str(folder)), {1: dict(texts)}
        publish_corpus(str(folder), texts)
        ensure_live_tags(self.corpus)

    @property
    def live(self) -> Texts:
        """What the live generation says."""
        return self.generations[max(self.generations)]

    def change(self, texts: dict[str, str | None]) -> None:
        now = {path: text for path, text in {**self.live, **texts}.items() if text is not None}
        self.generations[publish_again(self.corpus.uri, texts)] = now

    def roll_back(self, generation: int) -> None:
        self.generations[roll_back_corpus(self.corpus, generation, f"rollback to {generation}")] = self.generations[generation]

    def switch(self, texts: Texts) -> None:
        """Publish a candidate that says something else."""
        publish_corpus(place_candidate(self.corpus, "other").uri, texts)
        switch_to_candidate(self.corpus, "other", accept_differences=True)
        self.generations[max(self.generations) + 1] = texts

    def restore(self, vault: str, generation: int) -> None:
        """Lose the corpus, and put the backup of a generation in its place."""
        delete_tree(self.corpus.folder)
        restore_backup(vault, self.corpus)
        self.generations = {generation: self.generations[generation]}

    def purge(self, path: str) -> None:
        purge_document(self.corpus, "main", path, f"purge of {path}")
        left = {n: {name: text for name, text in texts.items() if name != path} for n, texts in self.generations.items()}
        self.generations = {**left, max(left) + 1: left[max(left)]}

    def clean_up(self, keep: int) -> None:
        with patch.object(cleanup, "SAFE_AGE", cleanup.SAFE_AGE * 0):
            cleanup.delete_old_generations(self.corpus, keep)
        self.generations = {n: texts for n, texts in self.generations.items() if n > max(self.generations) - keep}


def name_rows(texts: Texts) -> dict[str, set[tuple[str, str]]]:
    """Return the rows of documents and chunks, each as its document and text, that a generation with these texts has."""
    ids = {document_id("main", path): text for path, text in texts.items()}
    chunks = {(name, line) for name, text in ids.items() for line in text.split("\n")}
    return {"documents": {*ids.items()}, "chunks": chunks}


class Killed(BaseException):
    """The process is no more."""


WRITES = ("open", "os.link", "os.rename", "os.mkdir", "os.remove", "os.rmdir")
_watched: list[tuple[str, list[int]]] = []


@contextmanager
def killed_at(write: int, place: Path) -> Iterator[None]:
    """Raise Killed at the `write`-th write below a place, counted from 0, and at all that follow, for the length of the block."""
    _watched.append((str(place), [write]))
    try:
        yield
    finally:
        _watched.pop()


def _count_write(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watched or event not in WRITES or (event == "open" and not set(str(arguments[1] or "")) & set("wax+")):
        return
    place, left = _watched[-1]
    if any(str(given).startswith(place) for given in arguments[:2]):
        left[0] -= 1
        if left[0] < 0:
            raise Killed


sys.addaudithook(_count_write)
