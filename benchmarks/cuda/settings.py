"""How much is measured, and on what."""

import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from benchmarks.cuda.card import Card
from benchmarks.cuda.results import Results
from benchmarks.cuda.texts import drawn_texts


class Shape(NamedTuple):
    """The shape of a BERT of drawn weights."""

    hidden: int
    layers: int
    heads: int
    inner: int


class Sizes(NamedTuple):
    """How much of everything."""

    chunks: int
    trial_chunks: int
    large_chunks: int
    large_trial: int
    equal_texts: int
    memory_texts: int
    pictures: int
    pages: int
    process_texts: int
    rounds: int
    large: Shape
    vit_layers: int
    peer_batches: tuple[int, ...]
    peer_dtypes: tuple[str, ...]


FULL = Sizes(
    chunks=100_000,
    trial_chunks=8_192,
    large_chunks=16_384,
    large_trial=2_048,
    equal_texts=2_000,
    memory_texts=24_576,
    pictures=1_024,
    pages=8_000,
    process_texts=50_000,
    rounds=3,
    large=Shape(hidden=1024, layers=24, heads=16, inner=4096),
    vit_layers=12,
    peer_batches=(256, 1024, 4096),
    peer_dtypes=("float16", "bfloat16"),
)
"""For a GPU with 16 cores: about four minutes."""

SMALL = Sizes(
    chunks=16,
    trial_chunks=8,
    large_chunks=16,
    large_trial=8,
    equal_texts=16,
    memory_texts=120,
    pictures=4,
    pages=10,
    process_texts=10,
    rounds=1,
    large=Shape(hidden=64, layers=2, heads=2, inner=128),
    vit_layers=1,
    peer_batches=(32,),
    peer_dtypes=("float32",),
)
"""For two cores without a GPU: whether everything runs, not how fast it is."""


@dataclass(frozen=True)
class Setting:
    """The device, the sizes, a folder for what is drawn, and where results go. `ends` is when no further part begins."""

    card: Card
    sizes: Sizes
    folder: Path
    results: Results
    ends: float = field(default_factory=lambda: time.monotonic() + 1e9)

    @cached_property
    def texts(self) -> list[str]:
        """Chunks of a realistic mix of lengths, 128 tokens in the mean."""
        return drawn_texts(max(self.sizes.chunks, self.sizes.equal_texts, self.sizes.memory_texts))
