"""Documents in several languages: each is told, cut and found by the rules of its own."""

import json
from pathlib import Path

import pytest

from flows.cli import main as cli
from schemas.corpus import Corpus
from tasks.search.io.retrieve import open_searcher
from tasks.store import lance, published
from tasks.store.loading import lance_library
from tests.flows.conftest import Refresh
from tests.tasks.language.samples import SAMPLES

QUESTIONS = {
    "ar": "السدود الجديدة",
    "de": "Wer baut die neuen Wehre?",
    "en": "new weirs",
    "fr": "des barrages nouveaux",
    "ja": "新しい堰",
    "ru": "новой плотиной",
    "zh": "新的堤坝",
}


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
    cli.app()(["documents", "--corpus", str(corpus), "--json"], standalone_mode=False)
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
    dataset = lance_library().dataset(str(corpus.table("chunks")))
    dataset.drop_columns(["search_terms"])
    dataset.create_scalar_index("text", "INVERTED", name="text_idx", with_position=False)
    live = published.live(corpus)
    versions = json.dumps({**live.versions, "chunks": dataset.version})
    lance.open_table(corpus, "generations").update(values={"versions": versions})
