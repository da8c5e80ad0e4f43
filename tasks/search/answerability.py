"""Answerability: how likely it is that a corpus answers a question, from what its best chunk has in common with it."""

from collections.abc import Collection, Iterable, Mapping
from math import exp

SLOPE, MIDDLE = 5.5, 0.93
"""Fitted on questions of five kinds of corpora, each asked of its corpus with and without the documents that answer it."""

CALIBRATED = "all-MiniLM-L6-v2"
"""The embedder whose cosines were fitted; those of others lie elsewhere."""

UNANSWERED = 0.35
"""Below this, nothing in the corpus seems to answer. Of such questions 90 % of the five texts', 93 % of the notes', 84 % of the
manuals', 68 % of the quarterly reports' are unanswerable, each measured with what was fitted on the others. Where documents
differ in names and figures only (yearly reports, 58 %), a question about a missing one looks answered."""


def answer_probability(chunks: Iterable[tuple[float, Collection[str]]], weights: Mapping[str, float]) -> float:
    """Return the probability, in [0, 1], that one of the chunks answers a question; half of the questions asked had an answer.

    A chunk is its cosine to the question, and the words of the question that it has. `weights` has the weights of all of these,
    which sum to 1. What counts is the largest sum of a cosine and the weights of the words that the chunk has.

    >>> round(answer_probability([(0.7, {"heron", "eels"})], {"heron": 0.6, "eels": 0.4}), 2)
    0.99
    >>> round(answer_probability([(0.2, ())], {"heron": 0.6, "eels": 0.4}), 2)
    0.02
    """
    sums = (cosine + sum(weights[word] for word in words) for cosine, words in chunks)
    best = max(sums, default=None)
    return 0.0 if best is None else 1 / (1 + exp(-SLOPE * (best - MIDDLE)))
