"""A draft that finds fewer answers than the live generation is refused, and says which questions it lost, and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from prefect.artifacts import Artifact

from schemas.corpus import Corpus
from schemas.errors import GateError, InputError
from tasks.publish.io import write
from tasks.publish.io.reports.names import make_artifact_key
from tasks.publish.io.validate import read_validations
from tasks.store import lance, published
from tests.flows.conftest import Refresh

BIRDS = ("heron", "badger", "otter", "weasel", "falcon", "salmon", "beetle", "cricket", "lizard")
PLACES = ("river", "wood", "kelp", "barn", "cliff", "brook", "bark", "meadow", "wall")


@pytest.fixture
def animals(tmp_path: Path) -> Path:
    folder = tmp_path / "animals"
    folder.mkdir()
    for at, bird in enumerate(BIRDS):
        told = (sentence(bird, place) for place in PLACES[at:] + PLACES[:at])
        (folder / f"{bird}.txt").write_text("\n\n".join(told))
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    asked = (
        {
            "id": f"{bird}-{place}",
            "question": f"{bird} {place}",
            "gold": [{"document": f"{bird}.txt", "quote": f"the {place} sleeps"}],
        }
        for bird in BIRDS
        for place in PLACES
    )
    path.write_text("\n".join(map(json.dumps, asked)))
    return str(path)


def sentence(bird: str, place: str) -> str:
    return f"The {bird} of the {place} sleeps there in winter."


def gold(bird: str, place: str) -> dict[str, str]:
    return {"document": f"{bird}.txt", "quote": f"the {place} sleeps"}


def small(tiny_embedder: str, **gate: Any) -> dict[str, Any]:
    return {"chunk": {"size_tokens": 48}, "embed": {"model": tiny_embedder}, "gate": gate}


def degrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every draft lacks every third chunk, once its rows were counted."""
    whole = write.index_tables

    def index_tables(run: Any) -> dict[str, int]:
        versions = whole(run)
        table = lance.open_table(run.corpus, "chunks")
        names = sorted(row["chunk_id"] for row in table.to_arrow().to_pylist())[::3]
        table.delete(f"chunk_id IN ({', '.join(repr(name) for name in names)})")
        return {**versions, "chunks": int(table.version)}

    monkeypatch.setattr("tasks.publish.io.steps.index_tables", index_tables)


def test_a_draft_that_finds_as_much_is_published(
    plain: Refresh, animals: Path, corpus: Path, questions: str, tiny_embedder: str
) -> None:
    options = small(tiny_embedder, questions=questions, metric="chunk_recall@3")
    plain(animals, corpus, **options)
    (animals / "new.txt").write_text("A newt lives in the pond.")
    (animals / "lizard.txt").unlink()
    assert plain(animals, corpus, **options)["generation"] == 2
    (row,) = [row for row in read_validations(Corpus(str(corpus))) if row["suite"] == "retrieval"]
    n_left = len(PLACES) * (len(BIRDS) - 1)
    assert row["finding"].startswith(f"chunk_recall@3 of {n_left} questions went from")


def test_a_draft_that_lost_chunks_is_refused_and_the_old_generation_stays(
    prefect_refresh: Refresh, animals: Path, corpus: Path, questions: str, tiny_embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefect_refresh(animals, corpus, **small(tiny_embedder))
    before = published.read_live_generation(Corpus(str(corpus)))
    (animals / "new.txt").write_text("A newt lives in the pond.")
    degrade(monkeypatch)
    with pytest.raises(GateError, match="nothing was published") as refused:
        prefect_refresh(animals, corpus, **small(tiny_embedder, questions=questions, metric="chunk_recall@5"))
    message = str(refused.value)
    assert "chunk_recall@5 of 81 questions fell from" in message and "0.02 allowed (gate.max_drop)" in message
    assert ", no chunk): " in message and "more questions" in message
    assert published.read_live_generation(Corpus(str(corpus))).versions == before.versions
    shown: Any = Artifact.get(make_artifact_key("refresh-refused", str(corpus)))
    assert "## Questions answered worse: " in shown.data and "no chunk" in shown.data
    assert not next(row for row in read_validations(Corpus(str(corpus))) if row["suite"] == "retrieval")["success"]
    monkeypatch.undo()
    assert (
        prefect_refresh(animals, corpus, **small(tiny_embedder, questions=questions, metric="chunk_recall@5"))["generation"] == 2
    )


def test_questions_that_cannot_be_used_end_a_refresh_before_it_begins(
    plain: Refresh, animals: Path, corpus: Path, tmp_path: Path, questions: str, tiny_embedder: str
) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        plain(animals, corpus, **small(tiny_embedder, questions=str(tmp_path / "nowhere.jsonl")))
    plain(animals, corpus, **small(tiny_embedder))
    (animals / "new.txt").write_text("A newt lives in the pond.")
    with pytest.raises(InputError, match=r"gate.metric: beauty@5 is no metric .* recall@5"):
        plain(animals, corpus, **small(tiny_embedder, questions=questions, metric="beauty@5"))
