"""Nothing stale, nothing lost: a document goes only when its file does, and a corpus takes only what fits it."""

from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from tasks.refresh.io.checks import check_corpus
from tasks.store import published
from tests.flows.conftest import Refresh
from tests.flows.corpora import by_path, digest, paths, rows

pytestmark = pytest.mark.slow


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


def test_a_folder_of_something_else_is_not_taken_for_a_corpus(refresh: Refresh, source: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/cat.jpg").write_text("x")
    with pytest.raises(InputError, match="holds other files and is not a corpus"):
        refresh(source, tmp_path / "photos")
    with pytest.raises(InputError, match="is no place that Pagemill knows"):
        check_corpus(Corpus("ftp://bucket/corpus"), str(source))
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
