"""Tests for a fall of quality after each nightly evaluation: a sudden one since the night before, a slow one over 30 nights.

Both tests look at documents, because questions about one document rise and fall together. The change of a document is the sum
of the changes of its questions: the difference between two nights, or the rise of the line of least squares over the nights.
If nothing but chance moves scores, a change is as likely as its opposite, whatever its size, and however a document's nights
hang together. So a p value is the share of all ways to turn the signs of the documents that fall as much as what was seen
(Fisher's randomization test of one sample, one-sided). A fall that is over by the last night is none: the slow one counts only
if the last night lies below the mean of those before.

What is guaranteed: the two tests are corrected together, by the smaller of their p values over the same turned signs (Westfall
and Young, Resampling-Based Multiple Testing, 1993), so that a quiet night raises an alarm with a probability of `level` at most.
Over 30 quiet nights there are 30 times `level` false alarms on average at most; those of the slow fall come in runs, as two
windows have 29 nights in common. An alarm that is also `lasting` has passed a thirtieth of the level: in a whole month of quiet
nights there is one with a probability of `level` at most (Bonferroni's bound, however nights hang together).
What moves all documents at once by chance, or only a few documents, cannot be told apart from a fall by any test of documents.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.evaluate.comparison import PERMUTATIONS, TIE

WINDOW = 30
"""Nights that are looked at."""

FEWEST_NIGHTS = 5
"""A question needs scores of so many nights to have a slope."""

FEWEST_DOCUMENTS = 6
"""With fewer documents there are too few ways to turn signs, and questions are turned instead."""

LEVEL, SEED = 0.05, 0
SIGNS_AT_ONCE = 1_000_000

Unit = Literal["document", "question"]
Values = NDArray[np.float64]


class Fall(NamedTuple):
    """What one test found: the mean change of a question's score (negative: worse) and its one-sided p value, not corrected.

    `unit` is what was taken to vary on its own. `n_units` of them have changed at all. With `question`, the level holds only
    if questions about one document do not rise and fall together.
    """

    change: float
    p: float
    n_questions: int
    n_units: int
    unit: Unit


class Alarm(NamedTuple):
    """The result of both tests. One without enough nights or common questions is None; `p` is that of both, 1 if both are None.

    See the module for `lasting`.
    """

    raised: bool
    lasting: bool
    p: float
    sudden: Fall | None
    slow: Fall | None
    n_nights: int
    level: float

    @property
    def message(self) -> str:
        """Return in one line what fell by how many points, or why nothing can be said."""
        tests = (("since the night before", self.sudden), (f"in a trend over {self.n_nights} nights", self.slow))
        if self.sudden is None and self.slow is None:
            return "no alarm: there is no earlier evaluation with the same questions"
        falls = [
            f"{100 * fall.change:+.1f} points {since} (p {fall.p:.4f}, {fall.n_questions} questions, by {fall.unit})"
            for since, fall in tests
            if fall and (fall.p <= self.p or not self.raised)
        ]
        return f"{'alarm' if self.raised else 'no alarm'}: {'; '.join(falls)}"


def detect_drift(nights: Sequence[Mapping[str, float]], documents: Mapping[str, str]) -> Alarm:
    """Return whether the last of `nights`, the oldest first, has fallen. A night has the value of one metric for each question.

    All nights must have one recipe: a change that was wanted is no drift. Only the last WINDOW nights count, and only questions
    of the last night that `documents` gives a document.
    """
    window = [night for night in nights if night][-WINDOW:]
    names = [name for name in window[-1] if name in documents] if window else []
    if not names:
        return Alarm(False, False, 1.0, None, None, len(window), LEVEL)
    values = np.array([[night.get(name, np.nan) for night in window] for name in names])
    changes = np.column_stack([measure_last_rises(values), fit_rises(values), _measure_rises_above_mean(values)])
    there = ~np.isnan(changes)
    unit, totals = _sum_changes_by_unit(np.where(there, changes, 0.0), [documents[name] for name in names])
    sums = sum_sign_flips(totals[(abs(totals) > TIE).any(axis=1)], SEED)
    # a trend counts only where the last night lies below the mean of the others: a fall that is over is none
    falls = np.column_stack([sums[:, 0], np.where(sums[:, 2] < -TIE, sums[:, 1], np.inf)])
    p_values = compute_p_values(falls)
    p = float(compute_p_values(p_values.min(axis=1, keepdims=True))[0, 0])
    sudden, slow = (
        Fall(float(totals[:, at].sum() / n), float(p_values[0, at]), n, int((abs(totals[:, at]) > TIE).sum()), unit)
        if n
        else None
        for at, n in enumerate(there.sum(axis=0).tolist()[:2])
    )
    return Alarm(p <= LEVEL, p <= LEVEL / WINDOW, p, sudden, slow, len(window), LEVEL)


def measure_last_rises(values: Values) -> Values:
    """Return how much each row rises from its last column but one to its last; NaN if it lacks one of them."""
    return values[:, -1] - values[:, -2] if values.shape[1] > 1 else np.full(len(values), np.nan)


def fit_rises(values: Values) -> Values:
    """Return how much each row rises from its first column to its last, on the line of least squares.

    NaN is a night without the question; a row with fewer than FEWEST_NIGHTS values has no line, and is NaN.
    """
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    enough = n >= FEWEST_NIGHTS
    nights = np.where(there, np.arange(values.shape[1], dtype=np.float64), 0.0)
    x = np.where(there, nights - (nights.sum(axis=1) / np.maximum(n, 1))[:, None], 0.0)
    squares = np.where(enough, (x * x).sum(axis=1), 1.0)
    slopes = (x * np.where(there, values, 0.0)).sum(axis=1) / squares
    return np.where(enough, slopes * (values.shape[1] - 1), np.nan)


def _measure_rises_above_mean(values: Values) -> Values:
    """Return how far the last column of each row lies above the mean of the others; NaN if the row has no trend."""
    before = values[:, :-1]
    n = (~np.isnan(before)).sum(axis=1)
    return np.where(n + 1 >= FEWEST_NIGHTS, values[:, -1] - np.nansum(before, axis=1) / np.maximum(n, 1), np.nan)


def _sum_changes_by_unit(changes: Values, named: Sequence[str]) -> tuple[Unit, Values]:
    """Return what varies on its own, and a row for each of these: the sums of the rows of `changes`, one for each question."""
    numbers = {name: at for at, name in enumerate(dict.fromkeys(named))}
    if len(numbers) < FEWEST_DOCUMENTS:
        return "question", changes
    totals = np.zeros((len(numbers), changes.shape[1]))
    np.add.at(totals, [numbers[name] for name in named], changes)
    return "document", totals


def sum_sign_flips(totals: Values, seed: int) -> Values:
    """Return the sums of the columns of `totals` for all ways to turn the signs of its rows, the way that was seen first.

    If there are more than PERMUTATIONS ways, it is so many random ones after the first.
    """
    n = len(totals)
    if 2**n <= PERMUTATIONS:
        every = np.array(list(product((1.0, -1.0), repeat=n))).reshape(2**n, n)
        return np.asarray(every @ totals)
    draw, step = np.random.default_rng(seed), max(1, SIGNS_AT_ONCE // n)
    sizes = (min(step, PERMUTATIONS - at) for at in range(0, PERMUTATIONS, step))
    drawn = ((draw.integers(0, 2, (size, n), dtype=np.int8) * 2.0 - 1) @ totals for size in sizes)
    return np.concatenate([totals.sum(axis=0, keepdims=True), *drawn])


def compute_p_values(values: Values) -> Values:
    """Return for each value the share of its column that is not above it: the p value of each way to turn signs.

    >>> compute_p_values(np.array([[3.0], [1.0], [1.0], [2.0]])).ravel().tolist()
    [1.0, 0.5, 0.5, 0.75]
    """
    columns = (np.searchsorted(np.sort(column), column + TIE, side="right") for column in values.T)
    return np.column_stack(list(columns)) / len(values)
