"""A proxy before an object store that harms what passes through it."""

import http.client
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

SLOW_SECONDS = 1.5
CONDITIONS = ("if-match", "if-none-match")
REFUSAL = "<?xml version='1.0'?><Error><Code>{code}</Code><Message>refused</Message></Error>"


class Request(NamedTuple):
    """A request: its number, from 1, its method and its path."""

    number: int
    method: str
    path: str


class Proxy:
    """A proxy on loopback, until `close`. `harm` says of each request what becomes of it.

    "drop" and "lose" close the connection before and after the store has done it; "cut" answers half; "slow" answers later;
    "forget" takes away the conditions of a write; an upper-case word such as "RequestTimeTooSkewed" refuses by that code; blank
    does no harm.
    """

    def __init__(self, store: str, harm: Callable[[Request], str]) -> None:
        self.n_requests = 0
        counting = threading.Lock()
        address = urlsplit(store)
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                with counting:
                    proxy.n_requests += 1
                    number = proxy.n_requests
                content = self.rfile.read(int(self.headers.get("content-length") or 0))
                _pass(self, address, content, harm(Request(number, self.command, self.path)))

            do_PUT = do_POST = do_HEAD = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """End the proxy."""
        self._server.shutdown()
        self._server.server_close()


def _pass(handler: BaseHTTPRequestHandler, address: Any, content: bytes, harm: str) -> None:
    if harm == "drop":
        handler.close_connection = True
        return
    if harm[:1].isupper():
        _answer(handler, 403, [], REFUSAL.format(code=harm).encode(), "")
        return
    headers = {name: value for name, value in handler.headers.items() if harm != "forget" or name.lower() not in CONDITIONS}
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    connection.putrequest(handler.command, handler.path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(content)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if harm == "slow":
        time.sleep(SLOW_SECONDS)
    if harm == "lose":
        handler.close_connection = True
        return
    _answer(handler, answer.status, answer.getheaders(), body, harm)


def _answer(handler: BaseHTTPRequestHandler, status: int, headers: list[tuple[str, str]], body: bytes, harm: str) -> None:
    handler.send_response_only(status)
    length = str(len(body))
    for name, value in headers:
        if name.lower() == "content-length":
            length = value
        elif name.lower() not in ("transfer-encoding", "connection"):
            handler.send_header(name, value)
    handler.send_header("Content-Length", length)
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body[: len(body) // 2] if harm == "cut" else body)
    handler.close_connection = harm == "cut"
