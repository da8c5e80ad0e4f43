"""A real server process of a test, on a free port of the loopback."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "flows.cli", "serve"]
SECONDS = 120


class Running:
    """A server that runs: its process, and what it said of itself."""

    def __init__(self, process: "subprocess.Popen[str]", said: dict[str, Any]) -> None:
        self.process, self.said = process, said
        self.url: str = said["url"]

    def get(self, path: str, headers: dict[str, str] | None = None, /, **parameters: Any) -> tuple[int, Any]:
        """Return status and answer: JSON as a value, all else as bytes."""
        status, kind, content, _ = self.fetch(path, headers, **parameters)
        return status, json.loads(content) if kind == "application/json" else content

    def fetch(self, path: str, headers: dict[str, str] | None = None, /, **parameters: Any) -> tuple[int, str, bytes, Any]:
        """Return status, media type, bytes and headers of an answer."""
        query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        request = urllib.request.Request(f"{self.url}{path}{query}", headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, answer.headers.get_content_type(), answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get_content_type(), error.read(), error.headers

    def libraries(self) -> str:
        """Return the files that the process has mapped, such as shared libraries."""
        return Path(f"/proc/{self.process.pid}/maps").read_text()


@contextmanager
def serving(corpus: Path, *arguments: str | Path, **environment: str) -> Iterator[Running]:
    """Serve a corpus for the length of the block."""
    call = [*COMMAND, "--corpus", corpus, "--port", "0", "--json", *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAGEMILL_")}
    process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env={**kept, **environment})
    assert process.stdout
    try:
        yield Running(process, json.loads(process.stdout.readline()))
    finally:
        process.terminate()
        process.wait(SECONDS)
        process.stdout.close()
