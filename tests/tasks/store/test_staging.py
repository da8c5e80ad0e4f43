"""Staged rows are found again by what they were made from, wherever they stand, and never when their pack is damaged."""

from pathlib import Path

import pyarrow as pa
import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.staged import CHUNKED
from tasks.store.local import LocalStorage
from tasks.store.packs import join_packs, list_packs, mask_rows, write_pack
from tasks.store.staging import RemoteStaging, Staging, are_rejected

REASON = {"step": "chunk", "page_number": 0, "error": "DocumentError", "message": "m", "remedy": "r", "final": True}


def rows(*reasons: list[dict[str, object]]) -> pa.Table:
    return make_table_from_rows([{"chunks": [], "rejects": reason} for reason in reasons], CHUNKED)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(str(tmp_path))


def staging(corpus: Corpus, *names: str) -> Staging:
    return Staging(corpus, names)


def test_a_row_is_found_in_this_run_and_in_the_next(corpus: Corpus) -> None:
    first = staging(corpus, "a", "b", "c")
    first.put("chunk", "r", ["a", "b"], rows([], [REASON]))
    for found in (first, staging(corpus, "a", "b", "c")):
        row = found.find("chunk", "r", "b")
        assert row and row.read().equals(rows([REASON]))
        assert found.find("chunk", "r", "c") is None
        assert found.find("chunk", "other recipe", "a") is None
        assert found.find("embed", "r", "a") is None


def test_only_what_a_run_looks_for_is_known(corpus: Corpus) -> None:
    staging(corpus, "a", "b").put("chunk", "r", ["a", "b"], rows([], []))
    assert staging(corpus, "b").find("chunk", "r", "a") is None


@pytest.mark.parametrize("kept", [0, 10, -10])
def test_a_pack_that_was_cut_short_holds_nothing(corpus: Corpus, kept: int) -> None:
    staging(corpus, "a").put("chunk", "r", ["a"], rows([]))
    [pack] = list_packs(corpus.step_folder("chunk", "r"))
    pack.path.write_bytes(pack.path.read_bytes()[:kept])
    assert staging(corpus, "a").find("chunk", "r", "a") is None


def test_rows_that_are_to_be_computed_again_are_deleted_and_others_stay(corpus: Corpus) -> None:
    staging(corpus).put("chunk", "r", ["a", "b", "c"], rows([], [REASON], []))
    staging(corpus).put("chunk", "r", ["d"], rows([]))
    staging(corpus, "a", "c").discard_steps([("chunk", "r"), ("embed", "r")])
    found = staging(corpus, "a", "b", "c", "d")
    assert [bool(found.find("chunk", "r", name)) for name in "abcd"] == [False, True, False, True]
    row = found.find("chunk", "r", "b")
    assert row and row.read().equals(rows([REASON]))


def test_packs_are_joined_without_the_rows_that_a_mask_leaves_out(tmp_path: Path) -> None:
    write_pack(tmp_path, ["a", "b"], rows([], [REASON]))
    write_pack(tmp_path, ["c"], rows([]))
    packs = sorted(list_packs(tmp_path), key=lambda pack: -len(pack.names))
    kept = mask_rows(packs, pa.array(["b", "c"]))
    joined = join_packs(tmp_path, list(zip(packs, kept, strict=True)))
    assert [pack.names.to_pylist() for pack in list_packs(tmp_path) if pack.path == joined] == [["b", "c"]]
    nothing = mask_rows(packs, pa.array([], pa.string()))
    assert join_packs(tmp_path, list(zip(packs, nothing, strict=True))) is None


def test_a_row_refuses_its_document_when_a_reason_is_of_page_0() -> None:
    page = {**REASON, "page_number": 2}
    assert are_rejected(rows([], [page], [page, REASON], [REASON])) == [False, False, True, True]


def test_rows_of_another_corpus_are_taken_over_once_and_only_those_that_are_looked_for(tmp_path: Path) -> None:
    ours, theirs = Corpus(str(tmp_path / "ours")), Corpus(str(tmp_path / "theirs"))
    staging(theirs).put("chunk", "r", ["a", "b"], rows([], [REASON]))
    staging(theirs).put("chunk", "r", ["c"], rows([]))
    staging(ours).put("chunk", "r", ["a"], rows([]))
    found = staging(ours, "a", "b")
    assert found.find("chunk", "r", "b") is None
    for _ in range(2):
        found.link_rows_of(theirs, [("chunk", "r"), ("embed", "r")])
    row = found.find("chunk", "r", "b")
    assert row and row.read().equals(rows([REASON])) and str(ours) in row.pack
    assert len(list(list_packs(ours.step_folder("chunk", "r")))) == 2
    assert staging(ours, "c").find("chunk", "r", "c") is None


def test_packs_that_are_joined_while_they_are_taken_over_are_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = Corpus(str(tmp_path / "ours")), Corpus(str(tmp_path / "theirs"))
    staging(theirs).put("chunk", "r", ["a"], rows([REASON]))
    whole = LocalStorage.link

    def join_first(storage: LocalStorage, source: Path, path: Path) -> None:
        monkeypatch.setattr(LocalStorage, "link", whole)
        packs = list(list_packs(theirs.step_folder("chunk", "r")))
        join_packs(theirs.step_folder("chunk", "r"), list(zip(packs, mask_rows(packs, pa.array(["a"])), strict=True)))
        source.unlink()
        whole(storage, source, path)

    monkeypatch.setattr(LocalStorage, "link", join_first)
    found = staging(ours, "a")
    found.link_rows_of(theirs, [("chunk", "r")])
    assert found.find("chunk", "r", "a")


def test_a_machine_knows_what_it_is_told_and_what_a_lost_one_left_of_its_group(corpus: Corpus) -> None:
    staging(corpus, "a", "b").put("chunk", "r", ["a"], rows([]))
    staging(corpus, "a", "b").put("chunk", "r", ["b"], rows([REASON]), group="batch")
    told = RemoteStaging(corpus)
    assert told.find("chunk", "r", "a") is None and told.find("chunk", "r", "b") is None
    told.find_group("chunk", "r", "batch")
    told.find_group("chunk", "r", "other")
    found = told.find("chunk", "r", "b")
    assert found and found.read().equals(rows([REASON]))
    told.add("chunk", "r", {"a": found})
    told.forget_contents(["b"])
    assert told.find("chunk", "r", "a") == found and told.find("chunk", "r", "b") is None
    assert staging(corpus, "b").find("chunk", "r", "b") == found
