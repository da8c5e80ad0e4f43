"""Every chunk can be traced, in every language."""

import json
from pathlib import Path

import pytest

from flows.cli import main as cli
from schemas.corpus import Corpus
from tasks.search.io.retrieve import open_searcher
from tasks.store import lance, published
from tasks.store.loading import import_lance
from tests.flows.conftest import Refresh
from tests.flows.corpora import STORIES, by_path, paths, rows
from tests.tasks.language.samples import SAMPLES

pytestmark = pytest.mark.slow

QUESTIONS = {
    "ar": "السدود الجديدة",
    "de": "Wer baut die neuen Wehre?",
    "en": "new weirs",
    "fr": "des barrages nouveaux",
    "ja": "新しい堰",
    "ru": "новой плотиной",
    "zh": "新的堤坝",
}


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
    (tmp_path / "in/a.md").write_text("---\ntitle: Weirs\nYear: 1911\n---\n\n# Old weirs\n\nThe weir leaks.\n")
    (tmp_path / "in/b.md").write_text("---\ntitle: Nothing else\n---\n")
    outcome = refresh(tmp_path / "in", corpus, columns={"year": "int", "region": "string"})
    assert [warning for warning in outcome["warnings"] if "no document has a value for the declared column region" in warning]
    assert not any("column year" in warning for warning in outcome["warnings"])
    [document] = rows(corpus, "documents")
    assert (document["title"], document["year"]) == ("Weirs", 1911)
    [chunk] = by_path(corpus)["a.md"]
    assert chunk["text"] == "# Old weirs\n\nThe weir leaks."
    assert chunk["section"] == ["Old weirs"]
    assert paths(corpus, "rejects") == {"b.md"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    made.mkdir()
    for language in QUESTIONS:
        (made / f"{language}.txt").write_text(SAMPLES[language], encoding="utf-8")
    return made


def test_languages_are_listed_and_each_document_is_found_by_its_words(
    refresh: Refresh, folder: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refresh(folder, corpus)
    cli.make_cli_application()(["documents", "--corpus", str(corpus), "--json"], standalone_mode=False)
    listed = {row["path"]: row["language"] for row in json.loads(capsys.readouterr().out)}
    assert listed == {f"{language}.txt": language for language in QUESTIONS}
    searcher = open_searcher(Corpus(str(corpus)))
    for language, question in QUESTIONS.items():
        [hit, *_] = searcher.search(question, 3, mode="fts")
        assert hit.path == f"{language}.txt", question
        assert hit.text == SAMPLES[language][hit.start_char : hit.end_char], "citations are exact"
    assert {hit.path for hit in searcher.search("1911", 9, mode="fts", where="language = 'ru'")} == {"ru.txt"}


def test_a_refresh_gives_a_corpus_of_an_older_version_its_terms(refresh: Refresh, folder: Path, corpus: Path) -> None:
    refresh(folder, corpus)
    forget_terms(Corpus(str(corpus)))
    [hit, *_] = open_searcher(Corpus(str(corpus))).search("the weir", 1, mode="fts")
    assert hit.path == "en.txt"
    (folder / "new.txt").write_text("The kingfishers came in spring.")
    refresh(folder, corpus)
    searcher = open_searcher(Corpus(str(corpus)))
    for path, question in [("ru.txt", QUESTIONS["ru"]), ("zh.txt", QUESTIONS["zh"]), ("new.txt", "kingfisher")]:
        assert searcher.search(question, 1, mode="fts")[0].path == path, "documents that did not change are found too"


def forget_terms(corpus: Corpus) -> None:
    """Publish the chunks as versions did that knew no terms."""
    dataset = import_lance().dataset(str(corpus.table("chunks")))
    dataset.drop_columns(["search_terms", "sentence_ends"])
    dataset.create_scalar_index("text", "INVERTED", name="text_idx", with_position=False)
    live = published.read_live_generation(corpus)
    versions = json.dumps({**live.versions, "chunks": dataset.version})
    lance.open_table(corpus, "generations").update(values={"versions": versions})
