"""What one client can do to the others of `pagemill serve`: slow pictures, wrong tokens, long paths, costly conditions."""

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.flows.conftest import Refresh
from tests.flows.serving.conftest import Published
from tests.flows.serving.servers import SECONDS, Running, serving
from tests.slow_page import draw_slow_pdf

pytestmark = pytest.mark.slow
TOKEN = "0123456789abcdef-token"


def test_a_page_that_is_slow_to_draw_keeps_nobody_waiting_for_other_answers(plain: Refresh, source: Path, corpus: Path) -> None:
    draw_slow_pdf(source / "slow.pdf")
    plain(source, corpus)
    answers = list[tuple[int, Any]]()
    with serving(corpus, "--source", source) as running:
        asked = [threading.Thread(target=lambda: answers.append(running.get("/documents/slow.pdf/pages/1"))) for _ in range(12)]
        for thread in asked:
            thread.start()
        for path in ("/health", "/documents", "/search?q=heron&mode=fts"):
            assert running.get(path)[0] == 200
        assert answers == [], "the picture is still being drawn"
        for thread in asked:
            thread.join(SECONDS)
        while (last := running.get("/documents/slow.pdf/pages/1"))[0] != 404:
            assert last[0] == 503, "on a busy machine it may take longer than an answer"
        assert "cannot be drawn: no page was finished within 5 s" in last[1]["message"]
        assert all(status == 503 or problem == last[1] for status, problem in answers), "it was tried once"


def test_a_wrong_token_is_logged_and_waits(published_corpus: Published, capfd: pytest.CaptureFixture[str]) -> None:
    wrong: list[int] = []
    with serving(published_corpus.corpus, PAGEMILL_SERVE_TOKEN=TOKEN) as locked:
        bearer = {"Authorization": f"Bearer {TOKEN[:-1]}"}
        asked = [threading.Thread(target=lambda: wrong.append(locked.get("/documents", bearer)[0])) for _ in range(5)]
        for thread in asked:
            thread.start()
        assert locked.get("/documents", {"Authorization": f"Bearer {TOKEN}"})[0] == 200
        assert wrong == []
        for thread in asked:
            thread.join(SECONDS)
    assert wrong == [401] * 5
    logged = capfd.readouterr().err
    assert logged.count("a token was refused, from 127.0.0.1") == 1 and TOKEN[:-1] not in logged


def test_a_long_path_is_not_sent_back(server: Running) -> None:
    for path in ("/" + "a" * 900_000, "/documents/" + "a" * 900_000, "/documents/" + "a" * 900_000 + "/pages/1"):
        status, _, content, _ = server.fetch(path)
        assert status == 404 and len(content) < 1000


@pytest.mark.parametrize("path", ["/documents", "/search"])
def test_conditions_that_ended_the_server_are_refused(server: Running, path: str) -> None:
    for where in ("+".join(["1"] * 4900) + ">0", "length(repeat(text, 1000000)) > 0", "regexp_replace(text, '.', 'x') = ''"):
        status, problem = server.get(path, where=where, q="lamp")
        assert status == 400 and "does not fit at character" in problem["message"]
    assert server.process.poll() is None


def test_half_sent_requests_keep_nobody_out(server: Running) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    half = [socket.create_connection((host, int(port)), timeout=SECONDS) for _ in range(250)]
    for client in half:
        client.sendall(b"GET /health HTTP/1.1\r\nX: ")
    assert server.get("/health")[0] == 200
    for client in half:
        client.close()
