"""What a step does when a document, a service, the machine or the power fails; without Prefect where it plays no part."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError, GateError, InputError
from tests.endpoints import Endpoint, serving
from tests.flows.conftest import Refresh
from tests.flows.corpora import draw_pdf, paths, rows, staged, task_runs

LENIENT = {"gate": {"max_reject_share": 1.0}}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as served:
        yield served


def llm(endpoint: Endpoint, **own: Any) -> dict[str, Any]:
    return {"chunk": {"strategy": "llm", "endpoint": endpoint.url, "size_tokens": 100, **own}}


def test_a_second_broken_document_is_rejected_like_the_first(
    prefect_refresh: Refresh, texts: Path, corpus: Path, tiny_embedder: str
) -> None:
    options = {"embed": {"model": tiny_embedder}, "chunk": {"size_tokens": 100}, **LENIENT}
    prefect_refresh(texts, corpus, **options)
    for n in (1, 2, 3):
        (texts / f"bad{n}.txt").write_bytes(b"a\0b" + bytes([n]))
        assert prefect_refresh(texts, corpus, **options)["outcome"] == "published"
        assert paths(corpus, "rejects") == {f"bad{i}.txt" for i in range(1, n + 1)}


def test_an_error_that_is_no_documents_ends_the_run_with_its_own_message(
    prefect_refresh: Refresh, plain: Refresh, texts: Path, tmp_path: Path, endpoint: Endpoint, tiny_embedder: str
) -> None:
    given = llm(endpoint, api_key_variable="NOPE_THERE_IS_NONE")
    for n, run in enumerate((plain, prefect_refresh)):
        with pytest.raises(InputError, match="the environment variable NOPE_THERE_IS_NONE is not set"):
            run(texts, tmp_path / f"corpus-{n}", embed={"model": tiny_embedder}, **given)


def test_an_endpoint_that_is_down_for_a_while_is_asked_again_by_prefect(
    prefect_refresh: Refresh, texts: Path, corpus: Path, endpoint: Endpoint, tiny_embedder: str
) -> None:
    endpoint.failures = 2
    outcome = prefect_refresh(texts, corpus, embed={"model": tiny_embedder}, limits={"retry_seconds": (0, 0, 0)}, **llm(endpoint))
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt"}
    [chunk] = [run for run in task_runs(outcome["run_id"]) if run.name.startswith("chunk")]
    assert (chunk.state_name, chunk.run_count) == ("Completed", 3)


def test_an_endpoint_that_stays_down_leaves_rejects_that_every_refresh_tries_again(
    plain: Refresh, texts: Path, corpus: Path, endpoint: Endpoint
) -> None:
    endpoint.status = 503
    given = {**llm(endpoint), "limits": {"retry_seconds": (0,)}, **LENIENT}
    for _ in range(5):
        plain(texts, corpus, **given)
        assert {(row["error"], row["final"], row["attempts"]) for row in rows(corpus, "rejects")} == {("ServiceError", False, 1)}
    endpoint.status = 200
    plain(texts, corpus, **given)
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt"}
    assert not [row for row in rows(corpus, "rejects") if row["page_number"] == 0]


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (RuntimeError("a tensor is odd"), "WorkerError", "a tensor is odd"),
        (RuntimeError("CUDA out of memory"), "LimitError", "lower embed.batch_tokens"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), "LimitError", "limits.memory_mb does not bound"),
        (MemoryError("Unable to allocate 3 GiB for an array"), "LimitError", "limits.memory_mb does not bound"),
    ],
)
def test_a_text_that_cannot_be_embedded_rejects_its_document_only(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, kind: str, told: str
) -> None:
    from tasks.embed.io.embedder import Embedder

    encode = Embedder.encode

    def failing(self: Embedder, given: Any, *tokens: Any) -> Any:
        if any("mill" in text for text in given):
            raise error
        return encode(self, given, *tokens)

    monkeypatch.setattr(Embedder, "encode", failing)
    plain(texts, corpus, chunk={"size_tokens": 100}, gate={"max_reject_share": 0.4})
    assert paths(corpus) == {"a.txt", "c.txt"}
    [reject] = rows(corpus, "rejects")
    assert (reject["path"], reject["step"], reject["error"], reject["final"]) == ("b.txt", "embed", kind, False)
    assert told in reject["message"]


def test_a_clean_up_that_fails_is_a_warning_of_a_published_run(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flows import pipeline

    def failing(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("flows.pipeline.clean_up_corpus", failing)
    monkeypatch.setattr("flows.pipeline.PLAIN_CALLS", pipeline.PLAIN_CALLS._replace(report=lambda *_: failing()))
    outcome = plain(texts, corpus, chunk={"size_tokens": 100})
    assert outcome["outcome"] == "published"
    assert [warning.partition(" failed")[0] for warning in outcome["warnings"]] == [
        "the generation is published, but cleaning up",
        "the generation is published, but the report in the UI",
    ]
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt"}


def test_a_full_disk_in_one_batch_ends_the_run_before_the_others_are_computed(
    plain: Refresh, tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.store import files

    source = tmp_path / "many"
    for n in range(60):
        draw_pdf(source / f"{n}.pdf", [f"Report {n} of the year."])
    put = files.write_table_atomically

    def full(path: Path, table: Any) -> None:
        if "parse" in str(path) and len(staged(corpus, "parse")) >= 2:
            raise OSError(28, "No space left on device", str(path))
        put(path, table)

    monkeypatch.setattr(files, "write_table_atomically", full)
    with pytest.raises(CorpusError, match="no space left on its disk; free some space"):
        plain(source, corpus, chunk={"size_tokens": 100})
    assert len(staged(corpus, "parse")) <= 32


def test_the_second_of_two_refreshes_is_refused_before_anything_is_loaded(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.store.locks import hold_lock

    def never(work: Any) -> None:
        raise AssertionError("nothing may be loaded")

    monkeypatch.setattr("flows.cli.refresh.preload_embedder", never)
    with hold_lock(Corpus(str(corpus)).lock("refresh"), 0, "a test"), pytest.raises(ConflictError, match="in use by a test"):
        plain(texts, corpus, chunk={"size_tokens": 100})


def test_progress_is_told_document_by_document(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.workers.progress import Progress

    told: list[tuple[str, float]] = []
    part = Progress.part

    def listening(self: Progress, step: str, document: str, share: float) -> None:
        part(self, step, document, share)
        told.append((step, self.count_done(step)))

    monkeypatch.setattr(Progress, "part", listening)
    plain(texts, corpus, chunk={"size_tokens": 100})
    for step in ("parse", "describe", "chunk", "embed"):
        assert [done for of, done in told if of == step] == [1.0, 2.0, 3.0]


def test_failures_are_kept_with_the_run_and_name_no_place(plain: Refresh, texts: Path, corpus: Path, endpoint: Endpoint) -> None:
    endpoint.status = 503
    with pytest.raises(GateError):
        plain(texts, corpus, limits={"retry_seconds": ()}, gate={"max_reject_share": 0.0}, **llm(endpoint))
    kept = [json.loads(path.read_text()) for path in (corpus / ".pagemill/runs").rglob("failures/*.json")]
    assert {record["reject"]["error"] for record in kept} == {"ServiceError"}
    assert len(kept) == 3
