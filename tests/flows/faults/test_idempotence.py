"""Idempotent: a refresh computes what changed, and nothing twice."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from tasks.store import lance
from tests.flows.conftest import Refresh
from tests.flows.corpora import STORIES, age, by_path, computed, rows, staged, versions

pytestmark = pytest.mark.slow


def test_nothing_changed_starts_no_flow_and_writes_nothing(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(source)
    refresh(source, corpus)
    before = versions(corpus)
    from flows.cli import refresh as command

    monkeypatch.setattr(command, "run_refresh_flow", lambda *_: pytest.fail("a flow was started"))
    outcome = refresh(source, corpus)
    assert outcome["outcome"] == "nothing changed"
    assert outcome["counts"] == {"unchanged": 6, "rejected": 1}
    os.utime(source / "notes.txt")
    assert refresh(source, corpus)["outcome"] == "nothing changed"
    assert refresh(source, corpus, plan={"verify": True})["outcome"] == "nothing changed"
    assert versions(corpus) == before


@pytest.mark.usefixtures("prefect_api")
def test_a_flow_that_finds_nothing_to_do_ends_completed_and_says_so(refresh: Refresh, source: Path, corpus: Path) -> None:
    from flows.refresh import refresh as flow

    refresh(source, corpus)
    before = versions(corpus)
    state: Any = flow(str(source), str(corpus), return_state=True)
    assert state.is_completed()
    assert state.name == "nothing changed"
    assert versions(corpus) == before


def test_one_changed_document_is_all_that_is_computed_and_replaced(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.search.io.retrieve import open_searcher

    refresh(source, corpus)
    old, old_staged = by_path(corpus), staged(corpus, "embed")
    (source / "notes.txt").write_text("The heron flew away in March.")
    outcome = refresh(source, corpus)
    new = by_path(corpus)
    assert computed(outcome) == {"parse": 1, "describe": 1, "chunk": 1, "embed": 1}
    assert len(staged(corpus, "embed") - old_staged) == 1
    assert [chunk["text"] for chunk in new.pop("notes.txt")] == ["The heron flew away in March."]
    old.pop("notes.txt")
    assert new == old
    searcher = open_searcher(Corpus(str(corpus)))
    assert [hit.path for hit in searcher.search("flew March", 1, "fts")] == ["notes.txt"]
    assert "notes.txt" not in {hit.path for hit in searcher.search("freezes winter", 5, "fts")}
    table = lance.open_table(Corpus(str(corpus)), "chunks")
    assert all(index.num_unindexed_rows == 0 for index in table.list_indices())


def test_a_changed_document_embeds_only_texts_that_it_did_not_have(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.embed.io.embedder import Embedder

    lines = [f"Night {n} was quiet and nobody came to the mill by the weir." for n in range(40)]
    (texts / "log.txt").write_text("\n\n".join(lines))
    small = {"strategy": "recursive", "size_tokens": 24}
    plain(texts, corpus, chunk=small)
    before, asked = by_path(corpus)["log.txt"], list[str]()
    encode = Embedder.encode

    def listened(self: Embedder, given: Sequence[str], *tokens: Any) -> Any:
        asked.extend(given)
        return encode(self, given, *tokens)

    monkeypatch.setattr(Embedder, "encode", listened)
    (texts / "log.txt").write_text("\n\n".join([*lines, "In the morning a stranger stood at the gate."]))
    plain(texts, corpus, chunk=small)
    after = by_path(corpus)["log.txt"]
    assert len(after) > len(before) > 10
    new = {chunk["text"] for chunk in after} - {chunk["text"] for chunk in before}
    assert set(asked) - {"."} == new
    vectors = {chunk["text"]: chunk["vector"] for chunk in before}
    assert all(chunk["vector"] == vectors[chunk["text"]] for chunk in after if chunk["text"] not in new)
    asked.clear()
    plain(texts, corpus, chunk=small, publish={"rebuild": True})
    assert set(asked) > {chunk["text"] for chunk in before}


def test_copies_and_renames_compute_nothing(refresh: Refresh, source: Path, corpus: Path) -> None:
    refresh(source, corpus)
    old = by_path(corpus)
    shutil.copy(source / "guide.md", source / "copy.md")
    (source / "history.txt").rename(source / "sub/renamed.txt")
    outcome = refresh(source, corpus)
    assert computed(outcome) == dict.fromkeys(("parse", "describe", "chunk", "embed"), 0)
    assert (outcome["counts"]["added"], outcome["counts"]["moved"], outcome["counts"]["removed"]) == (1, 1, 0)
    new = by_path(corpus)
    texts = {path: [chunk["text"] for chunk in chunks] for path, chunks in new.items()}
    assert texts["copy.md"] == texts["guide.md"] == [chunk["text"] for chunk in old["guide.md"]]
    assert texts["sub/renamed.txt"] == [chunk["text"] for chunk in old["history.txt"]]
    assert "history.txt" not in texts
    assert new["guide.md"] == old["guide.md"]
    assert not {chunk["chunk_id"] for chunk in new["copy.md"]} & {chunk["chunk_id"] for chunk in new["guide.md"]}


def test_edited_metadata_computes_nothing_and_can_be_filtered_by(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.search.io.retrieve import open_searcher

    columns = {"year": "int"}
    (source / "metadata.csv").write_text("path,year,desk\nnotes.txt,2022,north\n")
    refresh(source, corpus, columns=columns)
    (source / "metadata.csv").write_text("path,year,desk\nnotes.txt,2023,south\nhistory.txt,2021,\n")
    outcome = refresh(source, corpus, columns=columns)
    assert computed(outcome) == dict.fromkeys(("parse", "describe", "chunk", "embed"), 0)
    assert outcome["counts"]["metadata"] == 2
    [document] = [row for row in rows(corpus, "documents") if row["path"] == "notes.txt"]
    assert (document["year"], json.loads(document["metadata"])) == (2023, {"desk": "south"})
    hits = open_searcher(Corpus(str(corpus))).search("heron river", 5, "hybrid", "year = 2023")
    assert {hit.path for hit in hits} == {"notes.txt"}


def test_another_recipe_is_accepted_with_rebuild(refresh: Refresh, source: Path, corpus: Path) -> None:
    refresh(source, corpus)
    outcome = refresh(source, corpus, chunk={"size_tokens": 16}, publish={"rebuild": True})
    assert computed(outcome)["parse"] == 0
    assert computed(outcome)["chunk"] == 6
    assert all(row["n_tokens"] <= (32 if row["kind"] == "table" else 16) for row in rows(corpus, "chunks"))
    assert len({row["recipe"] for row in rows(corpus, "chunks")}) == 1


def test_a_dry_run_touches_nothing(source: Path, corpus: Path) -> None:
    from flows.cli.refresh import run_refresh
    from schemas.options.sections import RefreshOptions

    outcome = run_refresh(str(source), str(corpus), RefreshOptions(), dry_run=True, url=None)
    assert {line["what"] for line in outcome["plan"]} == {"added"}
    assert len(outcome["plan"]) == len(STORIES) + 1
    assert not corpus.exists()
