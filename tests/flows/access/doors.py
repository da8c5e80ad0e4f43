"""All doors through which a corpus answers, as functions that return what they tell as JSON values."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient
from typer.testing import CliRunner

import pagemill
from flows.cli.main import make_cli_application
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import PagemillError
from tasks.search.io.ask import answer_question
from tasks.search.io.figures import find_figures
from tasks.search.io.retrieve import CorpusEmbedder, Searcher
from tasks.serve.io.http import Keys, make_http_application
from tasks.serve.io.mcp import is_mcp_installed, make_mcp_routes
from tasks.serve.io.service import Service
from tasks.serve.io.threads import Threads
from tasks.serve.io.tokens import TokenFile
from tasks.store import published
from tasks.store.access import OpenTables
from tests.tasks.small_corpus import DIMENSION

TOKEN = "token-of-the-leak-test"
MOST = 100
Answer = dict[str, Any]


def embed(text: str) -> list[float]:
    """Return a vector that depends on the words of a text."""
    found = np.full(DIMENSION, 0.1)
    for word in text.lower().split():
        found[hashlib.sha256(word.encode()).digest()[0] % DIMENSION] += 1
    whole: list[float] = (found / np.linalg.norm(found)).tolist()
    return whole


class WordEmbedder(CorpusEmbedder):
    """An embedder of questions by their words."""

    @cached_property
    def provider(self) -> Any:
        """Return itself: it embeds."""
        return self

    def with_memory(self, _: object) -> "WordEmbedder":
        """Return itself: it remembers nothing."""
        return self

    def encode_queries(self, questions: list[str]) -> Any:
        """Return the vectors of questions."""
        return np.array([embed(question) for question in questions], np.float32)


def tell(call: Callable[[], Any]) -> Answer:
    """Return what a call returns, or its error."""
    try:
        return {"told": call()}
    except PagemillError as error:
        return {"error": type(error).__name__, "message": str(error)}


class Doors:
    """A corpus, asked by someone at every door."""

    def __init__(self, folder: Path, principal: Principal | None) -> None:
        self.corpus, self.principal = Corpus(str(folder)), principal
        self._flags = [] if principal is None else ["--as", f"groups={','.join(sorted(principal.groups))}"]

    def search_hybrid(self, question: str, where: str | None) -> Answer:
        """Search with vectors, words, names of documents and their first pages."""
        live = published.read_live_generation(self.corpus)
        searcher = Searcher(self.corpus, live, self.principal, embedding=WordEmbedder(self.corpus, live))
        found = answer_question(searcher, question, MOST, "hybrid", where, "chunks")
        return {"answered": found.answered, "results": [hit.model_dump() for hit in found.hits]}

    def read_figures(self) -> list[dict[str, Any]]:
        """Read a table that does not hold groups itself."""
        tables = OpenTables(self.corpus, published.read_live_generation(self.corpus), self.principal)
        rows: list[dict[str, Any]] = tables.read("figures", ["element_id", "description"]).to_pylist()
        return rows

    def ask_python(self, question: str, where: str | None, document: str) -> dict[str, Answer]:
        """Ask the package."""
        opened = tell(lambda: pagemill.open(self.corpus.uri, as_=self.principal))
        if "error" in opened:
            return {"open": opened}
        corpus = opened["told"]
        asked: dict[str, Callable[[], Any]] = {
            "chunks found": lambda: [
                hit.model_dump() for hit in corpus.search(question, MOST, "fts", where=where, returned="chunks")
            ],
            "passages": lambda: [hit.model_dump() for hit in corpus.search(question, MOST, "fts", where=where)],
            "documents found": lambda: [
                hit.model_dump() for hit in corpus.search(question, 3, "fts", where=where, by="document")
            ],
            "documents": lambda: corpus.documents(where=where).to_pylist(),
            "chunks": lambda: corpus.chunks(where=where).to_pylist(),
            "read": lambda: corpus.read(document).model_dump(),
            "dataset": lambda: str(corpus.dataset("documents")),
            "table": lambda: str(corpus.table("chunks")),
            "clusters": lambda: corpus.duplicates().to_pylist(),
            "feed": lambda: corpus.changes()["documents"].read_all().to_pylist(),
            "likes": lambda: corpus.documents(["path", "duplicate_of"]).to_pylist(),
            "alike": lambda: corpus.documents(where="duplicate_of IS NOT NULL").to_pylist(),
            "generations": lambda: corpus.generations().to_pylist(),
            "figures": lambda: [hit.model_dump() for hit in find_figures(self.corpus, question, MOST, principal=self.principal)],
            "figures as they lie": lambda: self.read_figures(),
            "hybrid": lambda: self.search_hybrid(question, where),
        }
        return {name: tell(call) for name, call in asked.items()}

    def ask_command_line(self, question: str, where: str | None, documents: str) -> dict[str, Answer]:
        """Call the commands."""
        given = [*self._flags, "--corpus", self.corpus.uri]
        calls = {
            "search": ["search", question, "--mode", "fts", "-k", str(MOST), *(["--where", where] if where else [])],
            "figures": ["search", question, "--figures"],
            "documents": ["documents", *(["--where", where] if where else [])],
            "duplicates": ["duplicates"],
            "log": ["access", "log"],
            "changes": ["changes", "--since", "0"],
            "rejects": ["rejects"],
            "validations": ["validations"],
            "metrics": ["metrics"],
            "scores": ["scores"],
            "report": ["report", "--out", str(Path(self.corpus.uri).parent / "report.html")],
            "compare": ["compare", "latest", "previous"],
            "evaluate": ["evaluate", "--questions", documents],
            "check": ["questions", "check", documents],
            "generate": ["questions", "generate", "--out", str(Path(self.corpus.uri).parent / "made.jsonl")],
            "finetune": ["finetune", "--questions", documents, "--out", str(Path(self.corpus.uri).parent / "model")],
        }
        return {name: _run([*call, *given, "--json"]) for name, call in calls.items()}

    @contextmanager
    def serve(self) -> "Iterator[Callable[[str, str | None, str], dict[str, Answer]]]":
        """Serve the corpus; yield what asks the server over HTTP and MCP."""
        made = {"sha256": hashlib.sha256(TOKEN.encode()).hexdigest(), "groups": [], "expires": "2999-12-31"}
        made["groups"] = sorted(self.principal.groups) if self.principal else []
        tokens = Path(self.corpus.uri).parent / "tokens.jsonl"
        tokens.touch(0o600)
        tokens.write_text(json.dumps(made))
        service, threads = Service(self.corpus, {}, mcp=True), Threads()
        mcp = make_mcp_routes(service, threads) if is_mcp_installed() else None
        keys = Keys(tokens=TokenFile(tokens)) if self.principal else Keys()
        with TestClient(make_http_application(service, threads, keys, mcp), base_url="http://localhost") as client:
            if self.principal:
                client.headers["authorization"] = f"Bearer {TOKEN}"

            def ask(question: str, where: str | None, document: str) -> dict[str, Answer]:
                narrowed = {"where": where} if where else {}
                found = {
                    "search": client.get("/search", params={"q": question, "mode": "fts", "k": MOST, **narrowed}),
                    "documents": client.get("/documents", params=narrowed),
                    "document": client.get(f"/documents/{document}"),
                    "picture": client.get(f"/documents/{document}/pages/1"),
                    "health": client.get("/health"),
                    "page": client.get("/"),
                }
                for name, arguments in (("read_document", {"document": document}),) if mcp else ():
                    call = {"name": name, "arguments": arguments}
                    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                    accepted = {"accept": "application/json, text/event-stream"}
                    found[f"mcp {name}"] = client.post("/mcp", json=body, headers=accepted)
                return {name: {"status": answer.status_code, "text": answer.text} for name, answer in found.items()}

            yield ask


def _run(call: list[str]) -> Answer:
    done = CliRunner().invoke(make_cli_application(), call)
    error = done.exception if isinstance(done.exception, PagemillError) else None
    assert done.exception is None or error or isinstance(done.exception, SystemExit), done.exception
    return {"output": done.output, "error": type(error).__name__ if error else "", "message": str(error or "")}
