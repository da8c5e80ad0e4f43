"""Scores that are drawn: questions with a known mean, pairs with a known difference, nights on which nothing happens."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.evaluate.comparison import Pair

Values = NDArray[np.float64]
Draw = np.random.Generator


class Nights(NamedTuple):
    """Scores with a row for each question and a column for each night, and the document of each question."""

    values: Values
    documents: dict[str, str]

    def scores(self, first: int, last: int) -> list[dict[str, float]]:
        """Return the scores by question of the nights `first` to `last`, half-open."""
        names = list(self.documents)
        return [dict(zip(names, night.tolist(), strict=True)) for night in self.values[:, first:last].T]


def questions_of(n_documents: int, n_questions: int, draw: Draw) -> NDArray[np.int64]:
    """Return the document of each question; every document has one at least, and some have many."""
    shares = draw.dirichlet(np.full(n_documents, 2.0))
    more = draw.choice(n_documents, n_questions - n_documents, p=shares)
    return np.sort(np.concatenate([np.arange(n_documents), more]))


def whole_or_nothing(n: int, share: float, draw: Draw) -> Values:
    """Return `n` scores of 0 or 1, of which `share` are 1, as hit rates are."""
    return (draw.random(n) < share).astype(np.float64)


def partly(n: int, draw: Draw) -> Values:
    """Return `n` scores in [0, 1] with a mean of 0.2 and a long tail, as IoU has; a fifth of them are 0."""
    return np.where(draw.random(n) < 0.2, 0.0, draw.beta(1.0, 3.0, n))


def drawn_pairs(n_documents: int, n_questions: int, effect: float, common: float, own: float, draw: Draw) -> list[Pair]:
    """Return pairs whose difference is `effect` on average, with a normal part that a document's questions have in `common`.

    `common` and `own`, the part of each question alone, are standard deviations.
    """
    of = questions_of(n_documents, n_questions, draw)
    differences = effect + draw.normal(0, common, n_documents)[of] + draw.normal(0, own, n_questions)
    before = draw.uniform(0, 1, n_questions)
    return [
        Pair(str(at), str(document), float(a), float(a + difference))
        for at, (document, a, difference) in enumerate(zip(of.tolist(), before, differences, strict=True))
    ]


def trembling_nights(n_nights: int, n_documents: int, n_questions: int, draw: Draw) -> Nights:
    """Return nights whose scores tremble around a level: each document's part stays by four fifths until the next night."""
    of = questions_of(n_documents, n_questions, draw)
    common = np.empty((n_documents, n_nights))
    common[:, 0] = draw.normal(0, 0.03, n_documents)
    for night in range(1, n_nights):
        common[:, night] = 0.8 * common[:, night - 1] + draw.normal(0, 0.03 * 0.6, n_documents)
    own = draw.normal(0, 0.05, (n_questions, n_nights))
    level = draw.beta(4, 2, n_questions)
    return Nights(np.clip(level[:, None] + common[of] + own, 0, 1), _names(of))


def edited_nights(n_nights: int, n_documents: int, n_questions: int, draw: Draw, share: float = 0.02) -> Nights:
    """Return nights of which each edits a `share` of the documents: half of their questions are then found or not by chance.

    The chance of a document is the same on all nights, so that nights of the beginning are like those of the end.
    """
    of = questions_of(n_documents, n_questions, draw)
    chance = draw.beta(4, 1, n_documents)[of]
    values = np.empty((n_questions, n_nights))
    values[:, 0] = draw.random(n_questions) < chance
    for night in range(1, n_nights):
        edited = (draw.random(n_documents) < share)[of] & (draw.random(n_questions) < 0.5)
        values[:, night] = np.where(edited, draw.random(n_questions) < chance, values[:, night - 1])
    return Nights(values, _names(of))


def with_slow_fall(nights: Nights, points: float, draw: Draw) -> Nights:
    """Return the nights with a mean that falls by `points` from the first to the last: questions are lost one by one."""
    values = nights.values.copy()
    for question in _lose_questions(values[:, -1], points, draw):
        values[question, draw.integers(1, values.shape[1]) :] = 0
    return Nights(values, nights.documents)


def with_sudden_fall(nights: Nights, points: float, draw: Draw) -> Nights:
    """Return the nights with a mean that is lower by `points` in the last: some questions are lost."""
    values = nights.values.copy()
    values[_lose_questions(values[:, -1], points, draw), -1] = 0
    return Nights(values, nights.documents)


def _lose_questions(last: Values, points: float, draw: Draw) -> list[int]:
    """Return questions, drawn at random, without whose scores the mean of `last` is lower by `points`."""
    order = [at for at in draw.permutation(len(last)).tolist() if last[at] > 0]
    reached = np.cumsum(last[order]) / len(last) * 100
    return order[: int(np.searchsorted(reached, points)) + 1]


def _names(of: NDArray[np.int64]) -> dict[str, str]:
    return {f"q{at}": f"d{document}" for at, document in enumerate(of.tolist())}
