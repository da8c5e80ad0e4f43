"""The recall of the index of vectors is recorded with each generation, and a draft whose index finds too little is refused."""

from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, GateError
from tasks.publish.io.recall import measure_index_recall
from tasks.publish.io.validate import read_validations
from tasks.store import indexes, lance, published, vector_indexes
from tasks.store.loading import import_lance
from tests.flows.conftest import Refresh

N = 40


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source of notes, whose vectors get an index."""
    monkeypatch.setattr(vector_indexes, "INDEXED_ROWS", N // 2)
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(N):
        (folder / f"{number}.txt").write_text(f"Note {number} tells of the mill, and of {number * 7} eels.")
    return folder


def recalls(corpus: Path) -> list[dict[str, Any]]:
    return [row for row in read_validations(Corpus(str(corpus))) if row["suite"] == "vector_index"]


def test_the_recall_of_each_generation_is_logged_but_measured_only_after_much_has_changed(
    plain: Refresh, notes: Path, corpus: Path, tiny_embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "SCANNED_ROWS", 10)

    def measured(dataset: Any) -> float:
        read.append(dataset.count_rows())
        return measure_index_recall(dataset)

    read: list[int] = []
    monkeypatch.setattr("tasks.publish.io.recall.measure_index_recall", measured)
    for generation in (1, 2):
        (notes / "new.txt").write_text(f"A newt lives in pond {generation}.")
        assert plain(notes, corpus, embed={"model": tiny_embedder})["generation"] == generation
        (row,) = recalls(corpus)
        assert row["success"]
        assert row["finding"].startswith("the index finds 1 of the 10 chunks nearest to each of 100 chunks")
    assert read == [N + 1]
    for number in range(N):
        (notes / f"more-{number}.txt").write_text(f"More note {number} tells of {number * 3} otters.")
    assert plain(notes, corpus, embed={"model": tiny_embedder})["generation"] == 3
    assert read == [N + 1, 2 * N + 1]


def test_an_index_that_finds_too_little_is_built_anew_and_if_that_does_not_help_the_draft_is_refused(
    plain: Refresh, notes: Path, corpus: Path, tiny_embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(notes, corpus, embed={"model": tiny_embedder})
    before, measured = published.read_live_generation(Corpus(str(corpus))), iter([0.5, 0.97, 0.5, 0.6])
    monkeypatch.setattr("tasks.publish.io.recall.measure_index_recall", lambda dataset: next(measured))
    monkeypatch.setattr("tasks.publish.io.recall.MAX_NEW_SHARE", -1.0)
    (notes / "new.txt").write_text("A newt lives in the pond.")
    assert plain(notes, corpus, embed={"model": tiny_embedder})["generation"] == 2
    newest = published.read_live_generation(Corpus(str(corpus)))
    assert newest.versions["chunks"] == lance.open_table(Corpus(str(corpus)), "chunks").version > before.versions["chunks"]
    assert vector_indexes.find_index_type(import_lance().dataset(str(Corpus(str(corpus)).table("chunks")))) == vector_indexes.KIND
    (notes / "newer.txt").write_text("An owl lives in the barn.")
    with pytest.raises(GateError, match=r"finds 0\.6 of the 10 chunks .* at least 0\.95 expected .*; .*lower gate\.min_recall"):
        plain(notes, corpus, embed={"model": tiny_embedder})
    assert published.read_live_generation(Corpus(str(corpus))).generation == 2
    assert not recalls(corpus)[0]["success"]
    monkeypatch.undo()
    assert plain(notes, corpus, embed={"model": tiny_embedder})["generation"] == 3


def test_without_the_memory_for_an_index_nothing_is_published_and_the_old_generation_stays(
    plain: Refresh, notes: Path, corpus: Path, tiny_embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(notes, corpus, embed={"model": tiny_embedder})
    monkeypatch.setattr(vector_indexes, "LIST_ROWS", N // 4)  # the index that is there has too few lists now
    monkeypatch.setattr(vector_indexes, "measure_available_memory", lambda: 10**8)
    (notes / "new.txt").write_text("A newt lives in the pond.")
    with pytest.raises(
        CorpusError, match=r"the index of 41 vectors takes about 0\.2 GB of memory to build, and 0\.1 GB are free"
    ):
        plain(notes, corpus, embed={"model": tiny_embedder})
    live = published.read_live_generation(Corpus(str(corpus)))
    assert live.generation == 1
    assert measure_index_recall(published.open_published(Corpus(str(corpus)), live, "chunks")) == 1.0
    monkeypatch.undo()
    assert plain(notes, corpus, embed={"model": tiny_embedder})["generation"] == 2
