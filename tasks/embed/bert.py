"""BERT in NumPy: the states of tokens from their ids, in float32, without padding.

The linear layers see the tokens of all texts at once, attention sees one text at a time: no text's states depend on another's.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Observer = Callable[[int, str, Array], None]
"""Is shown what each linear layer is given: the number of the block, the layer's name in `Block`, one row per token."""

GELU_ROWS = 32
"""Rows of which GELU is computed at once: their intermediate values stay in the processor's cache."""

# erf(x) / x as a quotient of polynomials in x², from the highest power; exact to float32 for |x| <= 4.
_ABOVE = np.array(
    [
        -2.72614225801306e-10,
        2.77068142495902e-08,
        -2.10102402082508e-06,
        -5.69250639462346e-05,
        -7.34990630326855e-04,
        -2.95459980854025e-03,
        -1.60960333262415e-02,
    ],
    dtype=np.float32,
)
_BELOW = np.array(
    [-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02],
    dtype=np.float32,
)


LINEAR = ("attend", "attended", "widen", "narrow")
"""The linear layers of a block; the others are norms."""


class Linear(NamedTuple):
    """Weights of shape (outputs, inputs), and a bias."""

    weight: Array
    bias: Array


class Block(NamedTuple):
    """One of BERT's layers. `attend` makes queries, keys and values at once."""

    attend: Linear
    attended: Linear
    attended_norm: Linear
    widen: Linear
    narrow: Linear
    norm: Linear


class Bert(NamedTuple):
    """The weights of a model. `places` are the vectors of positions, that of the token type included."""

    words: Array
    places: Array
    norm: Linear
    blocks: tuple[Block, ...]
    n_heads: int
    epsilon: float


def lay_out_weights_by_inputs(bert: Bert) -> Bert:
    """Return the model with its weights laid out by inputs: a product with few tokens takes two thirds of the time."""
    return bert._replace(
        blocks=tuple(block._replace(**{name: _lay_out_layer(getattr(block, name)) for name in LINEAR}) for block in bert.blocks)
    )


def _lay_out_layer(layer: Linear) -> Linear:
    return Linear(np.asfortranarray(layer.weight), layer.bias)


def compute_states(bert: Bert, ids: Sequence[Sequence[int]], seen: Observer | None = None) -> list[Array]:
    """Return the last layer's states of each text's tokens, of shape (tokens, width). No text may be empty."""
    ends = np.cumsum([len(row) for row in ids])
    spans = [slice(int(end) - len(row), int(end)) for row, end in zip(ids, ends, strict=True)]
    at = np.concatenate([np.arange(len(row)) for row in ids])
    hidden = _normalise_layer(
        bert.words[np.concatenate([np.asarray(row) for row in ids])] + bert.places[at], bert.norm, bert.epsilon
    )
    for number, block in enumerate(bert.blocks):
        hidden = _apply_block(block, hidden, spans, bert, partial(seen, number) if seen else _observe_nothing)
    return [hidden[span] for span in spans]


def pool_states(of_text: Array, pooling: str) -> Array:
    """Return the vector of a text from the states of its tokens: the first one's with `cls`, or else their mean."""
    vector: Array = of_text[0] if pooling == "cls" else of_text.mean(axis=0)
    return vector


def _apply_block(block: Block, hidden: Array, spans: Sequence[slice], bert: Bert, seen: Callable[[str, Array], None]) -> Array:
    seen("attend", hidden)
    joined = _apply_attention(_apply_linear(hidden, block.attend), spans, bert.n_heads)
    seen("attended", joined)
    hidden = _normalise_layer(_apply_linear(joined, block.attended) + hidden, block.attended_norm, bert.epsilon)
    seen("widen", hidden)
    wide = _apply_gelu(_apply_linear(hidden, block.widen))
    seen("narrow", wide)
    return _normalise_layer(_apply_linear(wide, block.narrow) + hidden, block.norm, bert.epsilon)


def _observe_nothing(name: str, given: Array) -> None:
    """Ignore what a layer is given: nobody observes the model."""


def _apply_linear(given: Array, layer: Linear) -> Array:
    made: Array = given @ layer.weight.T
    made += layer.bias
    return made


def _apply_attention(made: Array, spans: Sequence[slice], n_heads: int) -> Array:
    """Return what each token attends to within its own text; `made` holds queries, keys and values side by side."""
    width = made.shape[1] // 3
    joined = np.empty((len(made), width), dtype=np.float32)
    scale = np.float32((width // n_heads) ** -0.5)
    for span in spans:
        query, key, value = made[span].reshape(-1, 3, n_heads, width // n_heads).transpose(1, 2, 0, 3)
        scores = (query * scale) @ key.transpose(0, 2, 1)
        np.exp(scores - scores.max(axis=-1, keepdims=True), out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        joined[span] = (scores @ value).transpose(1, 0, 2).reshape(-1, width)
    return joined


def _normalise_layer(hidden: Array, norm: Linear, epsilon: float) -> Array:
    centred: Array = hidden - hidden.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred)[:, None] / np.float32(centred.shape[1])
    centred *= 1 / np.sqrt(variance + np.float32(epsilon))
    centred *= norm.weight
    centred += norm.bias
    return centred


def _apply_gelu(hidden: Array) -> Array:
    """Apply GELU in place."""
    for at in range(0, len(hidden), GELU_ROWS):
        rows = hidden[at : at + GELU_ROWS]
        scaled = np.clip(rows * np.float32(0.5**0.5), -4, 4)
        square = scaled * scaled
        scaled *= _evaluate_polynomial(_ABOVE, square)
        scaled /= _evaluate_polynomial(_BELOW, square)
        scaled += 1
        scaled *= np.float32(0.5)
        rows *= scaled
    return hidden


def _evaluate_polynomial(coefficients: Array, x: Array) -> Array:
    total: Array = x * coefficients[0]
    for coefficient in coefficients[1:-1]:
        total += coefficient
        total *= x
    total += coefficients[-1]
    return total
