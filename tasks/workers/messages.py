"""Messages between the pool and its workers, on a socket, each preceded by its length.

A message is a line of JSON, [kind, content], followed by the parts that the content of a "value" lists: JSON values, byte strings
and Arrow tables. Answers are never pickles, because reading these formats runs no code: an attacker who controls a worker can
send wrong data, but cannot run code in the parent process. The parent never blocks on an incomplete message.
"""

import json
import socket
import struct
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pydantic import JsonValue

from schemas import errors
from schemas.errors import NO_MEMORY, LimitError, PagemillError, WorkerError

LENGTH = struct.Struct("<Q")

Buffer = bytes | bytearray | memoryview


def send_message(connection: socket.socket, *parts: Buffer) -> None:
    """Send one message, given in parts."""
    connection.sendall(LENGTH.pack(sum(map(len, parts))))
    for part in parts:
        connection.sendall(part)


def receive_message(connection: socket.socket) -> bytearray:
    """Wait for the next message and return it.

    Raises:
        EOFError: the other side has closed the connection.
    """
    (length,) = LENGTH.unpack(_receive_exactly(connection, LENGTH.size))
    return _receive_exactly(connection, length)


def _receive_exactly(connection: socket.socket, size: int) -> bytearray:
    buffer = bytearray(size)
    view = memoryview(buffer)
    while view:
        n_read = connection.recv_into(view)
        if not n_read:
            raise EOFError
        view = view[n_read:]
    return buffer


class Inbox:
    """The messages from a worker, which may be wrong or incomplete."""

    def __init__(self, connection: socket.socket) -> None:
        """`connection` is non-blocking."""
        self._connection = connection
        self._begin_message(LENGTH.size)
        self._in_message = False

    def take_message(self, most_bytes: int) -> bytearray | None:
        """Return the next message, or None until it is complete.

        Raises:
            EOFError: the worker has ended.
            WorkerError: the message is longer than `most_bytes`.
        """
        while self._filled < len(self._buffer):
            try:
                n_read = self._connection.recv_into(memoryview(self._buffer)[self._filled :])
            except BlockingIOError:
                return None
            if not n_read:
                raise EOFError
            self._filled += n_read
        if self._in_message:
            message = self._buffer
            self._begin_message(LENGTH.size)
            self._in_message = False
            return message
        (length,) = LENGTH.unpack(self._buffer)
        if not 0 < length <= most_bytes:
            raise WorkerError(
                f"a worker's answer has {length:,} bytes, but at most {most_bytes:,} are allowed: raise limits.memory_mb"
            )
        self._begin_message(length)
        self._in_message = True
        return self.take_message(most_bytes)

    def _begin_message(self, size: int) -> None:
        self._buffer = bytearray(size)
        self._filled = 0


ALIGNMENT = 64
"""Alignment of parts within a message, in bytes, so that tables can be read without a copy."""
HEAD_BYTES = 1 << 20
MESSAGE_CHARS, NOTE_CHARS, NOTES = 10_000, 50_000, 10
QUOTED_CHARS = 1000
"""Longest message of an unforeseen error. Some quote all their input."""

Message = tuple[str, Any, memoryview]
"""The kind of a message, its content, and its parts."""


def make_message(kind: str, content: object = None, parts: Sequence[Buffer] = ()) -> list[Buffer]:
    """Return a message as parts to send."""
    head = json.dumps([kind, content]).encode()
    head += b" " * (-(len(head) + 1) % ALIGNMENT) + b"\n"
    return [head, *(piece for part in parts for piece in (part, bytes(-len(part) % ALIGNMENT)))]


def parse_message(data: bytearray) -> Message:
    """Return the message in `data`, which `make_message` made.

    Raises:
        WorkerError: `data` is not such a message.
    """
    try:
        end = data.index(b"\n", 0, HEAD_BYTES)
        kind, content = json.loads(data[:end])
    except (ValueError, TypeError, RecursionError) as error:
        raise make_unreadable_error(error) from error
    return str(kind), content, memoryview(data)[end + 1 :]


def make_value_message(value: object) -> list[Buffer]:
    """Return the message for what a function returned: a table, bytes, a JSON value, or a tuple of these.

    Raises:
        WorkerError: it is none of them.
    """
    try:
        parts = [_encode_value(part) for part in (value if isinstance(value, tuple) else (value,))]
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise WorkerError(f"a worker cannot send its result: {type(error).__name__}: {error}") from error
    listed = [[kind, len(part)] for kind, part in parts]
    return make_message("value", [isinstance(value, tuple), listed], [part for _, part in parts])


def parse_tick(message: Message) -> int:
    """Return how many parts are done, according to a message.

    Raises:
        WorkerError: the message does not say.
    """
    if type(message[1]) is not int:
        raise make_unreadable_error(TypeError("progress must be a number"))
    return message[1]


def parse_answer(message: Message) -> object:
    """Return the value in a message, or the error, one of `schemas.errors`.

    Raises:
        WorkerError: the message has neither.
    """
    kind, content, parts = message
    if kind == "error":
        return _decode_error(content)
    if kind == "value":
        return _decode_value(content, parts)
    raise make_unreadable_error(ValueError(f"{kind[:QUOTED_CHARS]} is not an answer"))


def _decode_value(content: Any, parts: memoryview) -> object:
    try:
        several, listed = content
        values, start = [], 0
        for kind, size in listed:
            values.append(_DECODERS[kind](parts[start : start + size]))
            start += size + -size % ALIGNMENT
        return tuple(values) if several else values[0]
    except (ValueError, TypeError, LookupError, RecursionError, OSError, pa.ArrowException) as error:
        raise make_unreadable_error(error) from error


def make_error_message(error: BaseException) -> list[Buffer]:
    """Return the message for what a function raised: Pagemill's own error, or a WorkerError that describes any other."""
    ours = error if isinstance(error, PagemillError) else wrap_error(error)
    kind = next(base for base in type(ours).__mro__ if vars(errors).get(base.__name__) is base)
    args = [ours.errno, ours.strerror, str(ours.filename)] if isinstance(ours, OSError) else [str(ours)[:MESSAGE_CHARS]]
    notes = [note[-NOTE_CHARS:] for note in getattr(ours, "__notes__", [])[:NOTES]]
    return make_message("error", [kind.__name__, args, notes])


def _decode_error(content: Any) -> PagemillError:
    try:
        name, args, notes = content
        kind = vars(errors)[name]
        if not issubclass(kind, PagemillError) or not all(isinstance(arg, str | int) for arg in args):
            raise TypeError(f"{name} is not an error of Pagemill")
        error: PagemillError = kind(*args)
        for note in notes:
            error.add_note(note)
    except (ValueError, TypeError, KeyError) as failure:
        raise make_unreadable_error(failure) from failure
    return error


def wrap_error(error: BaseException) -> PagemillError:
    """Return an error of Pagemill's own classes for any error, with its traceback as a note."""
    text = f"{type(error).__name__}: {error}"[:QUOTED_CHARS]
    ours: PagemillError = WorkerError(text)
    if isinstance(error, MemoryError):
        ours = LimitError(f"{NO_MEMORY} ({text})")
    ours.add_note("".join(traceback.format_exception(error)))
    return ours


def make_unreadable_error(error: Exception) -> WorkerError:
    """Return the error for an answer that no worker should send."""
    return WorkerError(f"a worker's answer cannot be read: {type(error).__name__}: {error}"[:QUOTED_CHARS])


def _encode_value(value: object) -> tuple[str, Buffer]:
    if isinstance(value, pa.Table):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, value.schema) as writer:
            writer.write_table(value)
        return "table", memoryview(sink.getvalue())
    if isinstance(value, bytes):
        return "bytes", value
    return "json", json.dumps(value).encode()


def _decode_table(part: memoryview) -> pa.Table:
    """Read a table without a copy. All its offsets and lengths are checked, because later code relies on them."""
    with pa.ipc.open_stream(pa.py_buffer(part)) as reader:
        table = reader.read_all()
    table.validate(full=True)
    return table


def _decode_json(part: memoryview) -> JsonValue:
    value: JsonValue = json.loads(bytes(part))
    return value


_DECODERS: dict[str, Callable[[memoryview], Any]] = {"table": _decode_table, "bytes": bytes, "json": _decode_json}
