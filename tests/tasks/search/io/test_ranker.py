import numpy as np
import pytest

from schemas.corpus import Corpus
from tasks.search.document_prior import Catalogue
from tasks.search.io.chunks import Chunks
from tasks.search.named_places import find_named_places
from tasks.search.ranker import Candidates, RankedChunks, Ranker, SearchRequest
from tasks.store import published
from tasks.store.access import OpenTables
from tests.tasks.small_corpus import DIMENSION, publish_corpus

LINES = "Capital expenditure was {} thousand.\nRisks are many.\nThe auditors agreed.\nDividends were paid.\nLamps were sold."
COMPANIES = ("Kestrel", "Marlin", "Lantern", "Granary", "Quarryman")
YEARS = range(2015, 2020)
QUESTION = "What was the capital expenditure of Marlin in FY2017?"
VECTOR = np.eye(1, DIMENSION, dtype=np.float32)[0]
"""The vector of every chunk, and of the question."""


def publish_reports(folder: str, named: bool) -> Corpus:
    """Reports that differ in one figure, with names that say what they are, or with numbers; the first page says it too."""
    wanted = [(company, year) for company in COMPANIES for year in YEARS]
    publish_corpus(
        folder,
        {
            f"{company.upper()}_{year}_10K.txt"
            if named
            else f"{number:04d}.txt": f"{company} Inc., {year}\n{LINES.format(number)}"
            for number, (company, year) in enumerate(wanted)
        },
    )
    return Corpus(folder)


@pytest.fixture(scope="module", params=["names", "numbers"])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return publish_reports(str(tmp_path_factory.mktemp("reports")), request.param == "names")


def opened(corpus: Corpus) -> Chunks:
    return Chunks(corpus, OpenTables(corpus, published.read_live_generation(corpus), None))


def rank(chunks: Chunks, question: str, found: Candidates, where: str | None = None) -> RankedChunks:
    ranker, request = Ranker(chunks), SearchRequest("hybrid", where, 3, 3, False)
    intent = ranker.find_intent(find_named_places(question), request)
    assert intent
    return ranker.rank_hybrid(intent, VECTOR, {}, found, {}, where)


def ranked(corpus: Corpus, question: str, where: str | None = None) -> list[tuple[str, str]]:
    """Rank by what documents say alone: a search has found nothing yet."""
    chunks = opened(corpus)
    found = rank(chunks, question, Candidates({}, {}, [], {}), where)
    firsts = {row["document_id"]: row["text"] for row in chunks.read_beginnings(1, None).to_pylist()}
    rows = chunks.read([name for name, _ in found.ranked], ["document_id", "text"]).to_pylist()
    return [(firsts[row["document_id"]], row["text"]) for row in rows]


def test_the_chunk_of_the_report_that_is_named_comes_first_although_no_search_found_it(corpus: Corpus) -> None:
    assert ranked(corpus, QUESTION)[0] == ("Marlin Inc., 2017", "Capital expenditure was 7 thousand.")


@pytest.mark.parametrize(("page", "line"), [(3, "Risks are many."), (5, "Dividends were paid.")])
def test_what_stands_on_the_page_that_is_named_comes_first(corpus: Corpus, page: int, line: str) -> None:
    assert ranked(corpus, f"What stands on page {page} of the report of Marlin in FY2017?")[0] == ("Marlin Inc., 2017", line)


def test_without_a_document_that_is_named_the_nearest_ones_are_scanned(corpus: Corpus) -> None:
    chunks, request = opened(corpus), SearchRequest("hybrid", None, 3, 3, False)
    ranker = Ranker(chunks)
    found = ranker.find_candidates(VECTOR, ranker.match_words(find_named_places("nothing"), request), request)
    chosen = rank(chunks, "Page 5?", found)
    assert chosen.at_places
    pages = chunks.read(list(chosen.at_places), ["pages"])["pages"].to_pylist()
    assert pages == [[5]] * len(pages)
    assert {name for name, _ in chosen.ranked[: len(pages)]} == chosen.at_places


def test_only_chunks_that_meet_the_condition_are_added(corpus: Corpus) -> None:
    assert {text for _, text in ranked(corpus, QUESTION, "(position = 4)")} == {"Dividends were paid."}
    assert ranked(corpus, QUESTION, "(position = 99)") == []


def test_a_question_that_names_no_document_adds_nothing(corpus: Corpus) -> None:
    assert ranked(corpus, "What were the dividends?") == []


def test_a_corpus_of_one_document_has_no_affinities(tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = Corpus(str(tmp_path_factory.mktemp("one")))
    publish_corpus(str(empty), {"MARLIN_2017.txt": LINES})
    assert Catalogue(opened(empty)).find_affinities(QUESTION) == ({}, {})
