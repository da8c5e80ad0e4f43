"""8 bits for BERT: which weights and activations share a burden (SmoothQuant), and weights as integers.

In a row with a few columns far above the others, the small ones are lost when it is rounded to 8 bits. So each column is divided
by a scale, and the weights that meet it are multiplied by the same: the product stays, and both sides are even enough.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.embed.bert import Array, Bert, Linear, compute_states

SAMPLES = 256
SHORTEST, LONGEST = 6, 48
"""Tokens of a sample, special ones aside."""
TOGETHER = 16
LEAST = 1e-4
"""Columns that hardly ever hold anything get no larger scale than this gives."""

Scales = dict[tuple[int, str], Array]
"""The scale of each column that a linear layer is given: by the number of its block, and its name."""


class Int8(NamedTuple):
    """Weights as integers, and the factor of each output."""

    weight: NDArray[np.int8]
    factor: Array


def sample_token_ids(n_words: int, special: list[int]) -> list[list[int]]:
    """Return the same token ids at every call, from the whole vocabulary, between the ids that stand around each text.

    Which columns stand out is a matter of the model, hardly of the text: chance does as well as prose, in every language.
    """
    chance = np.random.default_rng(0)
    lengths = chance.integers(SHORTEST, LONGEST, SAMPLES)
    half = len(special) // 2
    return [[*special[:half], *chance.integers(0, n_words, length).tolist(), *special[half:]] for length in lengths]


def calibrate_scales(bert: Bert, ids: list[list[int]]) -> tuple[Scales, list[Array]]:
    """Return the scales for `bert`, and the states of the tokens of each row of `ids` in float32."""
    largest: Scales = {}

    def record_peaks(number: int, name: str, given: Array) -> None:
        found, key = np.abs(given).max(axis=0), (number, name)
        largest[key] = np.maximum(largest[key], found) if key in largest else found

    made = [state for at in range(0, len(ids), TOGETHER) for state in compute_states(bert, ids[at : at + TOGETHER], record_peaks)]
    return {
        (number, name): _choose_scale(found, getattr(bert.blocks[number], name)) for (number, name), found in largest.items()
    }, made


def _choose_scale(largest: Array, layer: Linear) -> Array:
    """Share the range of a column between activations and weights. Powers of two, so that the last bits of both stay."""
    ratio = np.maximum(largest, LEAST) / np.maximum(np.abs(layer.weight).max(axis=0), LEAST)
    scale: Array = np.exp2(np.round(np.log2(ratio) / 2)).astype(np.float32)
    return scale


def quantise_weight(weight: Array) -> Int8:
    """Return a weight of shape (outputs, inputs) as integers of -127 to 127."""
    factor = np.maximum(np.abs(weight).max(axis=1, keepdims=True), np.float32(1e-12)) / np.float32(127)
    return Int8(np.rint(weight / factor).astype(np.int8), factor.astype(np.float32))


class Likeness(NamedTuple):
    """How like vectors are to those in float32: mean and least cosine, and the share of the ten nearest neighbours that stay."""

    mean: float
    least: float
    neighbours: float

    def __str__(self) -> str:
        return f"mean cosine {self.mean:.4f}, least {self.least:.4f}, {self.neighbours:.0%} of the nearest ten"


def measure_likeness(vectors: Array, exact: Array) -> Likeness:
    """Compare vectors of length 1 with the exact ones of the same texts."""
    cosines = (vectors * exact).sum(axis=1)
    near, nearest = _find_nearest(vectors), _find_nearest(exact)
    common = [len(set(left) & set(right)) / len(left) for left, right in zip(near, nearest, strict=True)]
    return Likeness(float(cosines.mean()), float(cosines.min()), float(np.mean(common)))


def _find_nearest(vectors: Array) -> list[list[int]]:
    products = vectors @ vectors.T
    np.fill_diagonal(products, -np.inf)
    found: list[list[int]] = np.argsort(-products, axis=1)[:, :10].tolist()
    return found
