"""Framing: messages on a socket, each preceded by its length. The parent never blocks on an incomplete message."""

import socket
import struct

from schemas.errors import WorkerError

LENGTH = struct.Struct("<Q")

Buffer = bytes | bytearray | memoryview


def send(connection: socket.socket, *parts: Buffer) -> None:
    """Send one message, given in parts."""
    connection.sendall(LENGTH.pack(sum(map(len, parts))))
    for part in parts:
        connection.sendall(part)


def receive(connection: socket.socket) -> bytearray:
    """Wait for the next message and return it.

    Raises:
        EOFError: the other side has closed the connection.
    """
    (length,) = LENGTH.unpack(_exactly(connection, LENGTH.size))
    return _exactly(connection, length)


def _exactly(connection: socket.socket, size: int) -> bytearray:
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
        self._begin(LENGTH.size)
        self._in_message = False

    def take(self, most_bytes: int) -> bytearray | None:
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
            self._begin(LENGTH.size)
            self._in_message = False
            return message
        (length,) = LENGTH.unpack(self._buffer)
        if not 0 < length <= most_bytes:
            raise WorkerError(
                f"a worker's answer has {length:,} bytes, but at most {most_bytes:,} are allowed: raise limits.memory_mb"
            )
        self._begin(length)
        self._in_message = True
        return self.take(most_bytes)

    def _begin(self, size: int) -> None:
        self._buffer = bytearray(size)
        self._filled = 0
