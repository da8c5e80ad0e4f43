"""What is staged and remembered saves work, names no place, and is never trusted when it is not whole."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from schemas import versions
from schemas.errors import CorpusError, GateError
from tests.flows.conftest import Refresh
from tests.flows.corpora import computed, paths, rows, task_runs

LENIENT = {"gate": {"max_reject_share": 1.0}}


def refuse(refresh: Refresh, texts: Path, corpus: Path, **options: Any) -> None:
    """Add a broken document, and refresh with a gate that allows none: all is staged, nothing is published."""
    (texts / "bad.txt").write_bytes(b"a\0b")
    with pytest.raises(GateError):
        refresh(texts, corpus, gate={"max_reject_share": 0.0}, **options)


def test_a_moved_corpus_keeps_working_and_a_copied_one_leaves_the_original_alone(
    prefect_refresh: Refresh, texts: Path, tmp_path: Path, tiny_embedder: str
) -> None:
    options = {"embed": {"model": tiny_embedder}, "chunk": {"size_tokens": 100}}
    original, copy, moved = tmp_path / "original", tmp_path / "copy", tmp_path / "moved"
    prefect_refresh(texts, original, **options)
    shutil.copytree(original, copy)
    before = {path: path.stat().st_mtime_ns for path in original.rglob("*") if path.is_file()}
    (texts / "a.txt").write_text("The heron has left.")
    prefect_refresh(texts, copy, **options)
    assert {path: path.stat().st_mtime_ns for path in original.rglob("*") if path.is_file()} == before
    original.rename(moved)
    prefect_refresh(texts, moved, **options)
    assert {row["text"] for row in rows(moved, "documents")} == {row["text"] for row in rows(copy, "documents")}
    assert not original.exists()


def test_what_a_refused_run_did_shows_as_cached_and_names_no_place(
    prefect_refresh: Refresh, texts: Path, corpus: Path, tiny_embedder: str
) -> None:
    options: dict[str, Any] = {"embed": {"model": tiny_embedder}, "chunk": {"size_tokens": 100}}
    refuse(prefect_refresh, texts, corpus, **options)
    outcome = prefect_refresh(texts, corpus, gate={"max_reject_share": 0.5}, **options)
    states = {run.name.split()[0]: run.state_name for run in task_runs(outcome["run_id"])}
    assert {step: states[step] for step in ("parse", "describe", "chunk", "embed")} == dict.fromkeys(
        ("parse", "describe", "chunk", "embed"), "Cached"
    )
    assert computed(outcome) == {"parse": 0, "describe": 0, "chunk": 0, "embed": 0}
    remembered = [path for path in (corpus / ".pagemill/results").iterdir()]
    assert len(remembered) == 4
    assert not any(str(texts.parent) in path.read_text() or "bad.txt" in path.read_text() for path in remembered)


def test_a_cached_step_runs_again_when_a_staged_file_of_it_is_gone(
    prefect_refresh: Refresh, texts: Path, corpus: Path, tiny_embedder: str
) -> None:
    options: dict[str, Any] = {"embed": {"model": tiny_embedder}, "chunk": {"size_tokens": 100}}
    refuse(prefect_refresh, texts, corpus, **options)
    for step in ("parse", "embed"):
        sorted((corpus / ".pagemill/staging" / step).rglob("*.arrow"))[0].unlink()
    outcome = prefect_refresh(texts, corpus, gate={"max_reject_share": 0.5}, **options)
    assert computed(outcome) == {"parse": 4, "describe": 0, "chunk": 0, "embed": 3}
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt"}


def test_an_update_of_a_step_is_refused_until_documents_may_be_computed_again(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(texts, corpus)
    monkeypatch.setattr(versions, "PARSER_VERSION", "0")
    with pytest.raises(CorpusError, match=r"\(parse\.version: \d+ → 0\): compute every document again with --rebuild"):
        plain(texts, corpus)


def test_a_rebuild_with_the_same_recipe_computes_everything_again(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus, chunk={"size_tokens": 100})
    outcome = plain(texts, corpus, chunk={"size_tokens": 100}, publish={"rebuild": True})
    assert computed(outcome) == {"parse": 3, "describe": 3, "chunk": 3, "embed": 3}
    assert outcome["counts"]["changed"] == 3


def test_what_was_staged_before_the_power_failed_is_computed_again(plain: Refresh, texts: Path, corpus: Path) -> None:
    refuse(plain, texts, corpus, chunk={"size_tokens": 100})
    (corpus / ".pagemill/last-run").write_text("another start of the machine")
    for path in (corpus / ".pagemill/staging").rglob("*.arrow"):
        path.write_bytes(bytes(path.stat().st_size))
    outcome = plain(texts, corpus, chunk={"size_tokens": 100}, gate={"max_reject_share": 0.5})
    assert computed(outcome) == {"parse": 4, "describe": 3, "chunk": 3, "embed": 3}
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt"}


def test_a_staged_file_that_was_cut_short_is_computed_again(plain: Refresh, texts: Path, corpus: Path) -> None:
    refuse(plain, texts, corpus, chunk={"size_tokens": 100})
    for step in ("parse", "chunk"):
        cut = sorted((corpus / ".pagemill/staging" / step).rglob("*.arrow"))[0]
        cut.write_bytes(cut.read_bytes()[:-20])
    outcome = plain(texts, corpus, chunk={"size_tokens": 100}, gate={"max_reject_share": 0.5})
    assert computed(outcome) == {"parse": 4, "describe": 0, "chunk": 3, "embed": 0}


def test_temporary_files_and_drafts_of_dead_runs_go_with_the_next_refresh(plain: Refresh, texts: Path, corpus: Path) -> None:
    from tasks.store import files

    plain(texts, corpus, chunk={"size_tokens": 100})
    dead = os.fork()
    if dead == 0:
        with files.LOCAL.open_atomically(corpus / ".pagemill/staging/parse/some.arrow") as sink:
            sink.write(b"half")
            os._exit(9)
    os.waitpid(dead, 0)
    (corpus / ".pagemill/runs/dead").mkdir(parents=True)
    assert list(corpus.rglob(".tmp-*"))
    (texts / "d.txt").write_text("One more.")
    plain(texts, corpus, chunk={"size_tokens": 100})
    assert not list(corpus.rglob(".tmp-*"))
    assert not (corpus / ".pagemill/runs").exists()
