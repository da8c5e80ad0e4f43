"""Candidates: corpora of the same documents by another model or recipe, built beside the live one, which they may replace.

Here is where they lie, how their documents differ from those of the corpus, and how one is discarded.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from schemas.corpus import PRIVATE, Corpus
from schemas.errors import CorpusError, InputError
from schemas.tables.generations import VERSIONED
from tasks.refresh.run import list_recipe_differences
from tasks.store import published
from tasks.store.files import delete_tree
from tasks.store.local import make_temporary_folder
from tasks.store.locks import hold_lock
from tasks.store.published import Generation

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")

NAMED = 5
"""Documents of each kind that a message names."""


class DocumentState(NamedTuple):
    """A document that a generation holds: its path, and what tells its content and metadata."""

    path: str
    sha256: str
    metadata_hash: str = ""


class Differences(NamedTuple):
    """Paths of documents, in order, that stand between a corpus and a candidate.

    `missing` are only in the corpus, `extra` only in the candidate, `other` in both with another content or other metadata.
    """

    missing: tuple[str, ...]
    extra: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many documents differ."""
        return sum(map(len, self))

    def __str__(self) -> str:
        kinds = (("missing from it", self.missing), ("only in it", self.extra), ("with another content", self.other))
        return (
            "; ".join(f"{len(paths)} {kind} ({_format_first_paths(paths)})" for kind, paths in kinds if paths)
            or "no document differs"
        )


def _format_first_paths(paths: tuple[str, ...]) -> str:
    more = [f"and {len(paths) - NAMED} more"] if len(paths) > NAMED else []
    return ", ".join([*paths[:NAMED], *more])


def place_candidate(corpus: Corpus, name: str) -> Corpus:
    """Return the place of a candidate, which need not be there yet.

    Raises:
        InputError: the name is no name for a folder, or `corpus` is itself a candidate.
        CorpusError: nothing has been published there that a candidate could stand beside.
    """
    if not NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name for a candidate: use letters, digits, dots, dashes and underscores, 64 at most")
    if corpus.home:
        raise InputError(f"{corpus} is itself a candidate, of {corpus.home}: name that corpus")
    published.read_live_generation(corpus)
    return corpus.candidate(name)


def find_candidate(corpus: Corpus, name: str) -> Corpus:
    """Return a candidate that was begun.

    Raises:
        CorpusError: there is none of that name.
    """
    names = list_candidates(corpus)
    if name not in names:
        there = ", ".join(names) or "none"
        raise CorpusError(
            f"{corpus} has no candidate {name}, there are: {there}: see pagemill candidates, or build it with refresh --candidate"
        )
    return corpus.candidate(name)


def list_candidates(corpus: Corpus) -> list[str]:
    """Return the names of the candidates that were begun, in order."""
    return sorted(path.parent.name for path in corpus.candidates.glob(f"*/{PRIVATE}") if NAME.fullmatch(path.parent.name))


def describe_candidates(corpus: Corpus) -> list[dict[str, Any]]:
    """Return a row for each candidate: its generation (None before the first), counts, recipe and the documents that differ."""
    live = published.read_live_generation(corpus)
    return [_describe_candidate(corpus, live, name) for name in list_candidates(corpus)]


def _describe_candidate(corpus: Corpus, live: Generation, name: str) -> dict[str, object]:
    candidate = corpus.candidate(name)
    found = published.read_newest_generation(candidate)
    if found is None:
        return {"candidate": name, "generation": None, "state": "not published yet: refresh it again, it goes on where it was"}
    unlike = find_differences(corpus, live, candidate, found)
    return {
        "candidate": name,
        "generation": found.generation,
        "published_at": found.published_at,
        "documents": found.counts["n_documents"],
        "n_chunks": found.counts["n_chunks"],
        "recipe": found.recipe,
        "changes": list_recipe_differences(live.recipe_details, found.recipe_details),
        "differing": unlike._asdict(),
        "state": f"differs from the corpus: {unlike}" if unlike.n else "has the documents of the corpus",
    }


def find_differences(corpus: Corpus, live: Generation, candidate: Corpus, found: Generation) -> Differences:
    """Return the documents that only the live generation or only the candidate has, or that differ in content or metadata.

    Metadata is compared if both declare the same columns.
    """
    alike = live.columns == found.columns
    return compare_documents(_read_documents(corpus, live, alike), _read_documents(candidate, found, alike))


def _read_documents(corpus: Corpus, found: Generation, with_metadata: bool) -> dict[str, DocumentState]:
    names = ["path", "sha256", *(["metadata_hash"] if with_metadata else [])]
    rows = published.read_columns(corpus, found, "documents", ["document_id", *names])
    columns = [rows[name].to_pylist() for name in names]
    return dict(zip(rows["document_id"].to_pylist(), map(DocumentState, *columns), strict=True))


def discard_candidate(corpus: Corpus, name: str) -> None:
    """Delete a candidate and all that was computed for it alone.

    Raises:
        CorpusError: there is no such candidate.
        ConflictError: a refresh of it is running.
    """
    candidate = find_candidate(corpus, name)
    with hold_candidate(candidate, f"giving up candidate {name} of {corpus}"):
        delete_candidate(corpus, candidate)


@contextmanager
def hold_candidate(candidate: Corpus, what: str) -> Iterator[None]:
    """Hold a candidate, so that no refresh of it begins; `what` tells others what for.

    Raises:
        ConflictError: a refresh of it is running.
    """
    with hold_lock(candidate.lock("refresh"), 0, what):
        yield


def delete_candidate(corpus: Corpus, candidate: Corpus) -> None:
    """Delete a candidate that is held. It is moved away first, so that nobody ever sees half of one.

    In a store, what publishes it goes first, and its name last: one that is half deleted is one that was never published.
    """
    if corpus.is_in_store:
        for part in (*map(candidate.table, ("generations", *VERSIONED)), candidate.folder):
            delete_tree(part)
        return
    with make_temporary_folder(corpus.private) as folder:
        os.replace(candidate.folder, folder / "candidate")


def compare_documents(live: Mapping[str, DocumentState], candidate: Mapping[str, DocumentState]) -> Differences:
    """Compare the documents of the live generation with those of a candidate, both by document id.

    >>> live = {"1": DocumentState("a.txt", "x"), "2": DocumentState("b.txt", "y")}
    >>> str(compare_documents(live, {"2": DocumentState("b.txt", "z")}))
    '1 missing from it (a.txt); 1 with another content (b.txt)'
    """
    return Differences(
        tuple(sorted(held.path for name, held in live.items() if name not in candidate)),
        tuple(sorted(held.path for name, held in candidate.items() if name not in live)),
        tuple(sorted(held.path for name, held in live.items() if name in candidate and candidate[name] != held)),
    )
