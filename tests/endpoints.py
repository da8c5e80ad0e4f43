"""A small chat endpoint on the loopback, which can be down."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint:
    """Answers every chat with `answer` and `status`, the first `failures` of them with 503; remembers what it was asked."""

    def __init__(self) -> None:
        self.answer, self.status, self.failures = "[2]", 200, 0
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.asked.append({"path": self.path, **json.loads(body)})
                endpoint.keys.append(self.headers["Authorization"])
                self.send_response(503 if len(endpoint.asked) <= endpoint.failures else endpoint.status)
                self.end_headers()
                self.wfile.write(json.dumps({"choices": [{"message": {"content": endpoint.answer}}]}).encode())

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve chats for the length of the block."""
    served = Endpoint()
    thread = threading.Thread(target=served.server.serve_forever, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
