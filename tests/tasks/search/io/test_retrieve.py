from typing import get_args

import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.search import Returned
from tasks.search.io.documents import list_published_documents
from tasks.search.io.figures import find_figures
from tasks.search.io.retrieve import Hit, open_searcher
from tests.tasks.small_corpus import publish_corpus

TEXT = (
    "The heron waits by the weir.\nIt eats eels at dawn. The miller sleeps. Snow fell.\n"
    "The wheel was mended in May.\nNothing else happened."
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, {"mill.txt": TEXT, "other.txt": "A report on ledgers.\nThe heron is no ledger."})
    return folder


def spans(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def test_passages_are_exact_spans_of_their_documents(corpus: str) -> None:
    searcher = open_searcher(Corpus(corpus))
    texts = dict(zip(*searcher.documents(["path", "text"]).to_pydict().values(), strict=True))
    hits = searcher.search("heron eels wheel", 3, "fts")
    assert hits and [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.text == texts[hit.path][hit.start_char : hit.end_char]
        assert hit.chunk_text == texts[hit.path][hit.chunk_start_char : hit.chunk_end_char]


@pytest.mark.parametrize("returned", get_args(Returned))
def test_results_for_several_cutoffs_are_those_of_as_many_searches(corpus: str, returned: Returned) -> None:
    searcher, questions = open_searcher(Corpus(corpus)), ["heron eels wheel", "what was mended", "ledger"]
    found = searcher.search_ranked(questions, (1, 3, 70), "fts", returned=returned).results
    for k, results in found.items():
        for question, hits in zip(questions, results, strict=True):
            alone = searcher.search(question, k, "fts", returned=returned)
            assert [(hit.chunk_id, hit.text) for hit in hits] == [(hit.chunk_id, hit.text) for hit in alone]


def test_neighbouring_chunks_are_one_passage_without_the_sentences_that_do_not_match(corpus: str) -> None:
    found = spans(open_searcher(Corpus(corpus)).search("eels at dawn", 2, "fts"))
    assert found == ["It eats eels at dawn. The miller sleeps."]


def test_chunks_are_returned_as_they_are_on_demand(corpus: str) -> None:
    found = open_searcher(Corpus(corpus)).search("eels at dawn", 2, "fts", returned="chunks")
    assert spans(found) == ["It eats eels at dawn. The miller sleeps. Snow fell."]
    assert found[0].text == found[0].chunk_text


def test_a_chunk_without_a_parent_stands_for_itself(corpus: str) -> None:
    assert spans(open_searcher(Corpus(corpus)).search("eels", 1, "fts", returned="parents")) == [
        "It eats eels at dawn. The miller sleeps. Snow fell."
    ]


def test_a_condition_narrows_the_search(corpus: str) -> None:
    searcher = open_searcher(Corpus(corpus))
    assert {hit.path for hit in searcher.search("heron", 5, "fts", "path = 'other.txt'")} == {"other.txt"}


def test_a_condition_on_documents_narrows_the_search_to_their_chunks(corpus: str) -> None:
    searcher = open_searcher(Corpus(corpus))
    assert len({hit.path for hit in searcher.search("heron", 5, "fts")}) == 2
    assert {hit.path for hit in searcher.search("heron", 5, "fts", "Author = 'author of other.txt' and n_chars < 100")} == {
        "other.txt"
    }
    assert searcher.search("heron", 5, "fts", "author = 'nobody'") == []
    assert len({hit.path for hit in searcher.search("heron", 5, "fts", "text != 'author'")}) == 2


@pytest.mark.parametrize("where", ["nowhere = 1", "author = 'a' and kind = 'text'", "vector = 1"])
def test_a_column_that_does_not_fit_is_told_with_those_there_are(corpus: str, where: str) -> None:
    with pytest.raises(InputError, match=r"does not fit at character \d+ .*columns of (chunks|documents) are .*author") as caught:
        open_searcher(Corpus(corpus)).search("heron", 5, "fts", where)
    assert f"condition {where!r} does not fit" in str(caught.value), "the condition stands there as it was written"


REFUSED = {
    "recipe > ''; path = 'none'": 12,
    "recipe > '' -- and path = 'none'": 13,
    "recipe > '' /* and path = 'none' */": 13,
    "recipe > '') and (path = 'none'))": 12,
    "recipe > '' path = 'none'": 13,
    "recipe > '' LIMIT 1": 13,
    "path = 'other.txt' nonsense": 20,
    "path = N'me'": 8,
    "path = 'a": 8,
    "recipe": 7,
    "1+1 > 0": 2,
    "length(repeat(text, 1000000)) > 0": 1,
    "path = (select 1)": 8,
    "_rowid >= 0": 1,
}
"""Conditions of which Lance would drop a part, or that are more than a condition, by the character at which they go wrong."""


@pytest.mark.parametrize(("where", "character"), REFUSED.items())
def test_a_condition_is_understood_whole_or_refused_at_every_door(corpus: str, where: str, character: int) -> None:
    opened = Corpus(corpus)
    for ask in (
        lambda: open_searcher(opened).search("heron", 5, "fts", where),
        lambda: open_searcher(opened).search("heron", 5, "hybrid", where),
        lambda: list_published_documents(opened, where),
        lambda: find_figures(opened, "heron", 5, where),
        lambda: pagemill.open(corpus).documents(where=where),
        lambda: pagemill.open(corpus).chunks(where=where),
    ):
        with pytest.raises(InputError, match=f"does not fit at character {character} "):
            ask()


def test_a_blank_condition_is_refused(corpus: str) -> None:
    with pytest.raises(InputError, match="the condition is empty: leave it out"):
        list_published_documents(Corpus(corpus), " ")


@pytest.mark.parametrize(
    "where", ["text != 'a;b'", "text != '--' or text = '/*'", "(n_tokens > 0) and (text != ')')", "`text` != ''"]
)
def test_quotes_may_hold_what_else_would_end_a_condition(corpus: str, where: str) -> None:
    assert len(open_searcher(Corpus(corpus)).search("heron", 5, "fts", where)) == 2


def test_nothing_found_is_no_error(corpus: str) -> None:
    assert open_searcher(Corpus(corpus)).search("zeppelin", 5, "fts") == []
