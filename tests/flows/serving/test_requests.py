"""Drawn HTTP and MCP requests to a real server: as many as TEST_REQUESTS says, 100 by default."""

import json
import os
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.serve.io.connections import REQUEST_SECONDS
from tasks.serve.io.threads import ANSWER_SECONDS
from tests.flows.serving.servers import Running
from tests.tasks.search.conditions.table import FRAGMENTS

pytestmark = pytest.mark.slow
EXAMPLES = int(os.environ.get("TEST_REQUESTS", "100"))
LATEST_SECONDS = REQUEST_SECONDS + ANSWER_SECONDS + 5
DOCUMENTED = {200, 202, 206, 307, 400, 401, 403, 404, 405, 406, 413, 415, 416, 421, 503}
GROWTH_BYTES = 200 << 20
JSON_ACCEPTED = "application/json, text/event-stream"

TEXTS = st.one_of(st.text(max_size=40), st.sampled_from(["heron", "", "\x00", "x" * 10_001, "🐟" * 300, "../../etc/passwd", "%"]))
NUMBERS = st.one_of(st.integers(-2, 120), st.integers(), st.sampled_from(["1e9", "NaN", "-0", "²", ""]))
WHERE = st.one_of(
    st.sampled_from(
        ["path LIKE '%.pdf'", "n_pages > 1", "array_has(section, 'Care')", "kind = 'text' AND n_tokens < 50", "author IS NULL"]
    ),
    st.lists(st.sampled_from([*FRAGMENTS, "path", "n_pages", "'a'", "1", "=", "("]), max_size=8).map(" ".join),
    st.text(max_size=30),
)
DOCUMENTS = st.one_of(
    st.sampled_from(["report.pdf", "guide.md", "gone", "sub/plan.md", "..", "%2e%2e/%2e%2e", "a" * 5000]), TEXTS
)
PARAMETERS: dict[str, st.SearchStrategy[Any]] = {
    "q": TEXTS,
    "k": NUMBERS,
    "mode": st.sampled_from(["hybrid", "dense", "fts", "sparse", ""]),
    "where": WHERE,
    "return": st.sampled_from(["passages", "chunks", "parents", "x"]),
    "budget": NUMBERS,
    "by": st.sampled_from(["page", "document", "x"]),
    "offset": NUMBERS,
    "limit": NUMBERS,
    "page": NUMBERS,
    "start": NUMBERS,
    "length": NUMBERS,
}
HEADERS = st.lists(
    st.sampled_from(
        [
            b"Host: evil.example",
            b"Origin: http://evil.example",
            b"Sec-Fetch-Site: cross-site",
            b"Sec-Fetch-Site: same-origin",
            b"Connection: close",
            b"Connection: upgrade\r\nUpgrade: websocket",
            b"Expect: 100-continue",
            b"Range: bytes=0-1",
            b"Accept: */*;q=\xff",
            b"Authorization: Bearer x",
            b"X: " + b"a" * 50_000,
            b"Content-Encoding: gzip",
        ]
    ),
    max_size=2,
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def http_requests(draw: st.DrawFn) -> bytes:
    """A request to one of the paths, or to none."""
    document = quote(draw(DOCUMENTS), safe="/.%")
    page = quote(str(draw(NUMBERS)))
    paths = ["/search", "/search", "/documents", f"/documents/{document}", f"/documents/{document}/pages/{page}"]
    paths += ["/health", "/", "/docs", "/openapi.json", "/static/app.js", f"/static/{document}", f"/{document}"]
    names = draw(st.lists(st.sampled_from([*PARAMETERS]), max_size=5))
    query = urlencode([(name, str(draw(PARAMETERS[name]))) for name in names], errors="surrogatepass")
    method = draw(st.sampled_from(["GET"] * 6 + ["HEAD", "POST", "PUT", "OPTIONS", "DELETE", "PATCH", "TRACE", "get", "X" * 99]))
    return _written(draw, method, f"{draw(st.sampled_from(paths))}?{query}", draw(st.binary(max_size=20)))


@st.composite
def mcp_requests(draw: st.DrawFn) -> bytes:
    """A call of MCP: right, nearly right, or no JSON."""
    arguments = {
        "question": draw(st.one_of(TEXTS, VALUES)),
        "k": draw(st.one_of(NUMBERS, VALUES)),
        "where": draw(st.one_of(WHERE, VALUES)),
        "document": draw(DOCUMENTS),
        "page": draw(NUMBERS),
        "length": draw(NUMBERS),
    }
    chosen = {name: arguments[name] for name in draw(st.sets(st.sampled_from([*arguments])))}
    tool = draw(st.sampled_from(["search", "read_document", "x"]))
    call = {"name": tool, "arguments": draw(st.one_of(st.just(chosen), VALUES))}
    methods = st.sampled_from(["tools/call"] * 4 + ["tools/list", "initialize", "ping", "resources/list", "x"])
    asked: Any = {"jsonrpc": "2.0", "id": draw(st.one_of(st.just(1), VALUES)), "method": draw(methods), "params": call}
    if draw(st.integers(0, 9)) == 0:
        asked = draw(st.one_of(VALUES, st.just([asked] * 3)))
    body = json.dumps(asked).encode()
    if draw(st.integers(0, 9)) == 0:
        body = draw(st.sampled_from([body[:-5], b"[" * 3000, b"\xff" + body, b"", b'{"id":1e999}', b"x" * 300_000]))
    method = draw(st.sampled_from(["POST"] * 9 + ["DELETE", "PUT"]))
    return _written(draw, method, "/mcp", body, b"content-type: application/json\r\naccept: " + JSON_ACCEPTED.encode())


def _written(draw: st.DrawFn, method: str, target: str, body: bytes, more: bytes = b"") -> bytes:
    headers = [b"Host: localhost", *([more] if more else []), *draw(HEADERS), b"Content-Length: %d" % len(body)]
    return b"%s %s HTTP/1.1\r\n%s\r\n\r\n" % (method.encode(), target.encode(), b"\r\n".join(headers)) + body


@st.composite
def malformed(draw: st.DrawFn) -> bytes:
    """A request of which some bytes were changed, cut or repeated, sent whole."""
    sent = draw(st.one_of(http_requests(), mcp_requests()))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(sent)))
        end = min(len(sent), start + draw(st.integers(0, 30)))
        sent = sent[:start] + draw(st.one_of(st.binary(max_size=6), st.just(sent[start:end] * 2))) + sent[end:]
    return sent


class Measured:
    """A server, and its memory once it has answered some questions."""

    def __init__(self, server: Running) -> None:
        self.server = server
        for number in range(60):
            assert server.get("/search", q=f"heron {number}")[0] == 200
        self._process = psutil.Process(server.process.pid)
        self._before = self._process.memory_info().rss

    def ask(self, sent: bytes, whole: bool = True) -> int | None:
        """Return the status of the answer; None where the server ends the connection of what is not `whole`."""
        host, _, port = self.server.url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=LATEST_SECONDS) as client:
            try:
                client.sendall(sent)
                if not whole:
                    client.shutdown(socket.SHUT_WR)
                first = client.makefile("rb")
                while (line := first.readline(10_000)).startswith(b"HTTP/1.1 100"):
                    first.readline()
                return int(line.split()[1]) if line or whole else None
            except TimeoutError:
                raise
            except OSError:
                return None

    def check(self) -> None:
        assert self.server.get("/health")[0] == 200
        assert self._process.memory_info().rss < self._before + GROWTH_BYTES


@pytest.fixture(scope="module")
def measured(server: Running) -> Iterator[Measured]:
    found = Measured(server)
    yield found
    found.check()


@settings(max_examples=EXAMPLES)
@given(sent=http_requests())
def test_a_request_is_answered_as_documented(measured: Measured, sent: bytes) -> None:
    assert measured.ask(sent) in DOCUMENTED


@settings(max_examples=EXAMPLES)
@given(sent=mcp_requests())
def test_a_call_of_mcp_is_answered(measured: Measured, sent: bytes) -> None:
    pytest.importorskip("mcp")
    assert measured.ask(sent) in DOCUMENTED


@settings(max_examples=EXAMPLES)
@given(sent=malformed())
def test_what_is_hardly_a_request_is_answered_or_ended(measured: Measured, sent: bytes) -> None:
    assert measured.ask(sent, whole=False) in DOCUMENTED | {None}
