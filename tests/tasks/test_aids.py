"""The endpoint is a small server on the loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from schemas.errors import InputError
from schemas.options import ChunkOptions
from schemas.staged import PROPOSED
from tasks.aids import propose, read_proposal
from tasks.chunk import sentences_of
from tests.tasks.described import plain

ROW = plain("The mill stands. The river rose. It froze. The wheel broke. ")


class Endpoint:
    """Answers every chat with `answer`; remembers what it was asked."""

    def __init__(self) -> None:
        self.answer, self.status = "[2]", 200
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.asked.append({"path": self.path, **json.loads(body)})
                endpoint.keys.append(self.headers["Authorization"])
                self.send_response(endpoint.status)
                self.end_headers()
                self.wfile.write(json.dumps({"choices": [{"message": {"content": endpoint.answer}}]}).encode())

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    served = Endpoint()
    thread = threading.Thread(target=served.server.serve_forever, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()


def options(endpoint: Endpoint, **own: Any) -> ChunkOptions:
    return ChunkOptions(strategy="llm", endpoint=endpoint.url, chat_model="small", **own)


def test_a_model_proposes_boundaries_by_sentence_numbers(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILL_KEY", "secret")
    table = propose(ROW, options(endpoint, api_key_variable="MILL_KEY"))
    assert table.schema == PROPOSED
    starts = sentences_of(ROW).starts
    assert read_proposal(table).breaks == [starts[0], starts[2]]
    [asked] = endpoint.asked
    assert (asked["path"], asked["model"], asked["temperature"]) == ("/v1/chat/completions", "small", 0)
    assert asked["messages"][1]["content"].startswith("[0] The mill stands.\n[1]")
    assert endpoint.keys == ["Bearer secret"]


@pytest.mark.parametrize(
    ("answer", "status", "reason"), [("I cannot", 200, "no list"), ("[7]", 200, "not among"), ("[2]", 500, "500")]
)
def test_a_useless_answer_leaves_a_reason(endpoint: Endpoint, answer: str, status: int, reason: str) -> None:
    endpoint.answer, endpoint.status = answer, status
    aids = read_proposal(propose(ROW, options(endpoint)))
    assert aids.breaks == []
    assert reason in aids.reason


def test_a_key_that_is_not_set_is_an_error(endpoint: Endpoint) -> None:
    with pytest.raises(InputError, match="MILL_KEY is not set"):
        propose(ROW, options(endpoint, api_key_variable="MILL_KEY"))
