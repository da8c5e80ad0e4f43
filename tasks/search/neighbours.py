"""Passages: neighbouring chunks that were found together become one result."""

from collections.abc import Sequence
from typing import NamedTuple


class Candidate(NamedTuple):
    """A chunk that was found: the id of its row, its document, its position and span in the document, and its kind.

    `sentence_ends`: where its sentences end, from its start on; None if that is not known.
    """

    chunk_id: str
    document_id: str
    position: int
    start: int
    end: int
    kind: str = "text"
    sentence_ends: Sequence[int] | None = None


def join_neighbours(ranked: Sequence[Candidate], most: int) -> list[list[Candidate]]:
    """Return at most `most` passages, best first. A passage is a list of chunks that follow each other, its best chunk first.

    In order of rank, a candidate joins the first passage that has a chunk next to it. Otherwise it starts a new passage, if
    there are fewer than `most`.
    """
    passages: list[list[Candidate]] = []
    for candidate in ranked:
        beside = next((passage for passage in passages if _touches(passage, candidate)), None)
        if beside is not None:
            beside.append(candidate)
        elif len(passages) < most:
            passages.append([candidate])
    return passages


def _touches(passage: Sequence[Candidate], candidate: Candidate) -> bool:
    return any(_are_neighbours(found, candidate) for found in passage)


def _are_neighbours(one: Candidate, other: Candidate) -> bool:
    """Return whether two chunks follow each other. A figure has no neighbours, because it is complete on its own."""
    if "figure" in (one.kind, other.kind):
        return False
    return one.document_id == other.document_id and abs(one.position - other.position) == 1
