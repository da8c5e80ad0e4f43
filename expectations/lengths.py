"""Lengths of chunks: the number of chunks of each length.

A corpus keeps these counts, so that a refresh need not read all chunks, and so that the lengths of the next generation can be
compared with them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Lengths(BaseModel):
    """Numbers of chunks by their length: `tokens` and `chars` of all chunks, `cut` by tokens of those not alone in a document."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    tokens: dict[int, int] = {}
    cut: dict[int, int] = {}
    chars: dict[int, int] = {}

    @property
    def n(self) -> int:
        """How many chunks there are."""
        return sum(self.tokens.values())

    @property
    def is_possible(self) -> bool:
        """Whether no count is negative. A negative one means that more chunks were taken away than there were."""
        return all(n > 0 for counts in self.model_dump().values() for n in counts.values())

    def __add__(self, other: "Lengths") -> Self:
        return self._add(other, 1)

    def __sub__(self, other: "Lengths") -> Self:
        return self._add(other, -1)

    def _add(self, other: "Lengths", sign: int) -> Self:
        mine, theirs = self.model_dump(), other.model_dump()
        return type(self)(**{name: _add_counts(mine[name], theirs[name], sign) for name in mine})


def _add_counts(one: Mapping[int, int], other: Mapping[int, int], sign: int) -> dict[int, int]:
    found = Counter(one)
    for length, n in other.items():
        found[length] += sign * n
    return {length: n for length, n in sorted(found.items()) if n}


def count_chunk_lengths(chunks: pa.Table, alone: pa.Array) -> Lengths:
    """Return the lengths of chunks (document_id, n_tokens, n_chars). `alone` are ids of the documents that have one chunk."""
    several = pc.invert(pc.is_in(chunks["document_id"], value_set=alone))
    return Lengths(
        tokens=_count_values(chunks["n_tokens"]),
        cut=_count_values(chunks["n_tokens"].filter(several)),
        chars=_count_values(chunks["n_chars"]),
    )


def _count_values(values: pa.ChunkedArray) -> dict[int, int]:
    counted = pc.value_counts(values)
    pairs = zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True)
    return dict(sorted(pairs))


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


def make_length_profile(lengths: Mapping[int, int], max_tokens: int) -> Profile:
    """Return the profile of chunk `lengths` (by length, how many chunks). Lengths above `max_tokens` count in the last bin.

    Raises:
        ValueError: there are no lengths.
    """
    import numpy as np

    n = sum(lengths.values())
    if not n:
        raise ValueError("no chunks, no profile")
    edges = np.linspace(0, max_tokens, min(N_BINS, max_tokens) + 1)
    weights = _count_lengths_in_bins(lengths, edges) + SMOOTHING
    return Profile(
        edges=tuple(edges.tolist()),
        weights=tuple((weights / weights.sum()).tolist()),
        n=n,
        mean=float(sum(length * times for length, times in lengths.items()) / n),
    )


def kl_divergence(lengths: Mapping[int, int], reference: Profile) -> float:
    """Return the divergence of the observed `lengths` from the `reference`, in nats; 0 if both are the same."""
    import numpy as np

    counts = _count_lengths_in_bins(lengths, np.asarray(reference.edges))
    observed, expected = counts / counts.sum(), np.asarray(reference.weights)
    seen = observed > 0
    return float(np.sum(observed[seen] * np.log(observed[seen] / expected[seen])))


def _count_lengths_in_bins(lengths: Mapping[int, int], edges: "Sequence[float] | NDArray[np.float64]") -> "NDArray[np.float64]":
    import numpy as np

    values, times = np.asarray(list(lengths), dtype=np.float64), np.asarray(list(lengths.values()), dtype=np.float64)
    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges, weights=times)
    return counts.astype(np.float64)
