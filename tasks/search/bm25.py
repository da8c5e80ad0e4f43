"""BM25 over a few short texts: the descriptions of figures, or the chunks of one document."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tasks.search.ranking import LEXICAL_WEIGHT
from tasks.search.words import FUNCTION_WORDS, idf, split_into_singular_words

K1, B = 1.2, 0.75
"""The usual values for the saturation of repeated words, and for the weight of the text length."""
MOST_IN_DOCUMENT = 60
"""How many chunks of a scanned document take part in ranking, beside their neighbours."""

_BREAK = "\n"


def bm25(question: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 score of each text for a question; 0 if they share no word.

    >>> [round(score, 2) for score in bm25("red kite", ["A red kite.", "A kite.", "Nothing."])]
    [1.2, 0.47, 0.0]
    """
    counts = [Counter(split_into_singular_words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    scores = [0.0] * len(texts)
    for word in dict.fromkeys(split_into_singular_words(question)):
        having = [n for n, count in enumerate(counts) if word in count]
        weight = idf(len(having), len(texts))
        for n in having:
            times = counts[n][word]
            scores[n] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[n] / mean))
    return scores


def score_chunks_by_bm25(
    question: str, texts: Sequence[str], discounts: Mapping[str, float] = MappingProxyType({})
) -> NDArray[np.float64]:
    """Return the BM25 of each chunk of one document among these chunks, divided by the best; 0 if none matches.

    A word that nearly all of them have counts little. A word that names the document counts 1 minus its discount.

    >>> score_chunks_by_bm25("red kite", ["A red kite.", "A red fox.", "A red hen."]).round(2).tolist()
    [1.0, 0.12, 0.12]
    """
    folded = [text.casefold() for text in texts]
    lengths = np.array([len(text) for text in folded], dtype=float)
    starts = np.cumsum([0.0, *(lengths + len(_BREAK))])
    whole = _BREAK.join(folded)
    short = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0)) if folded else lengths
    scores = np.zeros(len(texts))
    for word in dict.fromkeys(split_into_singular_words(question)):
        if len(word) > 1 and word not in FUNCTION_WORDS:
            times = _count_word_in_chunks(word, whole, starts)
            weight = (1.0 - discounts.get(word, 0.0)) * idf(int(np.count_nonzero(times)), len(texts))
            scores += weight * times * (K1 + 1) / np.maximum(times + short, 1e-9)
    best = scores.max(initial=0.0)
    return scores / best if best else scores


def _count_word_in_chunks(word: str, whole: str, starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often a word, or its plural, stands in each chunk; `starts` are those of the chunks in the `whole` text."""
    # One search of the joined text is faster than one of each chunk.
    found = [match.start() for match in re.finditer(rf"{re.escape(word)}s?\b", whole)]
    places = [at for at in found if not at or not (whole[at - 1].isalnum() or whole[at - 1] == "_")]
    numbers = np.searchsorted(starts, np.array(places, dtype=float), side="right") - 1
    return np.bincount(numbers, minlength=len(starts) - 1).astype(float)


def choose_chunks_of_document(
    scores: NDArray[np.float64], cosines: NDArray[np.float32], candidates: NDArray[np.bool_]
) -> dict[int, float]:
    """Return the chunks of one document that can be results, by their numbers, with their `scores`, see `score_chunks_by_bm25`.

    These are the chunks that are `candidates` already, those with the best sums of cosine and score, and their neighbours. All
    arguments have a value for each chunk.
    """
    sums = np.asarray(cosines, dtype=float) + LEXICAL_WEIGHT * scores
    best = np.argsort(-sums, kind="stable")[:MOST_IN_DOCUMENT]
    chosen = np.flatnonzero(candidates).tolist() + best.tolist() + (best - 1).tolist() + (best + 1).tolist()
    return {number: float(scores[number]) for number in sorted({*chosen}) if 0 <= number < len(scores)}
