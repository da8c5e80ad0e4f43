import json
import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.errors import ConflictError, CorpusError, GateError, InputError
from schemas.questions import QUESTIONS
from tasks.adapters import lance, published
from tasks.plan import check_corpus
from tests.flows.conftest import Refresh
from tests.flows.corpora import STORIES, digest, draw_pdf, rows, staged, versions

pytestmark = pytest.mark.slow


def paths(corpus: Path, table: str = "documents") -> set[str]:
    return {row["path"] for row in rows(corpus, table)}


def by_path(corpus: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(corpus, "chunks"):
        found.setdefault(row["path"], []).append(row)
    return found


def age(source: Path) -> None:
    """Make every file old enough for its time to be trusted."""
    for path in source.rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_atime - 60, path.stat().st_mtime - 60))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


def computed(outcome: dict[str, Any]) -> dict[str, int]:
    return {step: int(done["computed"]) for step, done in outcome["steps"].items()}


def test_every_file_becomes_a_document_with_chunks_or_a_reject(refresh: Refresh, source: Path, corpus: Path) -> None:
    outcome = refresh(source, corpus)
    assert outcome["outcome"] == "published"
    assert paths(corpus) == {*STORIES, "report.pdf"} - {"empty.txt"}
    assert paths(corpus, "rejects") == {"empty.txt"}
    assert set(by_path(corpus)) == paths(corpus)
    for document in rows(corpus, "documents"):
        for chunk in by_path(corpus)[document["path"]]:
            assert document["text"][chunk["start_char"] : chunk["end_char"]] == chunk["text"]
    [page] = [row for row in rows(corpus, "elements") if "812 millimetres" in row["text"]]
    [chunk] = [row for row in by_path(corpus)["report.pdf"] if "812 millimetres" in row["text"]]
    assert page["page_number"] == 1
    assert chunk["boxes"][0]["bbox"] == page["bbox"]


def test_nothing_changed_starts_no_flow_and_writes_nothing(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(source)
    refresh(source, corpus)
    before = versions(corpus)
    from flows.commands import refresh as command

    monkeypatch.setattr(command, "run_flow", lambda *_: pytest.fail("a flow was started"))
    outcome = refresh(source, corpus)
    assert outcome["outcome"] == "nothing changed"
    assert outcome["counts"] == {"unchanged": 6, "rejected": 1}
    os.utime(source / "notes.txt")
    assert refresh(source, corpus)["outcome"] == "nothing changed"
    assert refresh(source, corpus, plan={"verify": True})["outcome"] == "nothing changed"
    assert versions(corpus) == before


def test_a_flow_that_finds_nothing_to_do_ends_completed_and_says_so(refresh: Refresh, source: Path, corpus: Path) -> None:
    from flows.refresh import refresh as flow

    refresh(source, corpus)
    before = versions(corpus)
    state: Any = flow(str(source), str(corpus), return_state=True)
    assert state.is_completed()
    assert state.name == "nothing changed"
    assert versions(corpus) == before


def test_one_changed_document_is_all_that_is_computed_and_replaced(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.retrieve import open_reader

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
    reader = open_reader(str(corpus))
    assert [hit.path for hit in reader.search("flew March", 1, "fts")] == ["notes.txt"]
    assert "notes.txt" not in {hit.path for hit in reader.search("freezes winter", 5, "fts")}
    table = lance.open_table(str(corpus), "chunks")
    assert all(index.num_unindexed_rows == 0 for index in table.list_indices())


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
    from tasks.retrieve import open_reader

    columns = {"year": "int"}
    (source / "metadata.csv").write_text("path,year,desk\nnotes.txt,2022,north\n")
    refresh(source, corpus, columns=columns)
    (source / "metadata.csv").write_text("path,year,desk\nnotes.txt,2023,south\nhistory.txt,2021,\n")
    outcome = refresh(source, corpus, columns=columns)
    assert computed(outcome) == dict.fromkeys(("parse", "describe", "chunk", "embed"), 0)
    assert outcome["counts"]["metadata"] == 2
    [document] = [row for row in rows(corpus, "documents") if row["path"] == "notes.txt"]
    assert (document["year"], json.loads(document["metadata"])) == (2023, {"desk": "south"})
    hits = open_reader(str(corpus)).search("heron river", 5, "hybrid", "year = 2023")
    assert {hit.path for hit in hits} == {"notes.txt"}


def test_a_changed_document_that_cannot_be_read_keeps_its_last_good_rows(refresh: Refresh, source: Path, corpus: Path) -> None:
    refresh(source, corpus)
    old = by_path(corpus)["report.pdf"]
    (source / "report.pdf").write_bytes(b"%PDF-1.4 cut off")
    refresh(source, corpus)
    assert by_path(corpus)["report.pdf"] == old
    states = {row["path"]: row["state"] for row in rows(corpus, "documents")}
    assert states["report.pdf"] == "stale"
    assert "report.pdf" in paths(corpus, "rejects")
    assert refresh(source, corpus)["outcome"] == "nothing changed"
    refresh(source, corpus, plan={"on_reject": "drop", "source_name": "main"})
    assert "report.pdf" in by_path(corpus)


def test_a_rejected_document_can_be_dropped(refresh: Refresh, source: Path, corpus: Path) -> None:
    refresh(source, corpus)
    (source / "report.pdf").write_bytes(b"%PDF-1.4 cut off")
    refresh(source, corpus, plan={"on_reject": "drop"})
    assert "report.pdf" not in by_path(corpus)
    assert "report.pdf" not in paths(corpus)
    assert "report.pdf" in paths(corpus, "rejects")


def test_two_sources_share_a_corpus_and_leave_each_other_alone(
    refresh: Refresh, source: Path, corpus: Path, tmp_path: Path
) -> None:
    refresh(source, corpus)
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("A second source has a file of the same name.")
    refresh(other, corpus, plan={"source_name": "other"})
    assert len(by_path(corpus)["notes.txt"]) == 2
    (source / "letter.txt").write_text("One more.")
    refresh(source, corpus)
    assert sum(row["path"] == "notes.txt" for row in rows(corpus, "documents")) == 2


def test_broken_chunking_is_refused_and_the_old_generation_still_answers(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.retrieve import open_reader
    from tasks.transforms import drafting
    from tasks.validate import validation_rows

    refresh(source, corpus)
    before, old = versions(corpus), digest(corpus)
    whole = drafting.chunk_rows
    monkeypatch.setattr(drafting, "chunk_rows", lambda *given: whole(*given).slice(0, 0))
    (source / "notes.txt").write_text("A new text that loses its chunks on the way.")
    with pytest.raises(GateError, match=r"nothing was published:\s+documents"):
        refresh(source, corpus)
    failed = [row for row in validation_rows(str(corpus)) if not row["success"]]
    assert any(row["suite"] == "documents" for row in failed)
    assert all(row["observed"] and row["allowed"] for row in failed)
    assert digest(corpus) == old
    assert {name: n for name, n in versions(corpus).items() if name != "validations.lance"} == {
        name: n for name, n in before.items() if name != "validations.lance"
    }
    assert open_reader(str(corpus)).search("heron", 1)[0].path == "notes.txt"
    monkeypatch.undo()
    assert refresh(source, corpus)["outcome"] == "published"


def test_rollback_answers_from_the_old_generation_and_holds_the_corpus(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.retrieve import open_reader
    from tasks.rollback import roll_back

    refresh(source, corpus)
    first = digest(corpus)
    (source / "notes.txt").write_text("The kingfisher came in spring.")
    refresh(source, corpus)
    second = digest(corpus)
    assert roll_back(str(corpus), 1, "run-a") == 3
    assert digest(corpus) == first
    assert "heron" in open_reader(str(corpus)).search("heron", 1)[0].text
    with pytest.raises(CorpusError, match="--release"):
        refresh(source, corpus)
    assert roll_back(str(corpus), 2, "run-b") == 4
    assert digest(corpus) == second
    outcome = refresh(source, corpus, publish={"release": True})
    assert outcome["outcome"] == "nothing changed"
    live = published.newest(str(corpus))
    assert live is not None
    assert (live.kind, live.held) == ("release", False)
    assert digest(corpus) == second
    with pytest.raises(CorpusError, match="generation 9"):
        roll_back(str(corpus), 9, "run-c")


def test_a_purged_document_is_gone_from_every_generation_and_file(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.purge import purge_document
    from tasks.retrieve import open_reader
    from tasks.rollback import roll_back

    (source / "secret.txt").write_text("The zyxomma password is quibblefrotz.")
    refresh(source, corpus)
    lance.append_log(str(corpus), "questions", asked_about("q's", "secret.txt", "quibblefrotz"))
    lance.append_log(str(corpus), "questions", asked_about("q2", "notes.txt", "nothing"))
    (source / "notes.txt").write_text("The kingfisher came in spring.")
    refresh(source, corpus)
    (source / "secret.txt").unlink()
    refresh(source, corpus)
    outcome = purge_document(str(corpus), "main", "secret.txt", "run")
    assert outcome["generations"] == [1, 2]
    assert traces(corpus, b"quibblefrotz", b"secret.txt") == []
    assert lance.open_table(str(corpus), "questions").to_arrow()["question_id"].to_pylist() == ["q2"]
    assert roll_back(str(corpus), 1, "run-a") == 5
    assert "secret.txt" not in paths(corpus)
    assert "heron" in open_reader(str(corpus)).search("heron", 1, "fts")[0].text
    with pytest.raises(CorpusError, match=r"secret\.txt"):
        purge_document(str(corpus), "main", "secret.txt", "run")


def asked_about(name: str, path: str, quote: str) -> pa.Table:
    gold = {"document": path, "start": None, "end": None, "quote": quote, "page": None}
    facts = {"run_id": "r", "question_id": name, "question": "Which?", "answer": None, "domain": "general", "split": "test"}
    return pa.Table.from_pylist([{**facts, "documents": [path], "gold": [gold]}], schema=QUESTIONS)


def traces(corpus: Path, *needles: bytes) -> list[str]:
    """Return the files of the corpus that hold one of the needles."""
    files = (path for path in corpus.rglob("*") if path.is_file())
    return [str(path) for path in files if any(needle in path.read_bytes() for needle in needles)]


def test_old_generations_and_their_staged_files_are_cleaned_up(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import lance as engine

    from tasks import cleanup
    from tasks.cleanup import restorable

    monkeypatch.setattr(cleanup, "SAFE_AGE", timedelta(0))
    for number in range(4):
        (source / "notes.txt").write_text(f"Version {number} of the notes.")
        refresh(source, corpus, publish={"keep_generations": 2})
    assert [found.generation for found in restorable(str(corpus))] == [3, 4]
    contents = {row["sha256"] for row in rows(corpus, "documents")}
    assert len(staged(corpus, "embed") - contents) == 1
    assert not (corpus / ".pagemill/runs").exists()
    kept = versions(corpus)
    assert kept["chunks.lance"] == kept["documents.lance"] == 2
    assert kept["generations.lance"] == kept["validations.lance"] == 1
    assert len(engine.dataset(str(corpus / "chunks.lance")).get_fragments()) <= 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"chunk": {"size_tokens": 100}}, r"chunk\.options\.size_tokens: 128 → 100.*--rebuild"),
        ({"columns": {"year": "int"}}, "metadata columns"),
        ({"chunk": {"size_tokens": 300}}, "takes 256 tokens"),
        ({"embed": {"model": "no-such-folder"}}, "no-such-folder"),
        ({"parse": {"ocr_languages": "xyz"}}, "xyz"),
    ],
)
def test_options_that_do_not_fit_the_corpus_are_refused_with_a_remedy(
    refresh: Refresh, source: Path, corpus: Path, given: dict[str, Any], message: str
) -> None:
    refresh(source, corpus)
    before = digest(corpus)
    with pytest.raises((CorpusError, InputError), match=message):
        refresh(source, corpus, **given)
    assert digest(corpus) == before


def test_another_recipe_is_accepted_with_rebuild(refresh: Refresh, source: Path, corpus: Path) -> None:
    refresh(source, corpus)
    outcome = refresh(source, corpus, chunk={"size_tokens": 16}, publish={"rebuild": True})
    assert computed(outcome)["parse"] == 0
    assert computed(outcome)["chunk"] == 6
    assert max(row["n_tokens"] for row in rows(corpus, "chunks")) <= 16
    assert len({row["recipe"] for row in rows(corpus, "chunks")}) == 1


def test_what_would_lose_documents_is_refused(refresh: Refresh, source: Path, corpus: Path, tmp_path: Path) -> None:
    refresh(source, corpus)
    before = digest(corpus)
    with pytest.raises(InputError, match="does not exist"):
        refresh(tmp_path / "nowhere", corpus)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(InputError, match="--allow-empty"):
        refresh(tmp_path / "nothing", corpus)
    for name in ("notes.txt", "guide.md"):
        (source / name).unlink()
    with pytest.raises(CorpusError, match="--allow-removals"):
        refresh(source, corpus)
    assert digest(corpus) == before
    refresh(source, corpus, plan={"allow_removals": True})
    assert "notes.txt" not in paths(corpus)


def test_a_folder_of_something_else_is_not_taken_for_a_corpus(refresh: Refresh, source: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/cat.jpg").write_text("x")
    with pytest.raises(InputError, match="folder of something else"):
        refresh(source, tmp_path / "photos")
    with pytest.raises(InputError, match="no folder"):
        check_corpus("s3://bucket/corpus")
    with pytest.raises(InputError, match="is a file"):
        refresh(source, source / "notes.txt")


def test_a_corpus_of_another_format_is_refused(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh(source, corpus)
    (source / "notes.txt").write_text("changed")
    monkeypatch.setattr(published, "FORMAT", 3)
    with pytest.raises(CorpusError, match="format 2 and this Pagemill reads format 3"):
        refresh(source, corpus)


def test_a_dry_run_touches_nothing(source: Path, corpus: Path) -> None:
    from flows.commands.refresh import run_refresh
    from schemas.options import RefreshOptions

    outcome = run_refresh(str(source), str(corpus), RefreshOptions(), dry_run=True)
    assert {line["what"] for line in outcome["plan"]} == {"added"}
    assert len(outcome["plan"]) == len(STORIES) + 1
    assert not corpus.exists()


def test_a_second_refresh_is_told_that_one_is_under_way(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.adapters.locks import held
    from tasks.job import lock_path

    with held(lock_path(str(corpus), "refresh"), 0, "a refresh"), pytest.raises(ConflictError, match="lock_wait_seconds"):
        refresh(source, corpus)
    assert refresh(source, corpus)["outcome"] == "published"


def test_a_document_that_takes_too_long_is_tried_again_and_succeeds_under_a_higher_limit(
    refresh: Refresh, tmp_path: Path, corpus: Path
) -> None:
    draw_pdf(tmp_path / "slow/report.pdf", ["It takes a second to load what reads this."])
    brief = {"page_seconds": 0.2}
    for attempt in (1, 2, 3):
        refresh(tmp_path / "slow", corpus, limits=brief)
        [reject] = rows(corpus, "rejects")
        assert (reject["error"], reject["final"], reject["attempts"]) == ("LimitError", False, attempt)
        assert "limits.page_seconds" in reject["message"]
        assert paths(corpus) == set()
    assert refresh(tmp_path / "slow", corpus, limits=brief)["outcome"] == "nothing changed"
    refresh(tmp_path / "slow", corpus)
    assert paths(corpus) == {"report.pdf"}
    assert rows(corpus, "rejects") == []


def test_a_corpus_whose_documents_are_all_rejected_is_whole_too(refresh: Refresh, tmp_path: Path, corpus: Path) -> None:
    from tasks.retrieve import open_reader

    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/broken.pdf").write_bytes(b"nothing like a PDF")
    assert refresh(tmp_path / "bad", corpus)["outcome"] == "published"
    assert open_reader(str(corpus)).search("anything", 3) == []
    (tmp_path / "bad/good.txt").write_text("Something can be read now.")
    refresh(tmp_path / "bad", corpus)
    assert open_reader(str(corpus)).search("read", 3)[0].path == "good.txt"


def test_front_matter_is_metadata_and_no_chunk(refresh: Refresh, tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.md").write_text("---\ntitle: Weirs\nyear: 1911\n---\n\n# Old weirs\n\nThe weir leaks.\n")
    (tmp_path / "in/b.md").write_text("---\ntitle: Nothing else\n---\n")
    refresh(tmp_path / "in", corpus, columns={"year": "int"})
    [document] = rows(corpus, "documents")
    assert (document["title"], document["year"]) == ("Weirs", 1911)
    [chunk] = by_path(corpus)["a.md"]
    assert chunk["text"] == "# Old weirs\n\nThe weir leaks."
    assert chunk["section"] == ["Old weirs"]
    assert paths(corpus, "rejects") == {"b.md"}
