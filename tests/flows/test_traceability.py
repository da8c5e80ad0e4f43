"""Every chunk can be traced."""

from pathlib import Path

import pytest

from tests.flows.conftest import Refresh
from tests.flows.corpora import STORIES, by_path, paths, rows

pytestmark = pytest.mark.slow


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
