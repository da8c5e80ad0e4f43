"""What leaving a pass out changes, and whether that is more than chance."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

SAMPLES, SEED = 4000, 7
"""Samples of a bootstrap, and what its chance begins with."""
LEAST, MOST = 2.5, 97.5
"""Ends of the interval, in percent."""


class Worth(NamedTuple):
    """The mean of a score with a pass minus that without it, and the ends of its interval of 95 % over documents."""

    mean: float
    low: float
    high: float

    @property
    def helps(self) -> bool:
        """Return whether the pass is worth more than chance."""
        return self.low > 0

    @property
    def hurts(self) -> bool:
        """Return whether the score is better without the pass, by more than chance."""
        return self.high < 0


def compute_worth(whole: Mapping[str, float | None], without: Mapping[str, float | None]) -> Worth | None:
    """Return what a pass is worth, by the paired bootstrap; None if no document that has the score both times shows it.

    `whole` are the scores of all documents, `without` those of documents that are read differently without the pass.

    >>> compute_worth({"a": 0.9, "b": 0.8}, {"a": 0.9}), compute_worth({"a": None}, {"a": 0.5})
    (Worth(mean=0.0, low=0.0, high=0.0), None)
    """
    pairs = [(score, without.get(name, score)) for name, score in whole.items()]
    differences = [score - other for score, other in pairs if score is not None and other is not None]
    return _interval(differences) if differences and without else None


def _interval(differences: Sequence[float]) -> Worth:
    values = np.array(differences)
    if not values.any():
        return Worth(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(SEED).integers(0, len(values), (SAMPLES, len(values)))
    low, high = np.percentile(values[drawn].mean(axis=1), (LEAST, MOST))
    return Worth(float(values.mean()), float(low), float(high))
