import json
import socket
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import errors
from schemas.errors import DocumentError, PagemillError, WorkerError
from tasks.workers import messages
from tasks.workers.messages import (
    Buffer,
    Inbox,
    make_error_message,
    make_value_message,
    parse_answer,
    parse_message,
    receive_message,
    send_message,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TABLES = st.lists(st.none() | st.text()).map(lambda texts: pa.table({"text": pa.array(texts, pa.string())}))
PARTS = JSON | st.binary() | TABLES


def through(parts: list[Buffer]) -> Any:
    return parse_answer(parse_message(bytearray(b"".join(parts))))


@given(value=PARTS | st.lists(PARTS, max_size=4).map(tuple))
def test_a_value_is_read_as_it_was_sent(value: Any) -> None:
    assert through(make_value_message(value)) == value


@given(data=st.binary(min_size=1) | st.tuples(JSON, st.binary()).map(lambda pair: json.dumps(pair[0]).encode() + b"\n" + pair[1]))
def test_any_bytes_are_a_value_or_an_error_of_the_workers(data: bytes) -> None:
    try:
        parse_answer(parse_message(bytearray(data)))
    except WorkerError:
        pass


@given(at=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_table_that_was_tampered_with_is_whole_or_refused(at: int, byte: int) -> None:
    sent = pa.table({"text": ["one", "two", None], "lists": [[1], [], [2, 3]]})
    data = bytearray(b"".join(make_value_message(sent)))
    data[at % len(data)] = byte
    try:
        found = parse_answer(parse_message(data))
    except WorkerError:
        return
    if isinstance(found, pa.Table) and found.schema == sent.schema:
        found.to_pylist()


@pytest.mark.parametrize("name", ["Exception", "ValueError", "__builtins__", "annotations", "", None, 3, []])
def test_only_errors_of_pagemills_own_are_raised(name: Any) -> None:
    with pytest.raises(WorkerError, match="cannot be read"):
        through(messages.make_message("error", [name, ["text"], []]))


def test_every_error_of_pagemills_own_comes_as_itself() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, PagemillError)]
    for kind in kinds:
        sent = kind(28, "no space", "/a") if issubclass(kind, OSError) else kind("text")
        found = through(make_error_message(sent))
        assert (type(found), str(found)) == (kind, str(sent))


def test_a_message_of_any_length_is_cut_to_what_can_be_shown() -> None:
    found = through(make_error_message(DocumentError("x" * 1_000_000)))
    assert len(str(found)) == messages.MESSAGE_CHARS


def test_messages_come_one_after_the_other_however_they_are_cut() -> None:
    theirs, ours = socket.socketpair()
    ours.setblocking(False)
    inbox = Inbox(ours)
    with theirs, ours:
        assert inbox.take_message(100) is None
        send_message(theirs, b"first")
        send_message(theirs, b"second, ", b"in parts")
        theirs.sendall((5).to_bytes(8, "little") + b"th")
        assert [inbox.take_message(100) for _ in range(3)] == [
            b"first",
            b"second, in parts",
            None,
        ]
        theirs.sendall(b"ird")
        assert bytes(inbox.take_message(100) or b"") == b"third"
        theirs.close()
        with pytest.raises(EOFError):
            inbox.take_message(100)


def test_a_message_that_is_too_long_is_not_read() -> None:
    theirs, ours = socket.socketpair()
    ours.setblocking(False)
    with theirs, ours:
        send_message(theirs, b"four" * 4)
        with pytest.raises(WorkerError, match="has 16 bytes, but at most 15 are allowed"):
            Inbox(ours).take_message(15)


def test_the_other_side_waits_for_all_of_a_message() -> None:
    theirs, ours = socket.socketpair()
    with theirs, ours:
        send_message(ours, b"call")
        ours.close()
        assert receive_message(theirs) == b"call"
        with pytest.raises(EOFError):
            receive_message(theirs)


def test_nothing_is_unpickled_but_what_a_worker_gets_from_the_pool() -> None:
    sources = [path for room in ("flows", "pagemill", "schemas", "tasks") for path in Path(room).rglob("*.py")]
    assert [str(path) for path in sources if "pickle.load" in path.read_text()] == ["tasks/workers/serving.py"]
