"""The network of PyMuPDF's smaller layout model: the kind of each line of a page, and which neighbouring lines belong together.

It is a graph network (https://arxiv.org/abs/1801.07829) in an ONNX file. It is computed here with NumPy, in another order than
the file's: a layer sees a pair of lines as their features side by side, and since it is linear, it is applied to each line once
and the results are added, not to each of twenty pairs a line. Results differ by rounding only.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Scores = tuple[Array, Array]
"""Scores of kinds (n, 11), and of every pair of neighbours (e, 2) for being apart and for belonging together."""
Graph = Mapping[str, Array]
"""A page of n lines and e pairs of neighbours, by the names of the file's inputs: `x` (n, 8), `rf_features` (n, 118) and
`text_patterns` (n, 40) describe lines, `edge_index` (2, e) are the numbers of two lines each, and `edge_attr` (e, 24) describe
how these lie to each other; `k` is the number of neighbours that send messages to a line, `batch` (n) are zeros."""

Run = Callable[[Graph], Scores]

IN_NUMPY = True
"""Whether to compute with NumPy: a page of a report then takes .083 CPU seconds and not .096. If not, onnxruntime does it."""

SLOPE = np.float32(0.01)
"""Slope of the rectifier for negative numbers."""
EPSILON = 1e-5
"""Added to variances, as in training."""
FAR = np.float32(1e12)
"""Distance of a line from itself, so that it is not its own neighbour."""
LARGEST = 10.0
"""Messages between lines are cut off at this size, as in training."""


class Field(IntEnum):
    """Numbers of the fields of a model, of a graph and of an initializer in an ONNX file."""

    GRAPH = 7
    INITIALIZER = 5
    DIMENSION = 1
    TYPE = 2
    NAME = 8
    NUMBERS = 9


class Wire(IntEnum):
    """How a field of a Protocol Buffers message is stored, if not with its length."""

    VARINT = 0
    EIGHT_BYTES = 1
    FOUR_BYTES = 5


SINGLE_PRECISION = 1
"""The type of an initializer's numbers."""


def network_of(content: bytes) -> Run:
    """Return the function that the ONNX file contains. It runs on one thread."""
    return Network(weights_of(content)).scores if IN_NUMPY else _by_onnxruntime(content)


def _by_onnxruntime(content: bytes) -> Run:
    """Return the function run by onnxruntime, which does not keep the memory that its largest page took."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options)
    return lambda graph: tuple(session.run(None, graph))


class Layer(NamedTuple):
    """A linear layer: `weights` (inputs, outputs) and `bias` (outputs)."""

    weights: Array
    bias: Array

    def __call__(self, values: Array) -> Array:
        """Return `values` (n, inputs) through the layer: (n, outputs)."""
        result: Array = values @ self.weights
        result += self.bias
        return result

    def parts(self, *sizes: int) -> list[Array]:
        """Return the weights of parts of the inputs of these sizes, which must be all."""
        return np.split(self.weights, np.cumsum(sizes)[:-1])


class Network:
    """The network with its weights."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        """Prepare `weights`, by the names in the model's file: each normalisation becomes part of the layer that it precedes."""
        self._weights = weights
        self.embeddings = [self._normalised(name, 1) for name in ("node_embed", "rf_feature_embed", "txp_feature_embed")]
        self.fusion = self._normalised("fusion_layer", 1)
        first = "gcn_conv_list.0.nn_model"
        self.far = [self._layer(f"{first}.0.0"), *(self._after(f"{first}.{n}.2", f"{first}.{n + 1}.0") for n in (0, 1))]
        self.far_scale = self._scale(f"{first}.2.2")
        self.near = self._layer("gcn_conv_list.1.nn_model.0.0")
        self.near_scale = self._scale("gcn_conv_list.1.nn_model.0.2")
        self.joined = self._normalised("dconv_out", 1)
        self.kinds = [self._normalised("node_classifier", 2), self._layer("node_classifier.4")]
        self.pairs = [self._normalised("edge_classifier", 2), self._layer("edge_classifier.4")]

    def scores(self, graph: Graph) -> Scores:
        """Return the scores of a page."""
        given = zip(self.embeddings, (graph["x"], graph["rf_features"], graph["text_patterns"]), strict=True)
        lines = _leaky(self.fusion(np.concatenate([_relu(layer(values)) for layer, values in given], axis=1)))
        n_neighbours = int(graph["k"])
        first = self._messages(lines, self.far, self.far_scale, n_neighbours)
        second = self._messages(first, [self.near], self.near_scale, n_neighbours)
        lines = np.maximum(lines, _relu(self.joined(np.concatenate([first, second], axis=1))))
        hidden, last = self.kinds
        return _relu(last(_leaky(hidden(lines)))), self._together(lines, graph["edge_index"], graph["edge_attr"])

    def _together(self, lines: Array, pairs: Array, relations: Array) -> Array:
        hidden, last = self.pairs
        width = lines.shape[1]
        one, other, relation = hidden.parts(width, width, relations.shape[1])
        seen = _sums(lines @ one, pairs[0], lines @ other, pairs[1])
        seen += relations @ relation
        seen += hidden.bias
        return _relu(last(_leaky(seen)))

    def _messages(self, lines: Array, layers: list[Layer], scale: Layer, n_neighbours: int) -> Array:
        """Return for each line the largest of the messages that it gets, at least 0: a line sends one to those most like it."""
        likest = _likest(lines, n_neighbours)
        to, sender = np.divmod(np.flatnonzero(likest.T), len(lines))
        own, difference = layers[0].parts(lines.shape[1], lines.shape[1])
        values = _leaky(_sums(lines @ (own - difference) + layers[0].bias, to, lines @ difference, sender))
        for layer in layers[1:]:
            values = _leaky(layer(values))
        values *= scale.weights
        values += scale.bias
        values = np.clip(values, -LARGEST, LARGEST, out=values)
        reached, starts = np.unique(to, return_index=True)
        result = np.zeros((len(lines), values.shape[1]), np.float32)
        result[reached] = np.maximum.reduceat(values, starts, axis=0)
        return _relu(result)

    def _layer(self, name: str) -> Layer:
        return Layer(np.ascontiguousarray(self._weights[f"{name}.weight"].T), self._weights[f"{name}.bias"])

    def _scale(self, name: str) -> Layer:
        """Return a normalisation as factors and summands."""
        mean, variance = (self._weights[f"{name}.running_{kind}"].astype(np.float64) for kind in ("mean", "var"))
        factors = self._weights[f"{name}.weight"] / np.sqrt(variance + EPSILON)
        return Layer(factors.astype(np.float32), (self._weights[f"{name}.bias"] - mean * factors).astype(np.float32))

    def _after(self, normalisation: str, name: str) -> Layer:
        """Return a layer whose inputs are normalised first."""
        scale, layer = self._scale(normalisation), self._layer(name)
        return Layer(scale.weights[:, None] * layer.weights, layer.bias + scale.bias @ layer.weights)

    def _normalised(self, name: str, layer: int) -> Layer:
        return self._after(f"{name}.0", f"{name}.{layer}")


def _likest(lines: Array, n_neighbours: int) -> Array:
    """Return which lines (columns) are among the `n_neighbours` nearest to each line (rows); of equally near ones, the first."""
    squares = np.square(lines).sum(axis=1)
    distances = squares[:, None] - 2 * (lines @ lines.T) + squares
    np.fill_diagonal(distances, FAR)
    limits = np.partition(distances, n_neighbours - 1, axis=1)[:, n_neighbours - 1 : n_neighbours]
    nearer, level = distances < limits, distances == limits
    wanted = n_neighbours - nearer.sum(axis=1, keepdims=True)
    found: Array = nearer | (level & (level.cumsum(axis=1) <= wanted))
    return found


def _sums(some: Array, of_some: Array, others: Array, of_others: Array) -> Array:
    """Return the sums of rows of two arrays, chosen by their numbers."""
    sums: Array = some.take(of_some, axis=0)
    sums += others.take(of_others, axis=0)
    return sums


def _relu(values: Array) -> Array:
    return np.maximum(values, np.float32(0), out=values)


def _leaky(values: Array) -> Array:
    return np.maximum(values, values * SLOPE, out=values)


def weights_of(content: bytes) -> dict[str, Array]:
    """Return the arrays of single-precision numbers in an ONNX file, by name.

    It is a Protocol Buffers message, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto: a model holds a graph, a graph
    holds initializers, and an initializer has dimensions, a type, a name and its numbers.
    """
    graphs = [value for number, value in _fields(memoryview(content)) if number == Field.GRAPH]
    initializers = [list(_fields(value)) for graph in graphs for number, value in _fields(graph) if number == Field.INITIALIZER]
    found = {}
    for fields in initializers:
        shape, named = [value for number, value in fields if number == Field.DIMENSION], dict(fields)
        if named.get(Field.TYPE) == SINGLE_PRECISION and named.get(Field.NUMBERS):
            found[bytes(named[Field.NAME]).decode()] = np.frombuffer(named[Field.NUMBERS], "<f4").reshape(shape)
    return found


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the numbers of the fields of a message and their values: whole numbers, or content."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, stored = key >> 3, key & 7
        if stored == Wire.VARINT:
            value, at = _varint(message, at)
            yield number, value
            continue
        length, at = (8, at) if stored == Wire.EIGHT_BYTES else (4, at) if stored == Wire.FOUR_BYTES else _varint(message, at)
        yield number, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number that begins at `at`, seven bits a byte, the lowest first, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
