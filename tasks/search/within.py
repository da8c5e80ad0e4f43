"""Within: BM25 of a document's chunks among themselves: what stands in nearly all of them counts little."""

import re
from collections.abc import Mapping, Sequence
from math import log
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tasks.search.bm25 import K1, B, words
from tasks.search.ranking import LEXICAL_WEIGHT
from tasks.search.trimming import FUNCTION_WORDS

CANDIDATES_WITHIN = 60
"""How many chunks of a document that is looked into take part in ranking, with their neighbours."""

_BREAK = "\n"


def within(question: str, texts: Sequence[str], spent: Mapping[str, float] = MappingProxyType({})) -> NDArray[np.float64]:
    """Return the BM25 of each chunk of one document for a question, among these chunks, divided by the best; 0 if none matches.

    Words count by 1 minus what is `spent` of them, because they name the document.

    >>> within("red kite", ["A red kite.", "A red fox.", "A red hen."]).round(2).tolist()
    [1.0, 0.12, 0.12]
    """
    folded = [text.casefold() for text in texts]
    lengths = np.array([len(text) for text in folded], dtype=float)
    starts = np.cumsum([0.0, *(lengths + len(_BREAK))])
    whole = _BREAK.join(folded)
    short = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0)) if folded else lengths
    scores = np.zeros(len(texts))
    for word in dict.fromkeys(words(question)):
        if len(word) > 1 and word not in FUNCTION_WORDS:
            times = _times(word, whole, starts)
            n_having = int(np.count_nonzero(times))
            rarity = log(1 + (len(texts) - n_having + 0.5) / (n_having + 0.5))
            scores += (1.0 - spent.get(word, 0.0)) * rarity * times * (K1 + 1) / np.maximum(times + short, 1e-9)
    best = scores.max(initial=0.0)
    return scores / best if best else scores


def _times(word: str, whole: str, starts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often a word, or its plural, stands in each chunk."""
    found = [match.start() for match in re.finditer(rf"{re.escape(word)}s?\b", whole)]
    places = [at for at in found if not at or not (whole[at - 1].isalnum() or whole[at - 1] == "_")]
    numbers = np.searchsorted(starts, np.array(places, dtype=float), side="right") - 1
    return np.bincount(numbers, minlength=len(starts) - 1).astype(float)


def best_within(words_share: NDArray[np.float64], cosines: NDArray[np.float32], known: NDArray[np.bool_]) -> dict[int, float]:
    """Return the shares of `within` of those chunks of one document that can be results, by their numbers.

    These are the chunks that are `known`, those with the best sums of cosine and words, and the neighbours of these. All
    arguments have a value for each chunk.
    """
    scores = np.asarray(cosines, dtype=float) + LEXICAL_WEIGHT * words_share
    best = np.argsort(-scores, kind="stable")[:CANDIDATES_WITHIN]
    chosen = np.flatnonzero(known).tolist() + best.tolist() + (best - 1).tolist() + (best + 1).tolist()
    return {number: float(words_share[number]) for number in sorted({*chosen}) if 0 <= number < len(words_share)}
