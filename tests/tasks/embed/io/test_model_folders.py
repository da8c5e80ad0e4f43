"""Models by a hub id, against a hub on loopback that answers as the real one does."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from PIL import Image

from tasks.describe.io.clip_files import BUNDLED
from tests.tasks.describe.io.test_clip import random_model

COMMIT = "0" * 39 + "1"
DESCRIBE = """
import sys
from flows.cli.main import main, make_cli_application, silence_libraries
picture, *before, model = sys.argv[1:]
silence_libraries()
for other in before:
    make_cli_application()(["describe", picture, "--json", "--clip-model", other], standalone_mode=False)
sys.argv = ["pagemill", "describe", picture, "--json", "--clip-model", model]
main()
"""
"""Describes a picture by one model after the other."""


def handler(folder: Path, asked: list[str]) -> type[BaseHTTPRequestHandler]:
    """Return what answers requests for the files of `folder`, and notes their paths in `asked`."""

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            name = self.path.rpartition("/")[2]
            files = sorted(folder.iterdir())
            if self.path.startswith("/api/models/owner/name/tree"):
                sizes = [{"type": "file", "path": file.name, "size": file.stat().st_size, "oid": COMMIT} for file in files]
                self.answer(json.dumps(sizes).encode())
            elif self.path.startswith("/api/models/owner/name"):
                named = [{"rfilename": file.name} for file in files]
                self.answer(json.dumps({"id": "owner/name", "sha": COMMIT, "siblings": named}).encode())
            elif self.path.startswith("/owner/name/resolve/") and (folder / name).is_file():
                self.answer((folder / name).read_bytes())
            else:
                self.send_error(404)

        do_HEAD = do_GET

        def answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output free of requests."""

    return Hub


@contextmanager
def hub(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve the files of `folder` as the model owner/name; yield the address, and the paths that were asked for."""
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(folder, asked))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def describe(picture: Path, endpoint: str, cache: Path, *models: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"}
    environment |= {"HF_ENDPOINT": endpoint, "HF_HOME": str(cache), "HF_HUB_DISABLE_XET": "1"}
    command = [sys.executable, "-c", DESCRIBE, str(picture), *models]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


def test_a_hub_id_is_fetched_once_and_the_hub_is_asked_for_nothing_else(tmp_path: Path) -> None:
    model = random_model(tmp_path / "model", "clip")
    (model / "pytorch_model.bin").write_bytes(b"pickled")
    (model / "modeling.py").write_text("raise SystemExit('remote code')")
    picture = tmp_path / "red.png"
    Image.new("RGB", (60, 40), "red").save(picture)
    with hub(model) as (endpoint, asked):
        first = describe(picture, endpoint, tmp_path / "cache", BUNDLED, "owner/name")
        assert first.returncode == 0, first.stderr
        assert all("owner/name" in path for path in asked)
        assert any(path.endswith("model.safetensors") for path in asked)
        assert not any(path.endswith((".bin", ".py")) for path in asked)
    second = describe(picture, endpoint, tmp_path / "cache", "owner/name")
    bundled, named = first.stdout.splitlines()
    assert (second.returncode, second.stdout) == (0, f"{named}\n")
    assert json.loads(named)["confidence"] is not None and named != bundled


def test_a_hub_that_does_not_answer_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    picture = tmp_path / "red.png"
    Image.new("RGB", (60, 40), "red").save(picture)
    refused = describe(picture, "http://127.0.0.1:9", tmp_path / "cache", "owner/name")
    assert refused.returncode == 1
    assert "'owner/name' cannot be downloaded from the hub" in refused.stderr
    assert "directory of a downloaded copy" in refused.stderr
    assert "Traceback" not in refused.stderr
