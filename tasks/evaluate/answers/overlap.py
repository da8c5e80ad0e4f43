"""Overlap: exact match and token F1 of an answer and the expected one, as in SQuAD (Rajpurkar et al., 2016 and 2018)."""

import re
import string
from collections import Counter

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def split_words(text: str) -> list[str]:
    """Return the words of a text that count: in lower case, without the punctuation of ASCII and without English articles.

    >>> split_words("The heron's  nest, (a big one).")
    ['herons', 'nest', 'big', 'one']
    """
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def exact_match(answer: str, expected: str) -> float:
    """Return 1 if both have the same words in the same order, else 0."""
    return float(split_words(answer) == split_words(expected))


def token_f1(answer: str, expected: str) -> float:
    """Return the harmonic mean of the shares of words that both have in common; a word counts as often as both have it.

    If one has no words, 1 if the other has none either, else 0.

    >>> token_f1("in the shallow water", "shallow water")
    0.8
    """
    given, wanted = split_words(answer), split_words(expected)
    if not given or not wanted:
        return float(given == wanted)
    common = (Counter(given) & Counter(wanted)).total()
    return 2 * common / (len(given) + len(wanted))
