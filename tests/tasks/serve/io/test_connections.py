"""Slow and greedy clients of a real server on loopback, whose limits are short."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from tasks.serve.io import connections
from tasks.serve.io.process import open_listening_socket

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
WAIT_SECONDS = 30
HELD, RELEASED = threading.Semaphore(0), threading.Event()
"""How many requests to /held have come, and whether they are answered."""


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the body, or on /long with more than a client takes without reading."""
    body, more = b"", True
    while more and scope["path"] != "/early":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    if scope["path"] == "/held":
        HELD.release()
        while not RELEASED.is_set():
            await asyncio.sleep(0.01)
    sent = b"x" * (64 << 20) if scope["path"] == "/long" else body
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(sent)).encode())]})
    await send({"type": "http.response.body", "body": sent})


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    config = uvicorn.Config(application, http=connections.Connection, ws="none", lifespan="off", log_config=None)
    running = uvicorn.Server(config)
    with open_listening_socket("127.0.0.1", 0) as place:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [place]}, daemon=True)
        thread.start()
        try:
            yield place.getsockname()
        finally:
            running.should_exit = True
            thread.join(WAIT_SECONDS)


def connected(address: tuple[str, int], sent: bytes) -> socket.socket:
    opened = socket.create_connection(address, timeout=WAIT_SECONDS)
    opened.sendall(sent)
    return opened


def is_ended(client: socket.socket) -> bool:
    """Wait until the server ends the connection."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    monkeypatch.setattr(connections, "TAKEN_SECONDS", 0.5)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        HEAD + b"X-Long: ",
        HEAD + b"Content-Length: 9\r\n\r\nhalf",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n",
    ],
)
def test_a_request_that_does_not_come_is_not_waited_for(sent: bytes) -> None:
    with server() as address, connected(address, sent) as client:
        assert is_ended(client)


@pytest.mark.usefixtures("hasty")
def test_a_request_that_comes_byte_by_byte_is_not_waited_for_longer() -> None:
    with server() as address, connected(address, HEAD) as client:
        client.settimeout(0.02)
        for _ in range(1000):
            try:
                client.sendall(b"a")
                assert client.recv(1) == b""
                return
            except TimeoutError:
                continue
            except OSError:
                return
        pytest.fail("the connection is still open")


@pytest.mark.usefixtures("hasty")
def test_a_client_that_does_not_read_its_answer_is_left() -> None:
    with server() as address, connected(address, HEAD.replace(b"/", b"/long", 1) + b"\r\n") as client:
        threading.Event().wait(3)  # a busy server too has given up then
        taken = 0
        while piece := _piece(client):
            taken += len(piece)
        assert taken < 64 << 20


def _piece(client: socket.socket) -> bytes:
    try:
        return client.recv(1 << 20)
    except ConnectionResetError:
        return b""


def test_a_body_that_goes_wrong_behind_the_answer_ends_the_connection() -> None:
    early = HEAD.replace(b"/", b"/early", 1) + b"Transfer-Encoding: chunked\r\n\r\n"
    with server() as address, connected(address, early) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        client.sendall(b"no chunk\r\n")
        assert is_ended(client)


def test_whoever_keeps_the_server_waiting_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 3)
    with server() as address:
        idle = [connected(address, HEAD) for _ in range(3)]
        with connected(address, HEAD + b"Connection: close\r\n\r\n") as client:
            assert client.recv(1000).startswith(b"HTTP/1.1 200")
        assert is_ended(idle[0])
        for one in idle[1:]:
            one.sendall(b"\r\n")
            assert one.recv(1000).startswith(b"HTTP/1.1 200"), "the others are served"
        for one in idle:
            one.close()


def test_a_server_that_answers_as_many_as_it_can_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    held = HEAD.replace(b"/", b"/held", 1) + b"\r\n"
    with server() as address, connected(address, held) as one, connected(address, held) as other:
        assert HELD.acquire(timeout=WAIT_SECONDS) and HELD.acquire(timeout=WAIT_SECONDS)
        with connected(address, HEAD) as client:
            answer = client.recv(1000)
            assert answer.startswith(b"HTTP/1.1 503") and b"ask again soon" in answer
        RELEASED.set()
        assert one.recv(1000).startswith(b"HTTP/1.1 200") and other.recv(1000).startswith(b"HTTP/1.1 200")
