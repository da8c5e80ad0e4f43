"""What clean-up takes is told to who still reads it, and nothing stays that nothing needs."""

from pathlib import Path

import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.generations import VERSIONED
from tasks.publish.io import cleanup
from tasks.publish.io.cleanup import LOGS
from tasks.store import lance
from tasks.store.integrity.digests import list_files_below
from tasks.store.integrity.manifests import list_table_files
from tests.flows.conftest import Refresh


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup, "SAFE_AGE", cleanup.SAFE_AGE * 0)


def test_clean_up_beside_tags_leaves_no_file_that_no_version_needs(plain: Refresh, texts: Path, corpus: Path) -> None:
    for number in range(6):
        (texts / "b.txt").write_text(f"The mill has stopped {number}.")
        plain(texts, corpus, publish={"keep_generations": 3})
    place = Corpus(str(corpus))
    for name in (*VERSIONED, *LOGS):
        if lance.does_table_exist(place, name):
            there = {
                path for path in list_files_below(place, [f"{name}.lance"]) if "/_refs/" not in path and "latest" not in path
            }
            assert there == list_table_files(place, name)


def test_a_corpus_that_is_open_says_when_its_generation_was_cleaned_up(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    opened = pagemill.open(str(corpus))
    assert opened.documents().num_rows == 3
    for number in range(2):
        (texts / "b.txt").write_text(f"The mill has stopped {number}.")
        plain(texts, corpus, publish={"keep_generations": 1})
    said = r"generation 1 of .* was cleaned up or purged, and generation 3 is live: open the corpus again"
    with pytest.raises(CorpusError, match=said):
        opened.documents()
    with pytest.raises(CorpusError, match=said):
        opened.search("heron", mode="fts")
    assert pagemill.open(str(corpus)).documents().num_rows == 3
