"""InfoNCE: the loss of telling the chunk that answers a question from others, and its gradient, in NumPy.

The loss is that of van den Oord, Li and Vinyals (2018, arXiv:1807.03748); that the other questions' chunks are negatives too is
the way of Karpukhin et al. (DPR, 2020, arXiv:2004.04906).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Loss(NamedTuple):
    """The mean loss over the questions, and its gradients by the vectors of questions and of chunks, of their shapes."""

    value: float
    by_questions: Matrix
    by_chunks: Matrix


def info_nce(
    questions: Matrix, chunks: Matrix, positives: NDArray[np.int64], allowed: NDArray[np.bool_], temperature: float
) -> Loss:
    """Return the mean over questions of -log softmax(cosines / temperature) at the chunk that answers, and its gradients.

    Args:
        questions: vectors of shape (questions, dimension), each of length 1.
        chunks: vectors of shape (chunks, dimension), each of length 1.
        positives: for each question the row of the chunk that answers it.
        allowed: of shape (questions, chunks): whether a chunk takes part in a question's softmax. Positives always do.
        temperature: above 0; the lower, the more the hardest negatives count.
    """
    rows = np.arange(len(questions))
    taking_part = allowed.copy()
    taking_part[rows, positives] = True
    scores = np.where(taking_part, questions @ chunks.T / temperature, -np.inf)
    scores -= scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    sums = weights.sum(axis=1, keepdims=True)
    value = float(np.mean(np.log(sums[:, 0]) - scores[rows, positives]))
    by_scores = weights / sums
    by_scores[rows, positives] -= 1
    by_scores /= len(questions) * temperature
    return Loss(value, by_scores @ chunks, by_scores.T @ questions)
