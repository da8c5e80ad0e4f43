"""`pagemill serve`: its answers, its errors, who may ask, and what it sees of refreshes, rollbacks and purges."""

import io
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import pagemill
from schemas.corpus import Corpus
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.serve.access import HEADERS
from tests.flows.conftest import Refresh
from tests.flows.serving.conftest import Published
from tests.flows.serving.servers import COMMAND, SECONDS, Running, serving

pytestmark = pytest.mark.slow
TOKEN = "0123456789abcdef-token"


def first(server: Running, question: str, **more: object) -> dict[str, Any]:
    status, found = server.get("/search", q=question, **more)
    assert status == 200, found
    hit: dict[str, Any] = found["results"][0]
    return hit


def test_http_and_python_give_the_same_answer(server: Running, published_corpus: Published) -> None:
    for mode in ("hybrid", "dense", "fts"):
        for returned in ("passages", "chunks", "parents"):
            _, found = server.get("/search", q="rainfall in the valley", k=3, mode=mode, **{"return": returned})
            hits = pagemill.open(published_corpus.corpus).search("rainfall in the valley", 3, mode, returned=returned)
            assert [hit["text"] for hit in found["results"]] == [hit.text for hit in hits]
            assert found["generation"] == 1 and found["results"][0]["score"] == pytest.approx(hits[0].score, abs=1e-5)


def test_a_budget_is_filled_and_documents_are_ranked(server: Running) -> None:
    assert server.get("/search", q="heron")[1]["answered"] is None  # nobody knows what cosines of this embedder mean
    _, few = server.get("/search", q="rainfall in the valley", budget=200)
    _, many = server.get("/search", q="rainfall in the valley", budget=2500)
    assert 0 < len(few["results"]) <= len(many["results"])
    _, documents = server.get("/search", q="rainfall in the valley", k=3, by="document")
    paths = [hit["path"] for hit in documents["results"]]
    assert len(paths) == len({*paths}) == 3


def test_a_condition_narrows_results_and_documents(server: Running) -> None:
    assert first(server, "heron", where="path = 'guide.md'")["path"] == "guide.md"
    _, listed = server.get("/documents", where="n_pages > 1")
    assert [row["path"] for row in listed["documents"]] == ["report.pdf"]
    _, rest = server.get("/documents", offset=2, limit=2)
    _, everything = server.get("/documents")
    assert rest["documents"] == everything["documents"][2:4] and rest["n_documents"] == len(everything["documents"]) == 7


def test_a_passage_leads_to_its_document_page_and_picture(server: Running) -> None:
    hit = first(server, "The reservoir was full by March")
    assert (hit["path"], hit["pages"][-1]) == ("report.pdf", 2)
    path = f"/documents/{hit['document_id']}"
    _, part = server.get(path, page=2)
    assert part["text"] == "The reservoir was full by March." and part["n_pages"] == 2
    status, kind, png, headers = server.fetch(f"{path}/pages/2")
    assert (status, kind) == (200, "image/png")
    scale = Image.open(io.BytesIO(png)).width / float(headers["Page-Width"])
    [box] = [box["bbox"] for box in hit["boxes"] if box["page_number"] == 2]
    inside = Image.open(io.BytesIO(png)).convert("L").crop(tuple(int(box[side] * scale) for side in ("x0", "y0", "x1", "y1")))  # type: ignore[arg-type]
    assert sum(inside.histogram()[:100]) > 0, "there is ink where the box is"


def test_every_wrong_request_is_told_what_to_do(server: Running) -> None:
    cases: list[tuple[str, dict[str, object], int, str]] = [
        ("/search", {}, 400, "q: field required"),
        ("/search", {"q": " "}, 400, "the question is empty"),
        ("/search", {"q": "x" * 100_000}, 400, "100,000 characters: at most 10,000"),
        ("/search", {"q": "\U0001f41f" * 80_000}, 400, "80,000 characters: at most 10,000"),
        ("/search", {"q": "x", "k": 0}, 400, "k '0': input should be greater than or equal to 1"),
        ("/search", {"q": "x", "k": 101}, 400, "k '101': input should be less than or equal to 100"),
        ("/search", {"q": "x", "mode": "sparse"}, 400, "mode 'sparse'"),
        ("/search", {"q": "x", "where": "((", "mode": "fts"}, 400, "does not fit at character 3 (where it ends)"),
        ("/search", {"q": "x", "where": "path = 'a'; DROP"}, 400, "does not fit at character 11"),
        ("/search", {"q": "x", "where": "colour = 'red'"}, 400, "colour"),
        ("/documents", {"where": "colour = 'red'"}, 400, "the columns of documents are"),
        ("/documents/gone", {}, 404, "has no document gone"),
        ("/documents/gone/pages/1", {}, 404, "has no document gone"),
        ("/documents/guide.md/pages/1", {}, 404, "Markdown has no fixed pages"),
        ("/documents/report.pdf/pages/9", {}, 404, "pages 1 to 2: there is no page 9"),
        ("/documents/report.pdf", {"page": 9}, 400, "pages 1 to 2: there is no page 9"),
        ("/nowhere", {}, 404, "GET /nowhere is not offered"),
    ]
    for path, parameters, status, message in cases:
        answered, problem = server.get(path, **parameters)
        assert answered == status and message in problem["message"], (path, problem)


def test_every_answer_has_the_headers_of_safety(server: Running) -> None:
    for path in ("/", "/docs", "/static/app.js", "/openapi.json", "/health", "/search", "/documents", "/nowhere", "/mcp"):
        _, _, _, headers = server.fetch(path)
        assert HEADERS.items() <= {name.lower(): value for name, value in headers.items()}.items(), path


def test_another_name_or_origin_is_refused_on_loopback(server: Running) -> None:
    assert server.get("/search", {"Host": "evil.example"}, q="heron")[0] == 421
    assert server.get("/search", {"Origin": "http://evil.example"}, q="heron")[0] == 403
    assert server.get("/search", {"Sec-Fetch-Site": "cross-site"}, q="heron")[0] == 403
    assert server.get("/search", {"Origin": server.url}, q="heron")[0] == 200


def test_all_paths_are_described(server: Running) -> None:
    described = server.get("/openapi.json")[1]["paths"]
    picture = "/documents/{document_id}/pages/{page}"
    assert set(described) == {"/search", "/documents", "/documents/{document_id}", picture, "/health"}
    assert {each["name"] for each in described["/search"]["get"]["parameters"]} == {
        "q",
        "k",
        "mode",
        "where",
        "return",
        "budget",
        "by",
        "all",
    }


def test_one_process_without_torch_answers_the_longest_list(server: Running) -> None:
    question = "heron river pump mill rain"
    chunks = server.get("/search", **{"q": question, "k": "100", "return": "chunks"})[1]["results"]
    passages = server.get("/search", q=question, k=100)[1]["results"]
    assert len(chunks) > 5 and passages
    assert "libtorch" not in server.libraries()


def test_health_tells_the_generation(server: Running) -> None:
    status, state = server.get("/health")
    assert (status, state["status"], state["generation"], state["n_documents"]) == (200, "ok", 1, 7)


def test_a_token_opens_what_is_closed_without_it(published_corpus: Published) -> None:
    with serving(published_corpus.corpus, PAGEMILL_SERVE_TOKEN=TOKEN) as locked:
        for path in ("/search?q=heron", "/documents", "/mcp"):
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                status, problem = locked.get(path, headers)
                assert status == 401 and "PAGEMILL_SERVE_TOKEN" in problem["message"]
        assert locked.get("/health")[0] == locked.get("/")[0] == 200
        assert locked.get("/search", {"Authorization": f"Bearer {TOKEN}", "Host": "corpus.example.org"}, q="heron")[0] == 200
        _, problem = locked.get("/documents/report.pdf/pages/1", {"Authorization": f"Bearer {TOKEN}"})
        assert "start the server with --source main=FOLDER" in problem["message"]


def refused(*arguments: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_server_that_cannot_begin_says_why(server: Running, published_corpus: Published, tmp_path: Path) -> None:
    corpus = published_corpus.corpus
    port = server.url.rpartition(":")[2]
    assert f"cannot listen at 127.0.0.1 port {port} (address already in use" in refused("--corpus", corpus, "--port", port)
    assert "PAGEMILL_SERVE_TOKEN" in refused("--corpus", corpus, "--host", "0.0.0.0", PAGEMILL_SERVE_TOKEN="")
    assert "openssl rand" in refused("--corpus", corpus, PAGEMILL_SERVE_TOKEN="short")
    assert "is not a folder" in refused("--corpus", tmp_path / "gone")
    assert "not a folder" in refused("--corpus", corpus, "--source", tmp_path / "gone")


def test_a_signal_ends_it_without_a_complaint(published_corpus: Published) -> None:
    with serving(published_corpus.corpus) as running:
        assert running.get("/health")[0] == 200
    assert running.process.returncode == 0


def test_refreshes_rollbacks_and_purges_are_seen_by_the_next_question(
    plain: Refresh, source: Path, corpus: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    corpus.mkdir()
    with serving(corpus) as running:
        assert not running.said["ready"] and "holds no published corpus" in capfd.readouterr().err
        status, problem = running.get("/search", q="heron")
        assert status == 503 and "refresh it first" in problem["message"]
        assert running.get("/health")[0] == 503
        plain(source, corpus)
        assert first(running, "heron", mode="fts")["path"] == "notes.txt"
        (source / "notes.txt").write_text("The stork stands on the roof.")
        plain(source, corpus)
        assert first(running, "stork", mode="fts")["path"] == "notes.txt"
        roll_back_corpus(Corpus(str(corpus)), 1, "run")
        assert "heron" in first(running, "heron", mode="fts")["text"]
        assert running.get("/search", q="stork", mode="fts")[1]["results"] == []
        name = first(running, "heron", mode="fts")["document_id"]
        purge_document(Corpus(str(corpus)), "main", "notes.txt", "run2")
        assert running.get("/search", q="heron stork", mode="fts")[1]["results"] == []
        assert running.get(f"/documents/{name}")[0] == 404
        assert running.get("/health")[1]["generation"] == 4


def test_no_answer_fails_while_generations_come_and_go(plain: Refresh, source: Path, corpus: Path) -> None:
    plain(source, corpus)
    stopped, answers = threading.Event(), list[tuple[int, Any]]()

    def ask() -> None:
        while not stopped.wait(0.02):  # four that never wait would leave the refreshes little of the processor
            answers.append(running.get("/search", q="What does the pump need?", k=3))

    with serving(corpus) as running:
        answers.append(running.get("/search", q="pump"))
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(3):
            (source / "notes.txt").write_text(f"The heron of year {number} stands in the river.")
            plain(source, corpus)
        roll_back_corpus(Corpus(str(corpus)), 2, "run")
        for path in ("history.txt", "notes.txt"):
            purge_document(Corpus(str(corpus)), "main", path, f"run-{path}")
        answers.append(running.get("/search", q="pump"))
        stopped.set()
        for thread in threads:
            thread.join()
    assert {status for status, _ in answers} == {200}, [found for status, found in answers if status != 200][:3]
    assert {found["generation"] for _, found in answers} >= {1, 7}
    assert all(found["results"] for _, found in answers)
