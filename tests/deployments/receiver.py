"""A receiver of alarms, as a webhook on loopback."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class Receiver:
    """Listens while it is entered; `told` are the messages so far, the paths of their requests included."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        told = self.told

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                told.append({**body, "path": self.path})
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def about(self, subject: str, text: str) -> list[dict[str, Any]]:
        """Return the messages of a subject whose body holds `text`."""
        return [message for message in self.told if message["subject"] == subject and text in message["body"]]

    def await_one(self, subject: str, text: str) -> dict[str, Any]:
        """Wait for the message of a subject whose body holds `text`; there must be one only."""
        for _ in range(300):
            if found := self.about(subject, text):
                assert len(found) == 1
                return found[0]
            time.sleep(0.2)
        raise AssertionError(f"nobody told of {subject!r} about {text!r}, but of {self.told}")
