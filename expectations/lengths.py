"""Lengths: how many chunks have which length. What a corpus keeps of its chunks, so that a refresh need not read them all."""

from collections import Counter
from collections.abc import Mapping
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict


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
    def possible(self) -> bool:
        """Whether no number is negative: more chunks were taken away than there were if one is."""
        return all(n > 0 for counts in self.model_dump().values() for n in counts.values())

    def __add__(self, other: "Lengths") -> Self:
        return self._merged(other, 1)

    def __sub__(self, other: "Lengths") -> Self:
        return self._merged(other, -1)

    def _merged(self, other: "Lengths", sign: int) -> Self:
        mine, theirs = self.model_dump(), other.model_dump()
        return type(self)(**{name: _merged(mine[name], theirs[name], sign) for name in mine})


def _merged(one: Mapping[int, int], other: Mapping[int, int], sign: int) -> dict[int, int]:
    found = Counter(one)
    for length, n in other.items():
        found[length] += sign * n
    return {length: n for length, n in sorted(found.items()) if n}


def lengths_of(chunks: pa.Table, alone: pa.Array) -> Lengths:
    """Return the lengths of chunks (document_id, n_tokens, n_chars). `alone` are ids of the documents that have one chunk."""
    several = pc.invert(pc.is_in(chunks["document_id"], value_set=alone))
    return Lengths(
        tokens=_counted(chunks["n_tokens"]),
        cut=_counted(chunks["n_tokens"].filter(several)),
        chars=_counted(chunks["n_chars"]),
    )


def _counted(values: pa.ChunkedArray) -> dict[int, int]:
    counted = pc.value_counts(values)
    pairs = zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True)
    return dict(sorted(pairs))
