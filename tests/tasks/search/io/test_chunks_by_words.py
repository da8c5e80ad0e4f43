from pathlib import Path

import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from schemas.tables.chunks import ADDED_LATER, make_chunks_schema
from tasks.publish.io.write import add_blank_columns, add_search_terms_column
from tasks.search.io.retrieve import Searcher, open_searcher
from tasks.store import indexes, lance
from tasks.store.loading import import_lance
from tests.tasks.language.samples import SAMPLES
from tests.tasks.small_corpus import DIMENSION, publish_corpus

LATER = [make_chunks_schema(DIMENSION, {}).field(name) for name in ADDED_LATER[1:]]

TEXTS = {f"{language}.txt": SAMPLES[language] for language in ("ar", "de", "en", "fr", "ja", "ru", "th", "zh")}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, TEXTS)
    return open_searcher(Corpus(folder))


def first(searcher: Searcher, question: str) -> str:
    [hit, *_] = searcher.search(question, 1, mode="fts", returned="chunks")
    return hit.path


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("millers and weirs", "en.txt"),
        ("Wo bauen Besitzer Wehre?", "de.txt"),
        ("des barrages nouveaux", "fr.txt"),
        ("владельцами плотины", "ru.txt"),
        ("السدود الجديدة", "ar.txt"),
        ("新しい堰", "ja.txt"),
        ("川", "ja.txt"),
        ("业主 堤坝", "zh.txt"),
        ("แม่น้ำ", "th.txt"),
    ],
)
def test_other_forms_of_words_are_found_in_each_language(searcher: Searcher, question: str, path: str) -> None:
    assert first(searcher, question) == path


def test_the_languages_of_a_corpus_are_those_of_its_documents(searcher: Searcher) -> None:
    assert sorted(searcher.languages) == sorted(name.removesuffix(".txt") for name in TEXTS)


@pytest.mark.parametrize("question", ["?!", "…", "\U0001f600"])
def test_a_question_without_words_finds_nothing_by_words(searcher: Searcher, question: str) -> None:
    assert searcher.search(question, 1, mode="fts") == []


def older(folder: Path) -> Corpus:
    """Publish a corpus as versions did that knew no terms, and no ends of sentences."""
    publish_corpus(str(folder), TEXTS)
    corpus = Corpus(str(folder))
    dataset = import_lance().dataset(str(corpus.table("chunks")))
    dataset.drop_columns([*ADDED_LATER])
    dataset.create_scalar_index("text", "INVERTED", name="text_idx", with_position=False)
    [row] = lance.open_table(corpus, "generations").to_arrow().to_pylist()
    versions = row["versions"].replace(f'"chunks": {dataset.version - 2}', f'"chunks": {dataset.version}')
    lance.open_table(corpus, "generations").update(values={"versions": versions})
    return corpus


def test_a_corpus_without_terms_answers_as_before(tmp_path: Path) -> None:
    corpus = older(tmp_path)
    searcher = open_searcher(corpus)
    assert first(searcher, "the miller") == "en.txt"
    assert first(searcher, "плотину") == "ru.txt"


def test_the_chunks_of_a_corpus_without_terms_get_them_with_an_index_in_place_of_that_of_their_text(tmp_path: Path) -> None:
    corpus = older(tmp_path)
    table = lance.open_table(corpus, "chunks")
    add_search_terms_column(table)
    add_blank_columns(table, LATER)
    indexes.maintain_indexes(table)
    table = lance.ensure_table(corpus, "chunks", make_chunks_schema(DIMENSION, {}))
    found = {row["path"]: row["search_terms"] for row in table.to_arrow().to_pylist()}
    assert found["en.txt"].startswith("mill stood") and found["ru.txt"].startswith("мельниц стоя")
    assert {name for index in table.list_indices() for name in index.columns} == {"search_terms", "document_id"}
    version = table.version
    add_search_terms_column(table)
    add_blank_columns(table, LATER)
    assert table.version == version, "there is nothing to add"
    assert table.to_arrow()["sentence_ends"].null_count == table.count_rows()


def test_rows_are_appended_to_chunks_whose_terms_came_later(tmp_path: Path) -> None:
    corpus = older(tmp_path)
    table = lance.open_table(corpus, "chunks")
    add_search_terms_column(table)
    add_blank_columns(table, LATER)
    schema = make_chunks_schema(DIMENSION, {})
    rows = table.to_arrow().slice(0, 1).select(schema.names).cast(schema)
    one = rows.to_pylist()[0]["document_id"]
    lance.replace_documents(table, pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches()), [one])
    indexes.maintain_indexes(table)
    assert table.count_rows(f"document_id = '{one}' AND search_terms IS NOT NULL") == 1


@pytest.mark.parametrize(
    ("question", "sentence"),
    [("业主 堤坝", "1911年业主修建了一座新的堤坝。"), ("新しい堰", "1911年に新しい堰が作られました。")],
)
def test_passages_keep_the_sentence_that_matches_where_no_blanks_part_words(
    searcher: Searcher, question: str, sentence: str
) -> None:
    [hit, *_] = searcher.search(question, 1, mode="fts", returned="passages")
    assert sentence in hit.text
