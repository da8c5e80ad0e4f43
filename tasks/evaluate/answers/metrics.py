"""Metrics of an answer: BERTScore, exact match and F1 as in SQuAD, support by its context, entailment."""

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.embed.vectors import Vectors

States = NDArray[np.float32]
"""The last layer's states of the tokens of a text, of shape (tokens, width), without those of special tokens."""

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Match(NamedTuple):
    """Precision, recall and their harmonic mean, in [0, 1]."""

    precision: float
    recall: float
    f1: float


def bertscore(answer: States, expected: States) -> Match:
    """Match each token greedily with the most similar one of the other text, by cosine (Zhang et al., BERTScore, 2020).

    Precision is the mean over the answer's tokens, recall over those of the expected answer. No weights by rarity, no rescaling;
    a mean below 0 counts as 0. Without tokens on one side, all is 0.
    """
    if not len(answer) or not len(expected):
        return Match(0.0, 0.0, 0.0)
    cosines = _scale_to_unit_length(answer) @ _scale_to_unit_length(expected).T
    precision, recall = (float(np.clip(cosines.max(axis=axis).mean(), 0, 1)) for axis in (1, 0))
    both = precision + recall
    return Match(precision, recall, 2 * precision * recall / both if both else 0.0)


def _scale_to_unit_length(states: States) -> States:
    unit: States = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), np.float32(1e-12))
    return unit


def normalize_words(text: str) -> list[str]:
    """Return the words of a text that count: in lower case, without the punctuation of ASCII and without English articles.

    >>> normalize_words("The heron's  nest, (a big one).")
    ['herons', 'nest', 'big', 'one']
    """
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def exact_match(answer: str, expected: str) -> float:
    """Return 1 if both have the same words in the same order, else 0."""
    return float(normalize_words(answer) == normalize_words(expected))


def token_f1(answer: str, expected: str) -> float:
    """Return the harmonic mean of two shares: of the answer's words that are expected, and of the expected words in the answer.

    A word counts as often as it stands in both texts. If both are without words, the value is 1; if only one is, it is 0.

    >>> token_f1("in the shallow water", "shallow water")
    0.8
    """
    given, wanted = normalize_words(answer), normalize_words(expected)
    if not given or not wanted:
        return float(given == wanted)
    common = (Counter(given) & Counter(wanted)).total()
    return 2 * common / (len(given) + len(wanted))


def score_lexical_support(sentence: str, context: Sequence[str]) -> float:
    """Return the largest share of the distinct words of `sentence` that one sentence of `context` has, in [0, 1].

    A sentence without words that count claims nothing: 1.
    """
    words = set(normalize_words(sentence))
    if not words:
        return 1.0
    return max((len(words & set(normalize_words(other))) / len(words) for other in context), default=0.0)


def score_embedding_support(sentence: Vectors, context: Vectors) -> float:
    """Return the cosine of `sentence` with the nearest row of `context`, at least 0; 0 without context. All have length 1."""
    return float(np.clip((context @ sentence).max(), 0, 1)) if len(context) else 0.0


def average_faithfulness(lexical: Sequence[float], embedded: Sequence[float]) -> float:
    """Return the mean over the sentences of an answer of what supports each better: its words or its vector."""
    return float(np.mean([max(pair) for pair in zip(lexical, embedded, strict=True)]))


def find_entailment_label(labels: Mapping[int, str]) -> int | None:
    """Return the output whose label begins with `entail`, in any case; None if there is no such label, or more than one.

    >>> find_entailment_label({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})
    2
    """
    found = [number for number, label in labels.items() if label.lower().startswith("entail")]
    return found[0] if len(found) == 1 else None


def average_entailment(shares: Sequence[Sequence[float]]) -> float:
    """Return the mean over the sentences of an answer of the highest probability that a text of the context entails it.

    `shares` has one row for each sentence, with one probability for each text of the context. Without context, nothing follows.

    >>> average_entailment([[0.25, 1.0], [0.5, 0.0]])
    0.75
    """
    return sum(max(row, default=0.0) for row in shares) / len(shares)
