"""Nearness: how near each sentence of a passage is to a question, from the cosines of chunks alone.

A chunk's cosine is that of its middle. Between the middles of two chunks that follow each other, it changes evenly: a sentence at
the edge of a chunk has something of both. Nothing is embedded for it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tasks.chunk.sentences import Span
from tasks.search.neighbours import Candidate
from tasks.search.ranking import Place

BASE_RANK = 60
"""The cosine of the chunk at this rank is that of a chunk which says nothing of the question. It differs from model to model."""
BASE_SHARE = 0.5
"""Where there are fewer chunks, it is this share of the best one's."""


class Near(NamedTuple):
    """The cosines of the chunks that were found for a question, by their places, and that of one which says nothing of it."""

    cosines: Mapping[Place, float]
    base: float


def base_of(cosines: Sequence[float]) -> float:
    """Return the cosine of a chunk that says nothing of the question; `cosines` are those of the nearest chunks, best first.

    >>> base_of([0.8, 0.7]), base_of([])
    (0.4, 0.0)
    """
    return cosines[BASE_RANK - 1] if len(cosines) >= BASE_RANK else BASE_SHARE * max(cosines, default=0.0)


def nearness(spans: Sequence[Span], passage: Sequence[Candidate], near: Near) -> list[float]:
    """Return for each span of a passage how much its cosine exceeds the base. A chunk that was not found is at the base."""
    chunks = sorted(passage, key=lambda chunk: chunk.position)
    first, last = chunks[0], chunks[-1]
    beside = [Place(first.document_id, first.position - 1), Place(last.document_id, last.position + 1)]
    before, after = (near.cosines.get(place, near.base) - near.base for place in beside)
    middles = [(chunk.start + chunk.end) / 2 for chunk in chunks]
    values = [near.cosines[Place(chunk.document_id, chunk.position)] - near.base for chunk in chunks]
    if first.position:
        middles, values = [middles[0] - (first.end - first.start), *middles], [before, *values]
    middles, values = [*middles, middles[-1] + (last.end - last.start)], [*values, after]
    found: list[float] = np.interp([(start + end) / 2 for start, end in spans], middles, values).tolist()
    return found
