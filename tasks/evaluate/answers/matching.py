"""Matching: BERTScore, which compares two texts by the states that an encoder gives their tokens."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

States = NDArray[np.float32]
"""The last layer's states of the tokens of a text, of shape (tokens, width), without those of special tokens."""


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
    cosines = _unit(answer) @ _unit(expected).T
    precision, recall = (float(np.clip(cosines.max(axis=axis).mean(), 0, 1)) for axis in (1, 0))
    both = precision + recall
    return Match(precision, recall, 2 * precision * recall / both if both else 0.0)


def _unit(states: States) -> States:
    unit: States = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), np.float32(1e-12))
    return unit
