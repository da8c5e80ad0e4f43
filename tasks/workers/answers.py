"""Answers: messages of workers, as JSON and Arrow and never as pickles, because reading these formats runs no code.

A message is a line of JSON, [kind, content], followed by the parts that the content of a "value" lists: JSON values, byte strings
and Arrow tables. An attacker who controls a worker can send wrong data, but cannot run code in the parent process.
"""

import json
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from schemas import errors
from schemas.errors import NO_MEMORY, LimitError, PagemillError, WorkerError
from tasks.workers.framing import Buffer

ALIGNMENT = 64
"""Alignment of parts within a message, in bytes, so that tables can be read without a copy."""
HEAD_BYTES = 1 << 20
MESSAGE_CHARS, NOTE_CHARS, NOTES = 10_000, 50_000, 10
QUOTED_CHARS = 1000
"""Longest message of an unforeseen error. Some quote all their input."""

Message = tuple[str, Any, memoryview]
"""The kind of a message, its content, and its parts."""


def message(kind: str, content: Any = None, parts: Sequence[Buffer] = ()) -> list[Buffer]:
    """Return a message as parts to send."""
    head = json.dumps([kind, content]).encode()
    head += b" " * (-(len(head) + 1) % ALIGNMENT) + b"\n"
    return [head, *(piece for part in parts for piece in (part, bytes(-len(part) % ALIGNMENT)))]


def read_message(data: bytearray) -> Message:
    """Return the message in `data`, which `message` made.

    Raises:
        WorkerError: `data` is not such a message.
    """
    try:
        end = data.index(b"\n", 0, HEAD_BYTES)
        kind, content = json.loads(data[:end])
    except (ValueError, TypeError, RecursionError) as error:
        raise unreadable(error) from error
    return str(kind), content, memoryview(data)[end + 1 :]


def value_message(value: object) -> list[Buffer]:
    """Return the message for what a function returned: a table, bytes, a JSON value, or a tuple of these.

    Raises:
        WorkerError: it is none of them.
    """
    try:
        parts = [_encode(part) for part in (value if isinstance(value, tuple) else (value,))]
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise WorkerError(f"a worker cannot send its result: {type(error).__name__}: {error}") from error
    listed = [[kind, len(part)] for kind, part in parts]
    return message("value", [isinstance(value, tuple), listed], [part for _, part in parts])


def read_tick(message: Message) -> int:
    """Return how many parts are done, according to a message.

    Raises:
        WorkerError: the message does not say.
    """
    if type(message[1]) is not int:
        raise unreadable(TypeError("progress must be a number"))
    return message[1]


def read_answer(message: Message) -> Any:
    """Return the value in a message, or the error, one of `schemas.errors`.

    Raises:
        WorkerError: the message has neither.
    """
    kind, content, parts = message
    if kind == "error":
        return _error(content)
    if kind == "value":
        return _value(content, parts)
    raise unreadable(ValueError(f"{kind[:QUOTED_CHARS]} is not an answer"))


def _value(content: Any, parts: memoryview) -> Any:
    try:
        several, listed = content
        values, start = [], 0
        for kind, size in listed:
            values.append(_DECODERS[kind](parts[start : start + size]))
            start += size + -size % ALIGNMENT
        return tuple(values) if several else values[0]
    except (ValueError, TypeError, LookupError, RecursionError, OSError, pa.ArrowException) as error:
        raise unreadable(error) from error


def error_message(error: BaseException) -> list[Buffer]:
    """Return the message for what a function raised: Pagemill's own error, or a WorkerError that describes any other."""
    ours = error if isinstance(error, PagemillError) else wrap_error(error)
    kind = next(base for base in type(ours).__mro__ if vars(errors).get(base.__name__) is base)
    args = [ours.errno, ours.strerror, str(ours.filename)] if isinstance(ours, OSError) else [str(ours)[:MESSAGE_CHARS]]
    notes = [note[-NOTE_CHARS:] for note in getattr(ours, "__notes__", [])[:NOTES]]
    return message("error", [kind.__name__, args, notes])


def _error(content: Any) -> PagemillError:
    try:
        name, args, notes = content
        kind = vars(errors)[name]
        if not issubclass(kind, PagemillError) or not all(isinstance(arg, str | int) for arg in args):
            raise TypeError(f"{name} is not an error of Pagemill")
        error: PagemillError = kind(*args)
        for note in notes:
            error.add_note(note)
    except (ValueError, TypeError, KeyError) as failure:
        raise unreadable(failure) from failure
    return error


def wrap_error(error: BaseException) -> PagemillError:
    """Return an error of Pagemill's own classes for any error, with its traceback as a note."""
    text = f"{type(error).__name__}: {error}"[:QUOTED_CHARS]
    ours: PagemillError = WorkerError(text)
    if isinstance(error, MemoryError):
        ours = LimitError(f"{NO_MEMORY} ({text})")
    ours.add_note("".join(traceback.format_exception(error)))
    return ours


def unreadable(error: Exception) -> WorkerError:
    """Return the error for an answer that no worker should send."""
    return WorkerError(f"a worker's answer cannot be read: {type(error).__name__}: {error}"[:QUOTED_CHARS])


def _encode(value: object) -> tuple[str, Buffer]:
    if isinstance(value, pa.Table):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, value.schema) as writer:
            writer.write_table(value)
        return "table", memoryview(sink.getvalue())
    if isinstance(value, bytes):
        return "bytes", value
    return "json", json.dumps(value).encode()


def _table(part: memoryview) -> pa.Table:
    """Read a table without a copy. All its offsets and lengths are checked, because later code relies on them."""
    with pa.ipc.open_stream(pa.py_buffer(part)) as reader:
        table = reader.read_all()
    table.validate(full=True)
    return table


def _json(part: memoryview) -> Any:
    return json.loads(bytes(part))


_DECODERS: dict[str, Callable[[memoryview], Any]] = {"table": _table, "bytes": bytes, "json": _json}
