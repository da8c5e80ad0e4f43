from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.search.io.ask import answer_question
from tasks.search.io.retrieve import Searcher, open_searcher
from tests.tasks.small_corpus import publish_corpus


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, {"mill.txt": "The heron waits by the weir.\nIt eats eels."})
    return open_searcher(Corpus(folder))


def test_a_question_is_answered_as_the_searcher_does(searcher: Searcher) -> None:
    for returned in ("passages", "chunks", "parents"):
        assert answer_question(searcher, "heron", 3, "fts", returned=returned).hits == searcher.search(
            "heron", 3, "fts", returned=returned
        )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"question": " "}, "the question is empty"),
        ({"question": "x" * 100_000}, "the question has 100,000 characters: at most 10,000"),
        ({"question": "caf\udce9"}, "the question is not UTF-8"),
        ({"k": 0}, "k is 0"),
        ({"mode": "sparse"}, "mode 'sparse' is not known: choose one of hybrid, dense, fts"),
        ({"returned": "pages"}, "returned 'pages' is not known: choose one of passages, chunks, parents"),
        ({"where": "year = 2023"}, r"does not fit at character 1 \('year'\): no such column: the columns of chunks are"),
        ({"where": "path = 'a'; DROP TABLE x"}, r"does not fit at character 11 \(';'\): write comparisons such as"),
        ({"where": "path = ("}, r"character 8 \('\('\): path is compared with text in single quotes"),
        ({"where": "caf\udce9 = 1"}, "the condition is not UTF-8"),
        ({"where": "path = '" + "x" * 10_000 + "'"}, "the condition has 10,009 characters"),
    ],
)
def test_a_call_that_is_wrong_is_told_what_to_do(searcher: Searcher, wrong: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"question": "heron", "mode": "fts", **wrong}
    with pytest.raises(InputError, match=message):
        answer_question(searcher, **given)  # type: ignore[arg-type]


def test_as_many_results_as_fit_into_a_budget_are_returned(searcher: Searcher) -> None:
    everything = answer_question(searcher, "heron eels", 5, "fts", returned="chunks").hits
    assert len(everything) == 2
    for budget, n in ((8, 1), (2500, 2)):
        assert answer_question(searcher, "heron eels", 1, "fts", returned="chunks", budget=budget).hits == everything[:n]
    with pytest.raises(InputError, match="the shortest result has 6 tokens, and the budget is 1"):
        answer_question(searcher, "heron eels", 1, "fts", returned="chunks", budget=1)
    with pytest.raises(InputError, match="the budget is 0 tokens"):
        answer_question(searcher, "heron", budget=0)


def test_only_a_hybrid_search_knows_how_likely_it_answers(searcher: Searcher) -> None:
    assert answer_question(searcher, "heron", mode="fts").answered is None


def test_pages_and_documents_are_ranked_by_their_best_chunks(tmp_path: Path) -> None:
    texts = {"a.txt": "A heron and eels.\nA heron.\nSnow.", "b.txt": "A heron.", "c.txt": "Eels, eels."}
    publish_corpus(str(tmp_path), texts)
    searcher = open_searcher(Corpus(str(tmp_path)))
    chunks = answer_question(searcher, "heron eels", 50, "fts", returned="chunks").hits
    documents = answer_question(searcher, "heron eels", 2, "fts", by="document").hits
    assert [hit.path for hit in documents] == list(dict.fromkeys(hit.path for hit in chunks))[:2]
    assert [hit.rank for hit in documents] == [1, 2]
    pages = answer_question(searcher, "heron eels", 50, "fts", by="page").hits
    assert [(hit.path, hit.pages) for hit in pages] == [(hit.path, hit.pages) for hit in chunks]
    with pytest.raises(InputError, match="by 'line' is not known: choose one of page, document"):
        answer_question(searcher, "heron", by="line")
