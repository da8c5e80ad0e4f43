"""One bad document is one row."""

from pathlib import Path

import pytest

from schemas.corpus import Corpus
from tests.flows.conftest import Refresh
from tests.flows.corpora import draw_pdf, paths, rows

pytestmark = pytest.mark.slow


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
    from tasks.search.io.retrieve import open_searcher

    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/broken.pdf").write_bytes(b"nothing like a PDF")
    assert refresh(tmp_path / "bad", corpus)["outcome"] == "published"
    assert open_searcher(Corpus(str(corpus))).search("anything", 3) == []
    (tmp_path / "bad/good.txt").write_text("Something can be read now.")
    refresh(tmp_path / "bad", corpus)
    assert open_searcher(Corpus(str(corpus))).search("read", 3)[0].path == "good.txt"
