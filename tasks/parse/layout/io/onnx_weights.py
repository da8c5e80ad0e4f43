"""The weights in an ONNX file, read without the library that runs it.

The file is a Protocol Buffers message, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto: a model holds a graph, a graph
holds initializers, and an initializer has dimensions, a type, a name and its numbers.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
GRAPH, INITIALIZER = 7, 5
DIMENSION, TYPE, NAME, NUMBERS = 1, 2, 8, 9
"""Numbers of the fields of a model, of a graph and of an initializer."""
FLOAT = 1
VARINT, EIGHT_BYTES, WITH_LENGTH, FOUR_BYTES = 0, 1, 2, 5
"""How a field is stored."""


class _Field(NamedTuple):
    number: int
    value: int
    """A number, or the length of the content."""
    content: memoryview


def weights_of(path: Path) -> dict[str, Array]:
    """Return the arrays of single-precision numbers in the file, by name."""
    found: dict[str, Array] = {}
    for graph in _fields(memoryview(path.read_bytes())):
        if graph.number == GRAPH:
            found.update(_named(field.content) for field in _fields(graph.content) if field.number == INITIALIZER)
    return {name: numbers for name, numbers in found.items() if numbers.size}


def _named(initializer: memoryview) -> tuple[str, Array]:
    """Return the name of an initializer and its numbers, none if they are of another type."""
    shape, kind, name, numbers = [], 0, "", memoryview(b"")
    for field in _fields(initializer):
        if field.number == DIMENSION:
            shape.append(field.value)
        elif field.number == TYPE:
            kind = field.value
        elif field.number == NAME:
            name = bytes(field.content).decode()
        elif field.number == NUMBERS:
            numbers = field.content
    return name, np.frombuffer(numbers, "<f4").reshape(shape) if kind == FLOAT and numbers else np.empty(0)


def _fields(message: memoryview) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, stored = key >> 3, key & 7
        value, at = (0, at) if stored in (EIGHT_BYTES, FOUR_BYTES) else _varint(message, at)
        length = {VARINT: 0, EIGHT_BYTES: 8, WITH_LENGTH: value, FOUR_BYTES: 4}[stored]
        yield _Field(number, value, message[at : at + length])
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
