"""BERT as a graph of OpenVINO: in float32, or weights in 8 bits and activations rounded to 8 bits row by row while it runs."""

import numpy as np
import openvino
from openvino import Node
from openvino import opset13 as op

from tasks.embed.bert import Array, Bert, Block, Linear
from tasks.embed.quantising import Scales, quantise_weight

FAR = 1e9
"""Taken from the scores of padding."""


def build_graph(bert: Bert, scales: Scales) -> openvino.Model:
    """Return the model: three inputs of shape (texts, tokens) in, one vector for each text out, not yet normalised.

    They are `ids`, `mask` with 1 where a token is and 0 where padding is, and `pool` with the weight of each token's state in
    the vector: every pooling is the same product and sum, so that what holds for one on a processor holds for the others.
    `scales` are those of `quantising`; a layer without one stays in float32.
    """
    ids = op.parameter([-1, -1], np.int64, name="ids")
    mask = op.parameter([-1, -1], np.float32, name="mask")
    pool = op.parameter([-1, -1], np.float32, name="pool")
    hidden = _embed_ids(bert, ids)
    shown = op.unsqueeze(op.multiply(op.subtract(mask, _make_constant(1.0)), _make_constant(FAR)), _make_axes(1, 2))
    for number, block in enumerate(bert.blocks):
        hidden = _apply_block(block, hidden, shown, bert, {name: scale for (at, name), scale in scales.items() if at == number})
    return openvino.Model([_pool(hidden, pool)], [ids, mask, pool], "bert")


def _embed_ids(bert: Bert, ids: Node) -> Node:
    length = op.gather(op.shape_of(ids), _make_axis(1), _make_axis(0))
    places = op.gather(op.constant(np.array(bert.places)), op.range(_make_axis(0), length, _make_axis(1), "i64"), _make_axis(0))
    words = op.gather(op.constant(np.array(bert.words)), ids, _make_axis(0))
    return _normalise(op.add(words, places), bert.norm, bert.epsilon)


def _apply_block(block: Block, hidden: Node, shown: Node, bert: Bert, scales: dict[str, Array]) -> Node:
    width, n_heads = bert.words.shape[1], bert.n_heads
    made = op.split(_apply_linear(hidden, block.attend, scales.get("attend")), _make_axis(-1), 3)
    parts = [
        op.transpose(op.reshape(part, _make_axes(0, 0, n_heads, width // n_heads), True), _make_axes(0, 2, 1, 3))
        for part in made.outputs()
    ]
    joined = op.transpose(op.scaled_dot_product_attention(*parts, shown), _make_axes(0, 2, 1, 3))
    attended = _apply_linear(op.reshape(joined, _make_axes(0, 0, width), True), block.attended, scales.get("attended"))
    hidden = _normalise(op.add(attended, hidden), block.attended_norm, bert.epsilon)
    wide = op.gelu(_apply_linear(hidden, block.widen, scales.get("widen")), "erf")
    return _normalise(op.add(_apply_linear(wide, block.narrow, scales.get("narrow")), hidden), block.norm, bert.epsilon)


def _apply_linear(given: Node, layer: Linear, scale: Array | None) -> Node:
    if scale is None:
        return op.add(op.matmul(given, op.constant(np.array(layer.weight)), False, True), op.constant(np.array(layer.bias)))
    whole = quantise_weight(layer.weight * scale)
    weight = op.multiply(op.convert(op.constant(whole.weight), np.float32), op.constant(whole.factor))
    smooth = op.multiply(given, op.constant(1 / scale))
    return op.add(op.matmul(smooth, weight, False, True), op.constant(np.array(layer.bias)))


def _normalise(hidden: Node, norm: Linear, epsilon: float) -> Node:
    centred = op.mvn(hidden, _make_axes(-1), True, epsilon, "inside_sqrt")
    return op.add(op.multiply(centred, op.constant(np.array(norm.weight))), op.constant(np.array(norm.bias)))


def _pool(hidden: Node, pool: Node) -> Node:
    weights = op.unsqueeze(pool, _make_axis(-1))
    return op.divide(op.reduce_sum(op.multiply(hidden, weights), _make_axes(1)), op.reduce_sum(weights, _make_axes(1)))


def _make_constant(value: float) -> Node:
    return op.constant(np.float32(value))


def _make_axis(value: int) -> Node:
    return op.constant(np.int64(value))


def _make_axes(*values: int) -> Node:
    return op.constant(np.array(values, dtype=np.int64))
