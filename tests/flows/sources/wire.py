"""A wire to a server on loopback that can be cut, slowed and counted."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress


class Wire:
    """Passes connections on to a port, until `close`.

    `cut_after` bytes from the server a connection ends; None: never. It ends too where `is_passed`, which is asked before each
    part that goes to the server, says no.
    """

    def __init__(self, port: int) -> None:
        self.cut_after: int | None = None
        self.delay_seconds = 0.0
        self.is_passed: Callable[[], bool] = lambda: True
        self._target = port
        self._asked: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def take_asked(self) -> bytes:
        """Return what was sent to the server since the last call."""
        asked, self._asked = self._asked, []
        return b"".join(asked)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                for end in (near, far):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # small questions wait for no others
                for source, target, is_answer in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._pass, args=(source, target, is_answer), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        passed = 0
        with suppress(OSError):
            while part := source.recv(65536):
                passed += len(part)
                if is_answer and self.cut_after is not None and passed > self.cut_after:
                    break
                if not is_answer:
                    if not self.is_passed():
                        break
                    self._asked.append(part)
                time.sleep(self.delay_seconds if is_answer else 0)
                target.sendall(part)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
