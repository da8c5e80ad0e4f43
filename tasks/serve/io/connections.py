"""Connections: how long one may take to send a request and to take its answer, and how many there are."""

import asyncio
import json
import resource
from collections.abc import Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from schemas.served import Problem

REQUEST_SECONDS = 20
"""Longest time for a client to send a request, its body included, counted from the end of the answer before."""
TAKEN_SECONDS = 60
"""Longest time from a whole request to an answer that was sent: a client that does not read it is left."""
MOST_CONNECTIONS = min(200, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
"""Then the one that has kept the server waiting for longest makes room for a new one."""

FULL = json.dumps(Problem(error="Refused", message="the server answers as many requests as it can: ask again soon").model_dump())
REFUSED = (
    "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
    f"content-length: {len(FULL)}\r\n\r\n{FULL}"
).encode()


class Connection(H11Protocol):
    """A connection with a client that may be slow or hostile; uvicorn itself waits for it without an end."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.since = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._was_waiting = False

    @property
    def is_waiting(self) -> bool:
        """Whether the client has something to send yet: a request, or the rest of one."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self._restart_timer()
        if sum(not one.transport.is_closing() for one in self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read some of a request. What is no HTTP behind the beginning of an answer ends the connection."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:
            self.transport.abort()
        self._restart_timer()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._restart_timer(anew=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        if self._timer:
            self._timer.cancel()
        super().connection_lost(exc)

    def _restart_timer(self, anew: bool = False) -> None:
        """Count the time from when the other side is to do something."""
        if self._timer and not anew and self.is_waiting == self._was_waiting:
            return
        if self._timer:
            self._timer.cancel()
        self._was_waiting, self.since = self.is_waiting, self.loop.time()
        self._timer = self.loop.call_later(REQUEST_SECONDS if self.is_waiting else TAKEN_SECONDS, self.transport.abort)

    def _make_room(self) -> None:
        others: Iterable[Any] = self.connections - {self}
        waiting = [one for one in others if one.is_waiting]
        if waiting:
            min(waiting, key=lambda one: one.since).transport.abort()
        else:
            self.transport.write(REFUSED)
            self.transport.close()
