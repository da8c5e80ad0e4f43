"""Pages of reports with the figures of an answer: how often one of them is among the first five that a search finds.

The benchmark kit names documents, no pages. A gold page is reckoned: one that has most of the figures of the expected answer.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.ranking.corpora import reports
from benchmarks.ranking.measures import K
from benchmarks.report import say, say_bar, say_table
from schemas.options.search import Mode
from tasks.search.io.retrieve import Searcher, open_searcher
from tasks.search.ranker import SAMPLE, Ranker
from tasks.search.ranking import LEXICAL_WEIGHT
from tasks.store import published

Page = tuple[str, int]
"""Path and number of a page."""
FIGURE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|(?<![\d.,])\d+\.\d+(?![\d,])")
"""Numbers in thousands and decimals: a year, a quarter or a single digit stands on every page of a report."""
MOST_PAGES = 3
"""Figures that more pages have tell no page."""
COLUMNS = ["page first", "among five", "document first"]
BAR = 2.0
"""Of what cosine and BM25 alone find, which was the ranking before the prior of documents counted."""


class Asked(NamedTuple):
    """A question, and the pages that have most figures of its answer."""

    text: str
    pages: frozenset[Page]


def run_figured(folder: Path, kit: Path) -> None:
    """Print the shares of questions whose page is found, by ways to rank."""
    corpus = reports(folder, kit).corpus
    searcher = open_searcher(corpus)
    rows = [json.loads(line) for line in (kit / "corpus" / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = questions(rows, figures_of_pages(searcher))
    say(f"quarterly reports: {len(asked)} of {len(rows)} questions have an answer whose figures tell a page")
    ways: dict[str, Callable[[str], Sequence[Mapping[str, Any]]]] = {
        "as shipped": lambda text: _rank(searcher, text, "hybrid"),
        "cosine alone": lambda text: _rank(searcher, text, "dense"),
        "BM25 alone": lambda text: _rank(searcher, text, "fts"),
        "cosine and BM25": lambda text: _sum_scores(searcher, text),
    }
    found = {name: _shares(asked, rank) for name, rank in ways.items()}
    say_table(COLUMNS, found)
    say_bar("page among five, as shipped by cosine and BM25", found["as shipped"][1] / found["cosine and BM25"][1], BAR)


def figures_of_pages(searcher: Searcher) -> dict[Page, set[str]]:
    """Return the figures that stand on each page."""
    paths = dict(zip(*searcher.documents(["document_id", "path"]).to_pydict().values(), strict=True))
    columns = ["document_id", "page_number", "text"]
    found: dict[Page, set[str]] = defaultdict(set)
    for row in published.read_columns(searcher.corpus, searcher.live, "elements", columns).to_pylist():
        found[paths[row["document_id"]], row["page_number"]] |= set(FIGURE.findall(row["text"]))
    return found


def questions(rows: Sequence[dict[str, Any]], figures: dict[Page, set[str]]) -> list[Asked]:
    """Return the questions whose answers have figures that few pages of their documents have most of.

    >>> rows = [{"question": "Revenue?", "answer": "It was 1,234 after 1,100.", "documents": ["a.pdf"]}]
    >>> questions(rows, {("a.pdf", 1): {"1,234", "1,100"}, ("a.pdf", 2): {"1,234"}, ("b.pdf", 1): {"1,234", "1,100"}})
    [Asked(text='Revenue?', pages=frozenset({('a.pdf', 1)}))]
    """
    asked = []
    for row in rows:
        wanted = set(FIGURE.findall(row["answer"]))
        shared = {page: len(wanted & have) for page, have in figures.items() if page[0] in row["documents"]}
        most = max(shared.values(), default=0)
        pages = frozenset(page for page, n in shared.items() if n == most)
        if most and len(pages) <= MOST_PAGES:
            asked.append(Asked(row["question"], pages))
    return asked


def _rank(searcher: Searcher, text: str, mode: Mode) -> Sequence[Mapping[str, Any]]:
    return searcher.search_ranked([text], (K,), mode, returned="chunks", depth=SAMPLE).chunks[0]


def _sum_scores(searcher: Searcher, text: str) -> list[dict[str, Any]]:
    """Return chunks by cosine and BM25, as they were ranked before documents, sections and neighbours counted."""
    [vector] = searcher.embedder.encode_queries([text])
    ranker = Ranker(searcher.chunks)
    request = ranker.make_request(K, "rrf", "chunks")
    lexical = ranker.prefetch(text, request).matches
    cosines = ranker.find_candidates(vector, lexical, request).cosines
    best = max(lexical.scores.values(), default=0.0) or 1.0
    sums = {name: cosine + LEXICAL_WEIGHT * lexical.scores.get(name, 0.0) / best for name, cosine in cosines.items()}
    names = sorted(sums, key=lambda name: -sums[name])[:SAMPLE]
    rows: list[dict[str, Any]] = searcher.chunks.read(names, ["path", "pages"]).to_pylist()
    return rows


def _shares(asked: Sequence[Asked], rank: Callable[[str], Sequence[Mapping[str, Any]]]) -> list[float]:
    first = among = document = 0
    for question in asked:
        found: dict[Page, Mapping[str, Any]] = {}
        for row in rank(question.text):
            found.setdefault((row["path"], row["pages"][0]), row)
        best = list(found.values())[:K]
        right = [any((row["path"], page) in question.pages for page in row["pages"]) for row in best]
        first += right[0]
        among += any(right)
        document += best[0]["path"] in {path for path, _ in question.pages}
    return [value / len(asked) for value in (first, among, document)]
