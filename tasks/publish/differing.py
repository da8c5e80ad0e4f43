"""Differing documents: what stands between a corpus and a candidate that is to take its place."""

from collections.abc import Mapping
from typing import NamedTuple

NAMED = 5
"""Documents of each kind that a message names."""


class DocumentState(NamedTuple):
    """A document that a generation holds: its path, and what tells its content and metadata."""

    path: str
    sha256: str
    metadata_hash: str = ""


class Differences(NamedTuple):
    """Paths of documents, in order: that only the corpus has, that only the candidate has, and that both have, but not alike."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many documents differ."""
        return sum(map(len, self))

    def __str__(self) -> str:
        kinds = (("missing from it", self.missing), ("only in it", self.extra), ("with another content", self.other))
        return "; ".join(f"{len(paths)} {kind} ({_first(paths)})" for kind, paths in kinds if paths) or "no document differs"


def _first(paths: tuple[str, ...]) -> str:
    more = [f"and {len(paths) - NAMED} more"] if len(paths) > NAMED else []
    return ", ".join([*paths[:NAMED], *more])


def compare_documents(live: Mapping[str, DocumentState], candidate: Mapping[str, DocumentState]) -> Differences:
    """Compare the documents of both, given by their ids.

    >>> str(compare_documents({"1": DocumentState("a.txt", "x"), "2": Held("b.txt", "y")}, {"2": Held("b.txt", "z")}))
    '1 missing from it (a.txt); 1 with another content (b.txt)'
    """
    return Differences(
        tuple(sorted(held.path for name, held in live.items() if name not in candidate)),
        tuple(sorted(held.path for name, held in candidate.items() if name not in live)),
        tuple(sorted(held.path for name, held in live.items() if name in candidate and candidate[name] != held)),
    )
