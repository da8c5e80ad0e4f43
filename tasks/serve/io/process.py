"""The server as a process: its socket, and its life until a signal ends it."""

import logging
import signal
import socket

import uvicorn
from starlette.types import ASGIApp

from schemas.errors import InputError
from tasks.serve.io.connections import Connection
from tasks.serve.io.threads import ANSWER_SECONDS

LINE_BYTES = 1 << 20
"""Longest head of a request. A question in a URL can be longer than is read; the answer then says so."""
BACKLOG = 128
"""How many connections may wait to be accepted; as many are accepted before anything else is done."""
LOGGED = ("asyncio", "uvicorn", "mcp", "fastapi")
"""Libraries whose warnings are written to stderr."""
REPEATED_SECONDS = 10.0
"""So long a message of a library is not written again."""


def open_listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at `host` and `port`; with port 0 the system chooses one.

    Raises:
        InputError: the port is taken, or the host is not this machine's.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        place = socket.create_server((str(address[0]), port), family=family, backlog=BACKLOG)
        place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # otherwise short answers wait 40 ms for the client's receipt
        return place
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot listen at {host} port {port} ({reason.lower()}): stop what uses the port, or choose another --port or --host"
        ) from error


def format_socket_url(place: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class RepeatFilter(logging.Filter):
    """Passes one of equal messages in REPEATED_SECONDS: asyncio logs each of thousands of refused connections."""

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[str, float] = ("", -REPEATED_SECONDS)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        message, at = self._last
        if record.msg == message and record.created < at + REPEATED_SECONDS:
            return False
        self._last = (str(record.msg), record.created)
        return True


def log_library_warnings() -> None:
    """Write the warnings of libraries to stderr, one after the other.

    The package mcp gives a root logger without handlers one that imports modules while it logs. When no file can be opened that
    fails, and what fails while an error of the loop is logged ends the loop.
    """
    logging.getLogger().addHandler(logging.NullHandler())
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("pagemill: %(name)s: %(message)s"))
    handler.addFilter(RepeatFilter())
    for name in LOGGED:
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # every wrong request would be a warning


def serve_until_signal(app: ASGIApp, place: socket.socket) -> None:
    """Answer requests until SIGINT or SIGTERM. Then the port is free at once, and answers under way are finished."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_config=None,
        access_log=False,  # questions are nobody's business
        server_header=False,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=LINE_BYTES,
        timeout_graceful_shutdown=ANSWER_SECONDS,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # uvicorn handles them while it runs, and raises them again afterwards
    uvicorn.Server(config).run(sockets=[place])
