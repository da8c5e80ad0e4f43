"""A Prefect server of a test, and something that only pretends to be one."""

import json
import os
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from benchmarks.server.login import headers_for, login_of


class Server:
    """`deployments/server.sh` with a place and a port of its own."""

    def __init__(self, run_dir: Path, port: int) -> None:
        self.run_dir, self.port = run_dir, port
        self.url = f"http://127.0.0.1:{port}/api"
        own = {"PAGEMILL_RUN_DIR": str(run_dir), "PAGEMILL_PORT": str(port), "PREFECT_API_URL": self.url}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "PAGEMILL_"))}
        self.environment = {**kept, **own, "PREFECT_HOME": str(run_dir / "prefect"), "COLUMNS": "200"}

    def call(self, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        """Call a command as its user does, with the server's login."""
        return self._call(*command, **{"PREFECT_API_AUTH_STRING": self.login(), **more})

    def begin(self, *command: str | Path) -> subprocess.Popen[str]:
        environment = {**self.environment, "PREFECT_API_AUTH_STRING": self.login()}
        return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, verb: str, **more: str) -> subprocess.CompletedProcess[str]:
        return self._call("deployments/server.sh", verb, **more)

    def _call(self, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        return subprocess.run(command, env=environment, text=True, capture_output=True, check=False, timeout=300)

    def pid(self, name: str) -> int:
        return int((self.run_dir / f"{name}.pid").read_text().split()[0])

    def login(self) -> str:
        """Return the login of the server, which is up; "" if it is not the one that was made."""
        return login_of(self.run_dir)

    def get(self, path: str) -> Any:
        return json.loads(self.ask("GET", path))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return json.loads(self.ask("POST", path, body))

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None, **head: str) -> bytes:
        """Ask the server as its user does, with more headers; return the body of the answer."""
        data = None if body is None else json.dumps(body).encode()
        head = {**headers_for(self.url, self.login()), **head}
        request = urllib.request.Request(f"{self.url}/{path}", data, head, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            content: bytes = answer.read()
            return content


@contextmanager
def pretended(port: int) -> Iterator[None]:
    """A listener that answers everything as a healthy Prefect server answers a question for its health."""

    class Healthy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"true")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", port), Healthy) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield
        listening.shutdown()
