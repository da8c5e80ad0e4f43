"""A refresh tells of itself in events that are valid by OpenLineage's specification, where its variables say; else nowhere."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from schemas.corpus import Corpus
from schemas.errors import GateError
from tasks.store import published
from tests.flows.conftest import Refresh
from tests.tasks.observe.openlineage import validate_event

QUALITY = "dataQualityAssertions"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that events are written to, as OpenLineage's own variables say."""
    transport = {"TYPE": "file", "LOG_FILE_PATH": str(tmp_path / "events.jsonl"), "APPEND": "true"}
    for name, value in transport.items():
        monkeypatch.setenv(f"OPENLINEAGE__TRANSPORT__{name}", value)
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "reports")
    return tmp_path / "events.jsonl"


@pytest.fixture
def told() -> Iterator[list[dict[str, Any]]]:
    """What is sent to a server on loopback, whose address OPENLINEAGE_URL names."""
    events: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            events.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200 if self.path == "/api/v1/lineage" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENLINEAGE_URL", f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield events
        server.shutdown()


def read_events(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_refresh_tells_what_it_reads_what_the_gate_found_and_what_it_published(
    plain: Refresh, texts: Path, corpus: Path, log: Path
) -> None:
    (texts / "metadata.csv").write_text("path,year\na.txt,1987\n")
    run = plain(texts, corpus, columns={"year": "int"})["run_id"]
    assert plain(texts, corpus, columns={"year": "int"})["outcome"] == "nothing changed"
    start, gate, complete = read_events(log)
    assert [event["eventType"] for event in (start, gate, complete)] == ["START", "COMPLETE", "COMPLETE"]
    facets = [validate_event(event) for event in (start, gate, complete)]
    assert start["run"]["runId"] == complete["run"]["runId"] == gate["run"]["facets"]["parent"]["run"]["runId"] == str(UUID(run))
    assert start["job"]["namespace"] == "reports" and start["job"]["name"] == f"pagemill.refresh.{corpus}"
    assert (start["inputs"][0]["namespace"], start["inputs"][0]["name"]) == ("file", str(texts))
    live = published.read_live_generation(Corpus(str(corpus)))
    outputs = {Path(output["name"]).stem: output for output in complete["outputs"]}
    assert {name: int(output["facets"]["version"]["datasetVersion"]) for name, output in outputs.items()} == live.versions
    assert outputs["chunks"]["outputFacets"]["outputStatistics"]["rowCount"] == live.counts["n_chunks"] > 0
    columns = {field["name"]: field["type"] for field in outputs["chunks"]["facets"]["schema"]["fields"]}
    assert columns["text"] == "string" and columns["vector"].startswith("fixed_size_list<item: float>")
    lineage = outputs["chunks"]["facets"]["columnLineage"]["fields"]
    assert [(Path(one["name"]).stem, one["field"]) for one in lineage["text"]["inputFields"]] == [("documents", "text")]
    assert lineage["year"]["inputFields"][0]["transformations"][0]["subtype"] == "IDENTITY"
    assert facets[1].count(QUALITY) == 4
    assertions = [one for dataset in gate["inputs"] for one in dataset["inputFacets"][QUALITY]["assertions"]]
    assert all(one["success"] for one in assertions) and len(assertions) == live.gate["expectations"]
    assert {"documents.1": "document_id", "documents.2": None}.items() <= {
        one["name"]: one.get("column") for one in assertions
    }.items()


def test_a_refused_draft_fails_with_the_gate_and_says_why(
    plain: Refresh, texts: Path, corpus: Path, told: list[dict[str, Any]]
) -> None:
    (texts / "broken.pdf").write_bytes(b"nothing like a PDF")
    with pytest.raises(GateError):
        plain(texts, corpus, gate={"max_reject_share": 0})
    assert [event["eventType"] for event in told] == ["START", "FAIL", "FAIL"]
    assert all(map(validate_event, told))
    message = told[2]["run"]["facets"]["errorMessage"]["message"]
    assert message.startswith("GateError: the draft was refused") and "1 of 4 documents rejected" in message
    assert not corpus.joinpath("generations.lance").exists()


def test_a_refresh_goes_on_where_nobody_listens(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "file")
    with caplog.at_level(logging.WARNING):
        assert plain(texts, corpus)["outcome"] == "published"
    assert "no lineage is sent, OpenLineage's options are wrong: `log_file_path` key" in caplog.text


OFF = """
import sys
import flows.pipeline, flows.refresh, tasks.observe.io.lineage
assert not tasks.observe.io.lineage.is_lineage_wanted()
print([name for name in sys.modules if name.startswith(("openlineage", "opentelemetry.sdk", "opentelemetry.exporter"))])
"""


def test_where_nothing_is_asked_for_nothing_is_imported(tmp_path: Path) -> None:
    unset = ("OPENLINEAGE", "OTEL_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)} | {"HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", OFF], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
