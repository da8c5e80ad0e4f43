"""BM25: scores short texts by the words that they share with a question."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from tasks.language.words import letter_pairs
from tasks.search.name_words import singular

WORD = re.compile(r"\w+")
K1, B = 1.2, 0.75
"""The usual values for the saturation of repeated words, and for the weight of the text length."""


def bm25(question: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 score of each text for a question; 0 if they share no word.

    >>> [round(score, 2) for score in bm25("red kite", ["A red kite.", "A kite.", "Nothing."])]
    [1.2, 0.47, 0.0]
    """
    counts = [Counter(words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    scores = [0.0] * len(texts)
    for word in dict.fromkeys(words(question)):
        holders = [n for n, count in enumerate(counts) if word in count]
        weight = log(1 + (len(texts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for n in holders:
            times = counts[n][word]
            scores[n] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[n] / mean))
    return scores


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without a plural s at the end; pairs of letters where no blanks part words.

    >>> words("Charts of 2 glass boxes")
    ['chart', 'of', '2', 'glass', 'boxe']
    """
    found = (piece for word in WORD.findall(text) for piece in letter_pairs(word.casefold()))
    return [singular(word) for word in found]
