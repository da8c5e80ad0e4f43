"""Profiles: the chunk lengths of a recipe's last generation. The lengths of the next generation must be similar."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

N_BINS = 16
SMOOTHING = 0.5
"""Added to the count of every bin (Jeffreys' prior), so that no length is impossible."""


class Profile(BaseModel):
    """A histogram of lengths in tokens: bin `edges`, and the share of each bin as `weights`. The last bin has its right edge."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    edges: tuple[float, ...] = Field(min_length=2)
    weights: tuple[float, ...] = Field(min_length=1)
    n: int = Field(ge=1, description="chunks that it was made from")
    mean: float = Field(ge=0, description="mean length in tokens")

    @model_validator(mode="after")
    def _is_a_distribution(self) -> Self:
        if len(self.edges) != len(self.weights) + 1 or list(self.edges) != sorted(set(self.edges)):
            raise ValueError("a profile needs rising edges, one more than weights")
        if min(self.weights) <= 0 or abs(sum(self.weights) - 1) > 1e-6:
            raise ValueError("a profile's weights must be positive and sum to 1")
        return self


def length_profile(lengths: Mapping[int, int], max_tokens: int) -> Profile:
    """Return the profile of chunk `lengths` (by length, how many chunks). Lengths above `max_tokens` count in the last bin.

    Raises:
        ValueError: there are no lengths.
    """
    import numpy as np

    n = sum(lengths.values())
    if not n:
        raise ValueError("no chunks, no profile")
    edges = np.linspace(0, max_tokens, min(N_BINS, max_tokens) + 1)
    weights = _counts(lengths, edges) + SMOOTHING
    return Profile(
        edges=tuple(edges.tolist()),
        weights=tuple((weights / weights.sum()).tolist()),
        n=n,
        mean=float(sum(length * times for length, times in lengths.items()) / n),
    )


def kl_divergence(lengths: Mapping[int, int], reference: Profile) -> float:
    """Return the divergence of the observed `lengths` from the `reference`, in nats; 0 if both are the same."""
    import numpy as np

    counts = _counts(lengths, np.asarray(reference.edges))
    observed, expected = counts / counts.sum(), np.asarray(reference.weights)
    seen = observed > 0
    return float(np.sum(observed[seen] * np.log(observed[seen] / expected[seen])))


def _counts(lengths: Mapping[int, int], edges: "Sequence[float] | NDArray[np.float64]") -> "NDArray[np.float64]":
    import numpy as np

    values, times = np.asarray(list(lengths), dtype=np.float64), np.asarray(list(lengths.values()), dtype=np.float64)
    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges, weights=times)
    return counts.astype(np.float64)
