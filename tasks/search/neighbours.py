"""Passages: neighbouring chunks that were found together are one result."""

from collections.abc import Sequence
from typing import NamedTuple


class Candidate(NamedTuple):
    """A chunk that was found: its row's id, its document and position there, its span and kind."""

    chunk_id: str
    document_id: str
    position: int
    start: int
    end: int
    kind: str = "text"


def join_neighbours(ranked: Sequence[Candidate], most: int) -> list[list[Candidate]]:
    """Return at most `most` passages, best first, each of chunks that follow each other; its first chunk is the best one.

    In order of rank, a candidate joins the first passage that holds a chunk next to it, or opens one while there are fewer than
    `most`.
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
    """Tell whether two chunks follow each other. A figure is whole by itself: what stands beside it is something else."""
    if "figure" in (one.kind, other.kind):
        return False
    return one.document_id == other.document_id and abs(one.position - other.position) == 1
