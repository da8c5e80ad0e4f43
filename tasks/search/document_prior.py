"""The document prior: which documents a question means, by the words of their names, titles and first pages.

Questions name a company, a product, a year, a contract; most chunks do not. A word counts by its idf among names, but not more
than by its idf among documents, in a sample: "revenue" says little where every report has revenue. Years count by names alone.
So do words of the question that a name has side by side or run together (FOOTLOCKER_2022).
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tasks.search.chunk_source import ChunkSource
from tasks.search.words import FUNCTION_WORDS, idf, split_name_into_words, split_names_into_words, strip_plural_s

HEAD_CHARS = 1000
"""So much of a document counts as its first page. Between 600 and 1,500 it makes little difference."""
HEAD_WEIGHT = 0.5
"""What a word of a first page counts, beside one of a name."""
FEW_HEADS = 2
"""Among few first pages, a word that one of them has says little: n of them count n / (n + FEW_HEADS). With 3 and more, six
reports begin to lose; hundreds of documents do not notice."""
MOST_CHOSEN, LEAST_SHARE = 4, 0.5
"""So many documents are scanned at most, each with at least this share of the best affinity."""
LEAST_CHUNKS = 4
"""A document of fewer chunks has no first page of its own: what it says, its chunks say."""
MOST_HEADS = 20_000
"""First pages are read of so many documents, those with the most chunks."""
HEAD_CHUNKS = 3
"""A first page is read from so many chunks."""
SAMPLE_CHUNKS = 1000
"""So many chunks show in how many documents a word stands."""
MOST_SCANNED = 5000
"""So many chunks are scanned for a question, at most."""
CONFIDENT = 0.5
"""A word names a document for certain if the confidence in it is as high as this."""
CONFIDENCE_SLOPE = 1.5
"""So many times its affinity is the confidence that a document is named: at an affinity of two thirds its words are discounted
wholly."""
LEAST_SUM = 2.0
LEAST_EACH = 1.0
"""Words name a document if all together they leave one of seven, and each alone one of three: these are the logarithms."""
LEAST_IDF = 0.05
"""A word of a lower idf names nothing."""

_YEAR = re.compile(r"(?:19|20)\d\d")
_QUARTERS = {"first": "q1", "second": "q2", "third": "q3", "fourth": "q4"}

Numbers = NDArray[np.int64]


class DocumentTexts(NamedTuple):
    """Texts, and the number of each one's document."""

    documents: Sequence[int]
    texts: Sequence[str]


class DocumentPrior(NamedTuple):
    """The affinity of a question to each document, by its number, and the documents to scan, best first.

    An affinity of 0: the question has no word of the document. 1: it has a word that only this document's name has, and no other
    word of the question is rare. `discounts` has for each chosen document the words that name it, with the confidence that they
    do, in (0, 1]: within the document they say that much less.
    """

    affinities: NDArray[np.float64]
    chosen: list[int]
    discounts: dict[int, dict[str, float]]


class WordIndex:
    """The positions of words in the texts of documents."""

    def __init__(self, texts: DocumentTexts) -> None:
        lists = split_names_into_words(texts.texts)
        codes = lists.values.indices.to_numpy(zero_copy_only=False)
        self._documents = np.repeat(np.asarray(texts.documents, np.int64), np.diff(lists.offsets.to_numpy()))
        spellings = lists.values.dictionary.to_pylist()
        self._codes: dict[str, list[int]] = {}
        for code, spelling in enumerate(spellings):
            self._codes.setdefault(strip_plural_s(spelling), []).append(code)
        self._order = np.argsort(codes, kind="stable")
        self._starts = np.searchsorted(codes[self._order], np.arange(len(spellings) + 1))

    def positions(self, word: str) -> Numbers:
        """Return the positions of a word among all words."""
        parts = [self._order[self._starts[code] : self._starts[code + 1]] for code in self._codes.get(word, ())]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def documents(self, word: str) -> Numbers:
        """Return the numbers of the documents that have a word, in order."""
        return np.unique(self._documents[self.positions(word)])

    def documents_of_pair(self, word: str, next_word: str) -> Numbers:
        """Return the numbers of the documents that have two words side by side, in order."""
        first = np.intersect1d(self.positions(word), self.positions(next_word) - 1)
        return np.unique(self._documents[first[self._documents[first] == self._documents[first + 1]]])


class DocumentIndex:
    """The words of names, titles and first pages of all documents, and in how many documents a word stands."""

    def __init__(self, names: Sequence[str], heads: DocumentTexts, sample: DocumentTexts) -> None:
        """`names` has a text for each document, by its number; `heads` and `sample` have texts of some of them.

        `heads` are beginnings of documents. `sample` are chunks from all over the corpus.
        """
        self._n = len(names)
        self._names = WordIndex(DocumentTexts(range(len(names)), names))
        self._heads, self._sample = WordIndex(heads), WordIndex(sample)
        self._n_heads, self._n_sampled = len(set(heads.documents)), len(set(sample.documents))
        self._head_weight = HEAD_WEIGHT * self._n_heads / (self._n_heads + FEW_HEADS)
        self._highest = idf(1, self._n)

    def find_prior(self, question: str) -> DocumentPrior:
        """Return the affinity of a question to each document. Where there is one document only, it is 0."""
        words = [strip_plural_s(word) for word in split_name_into_words(question)]
        raw, total = _AffinitySum(self._n), 0.0
        if self._n < 2:
            return DocumentPrior(raw.values, [], {})
        for word in dict.fromkeys([*filter(_can_name_document, words), *_abbreviate_quarters(words)]):
            everywhere = idf(len(self._sample.documents(word)), self._n_sampled)
            total += min(everywhere, self._highest)
            self._add(raw, word, math.inf if _YEAR.fullmatch(word) else everywhere)
        for phrase, documents in self._find_phrases(words):
            raw.add(phrase, documents, idf(len(documents), self._n))
        # What the words say of a document, by what all words say: a long question that shares one word means less by it.
        share = np.minimum(raw.values / max(total, self._highest / 2), 1.0)
        affinities = np.sqrt(share * raw.values / self._highest)
        chosen = _choose_meant_documents(affinities)
        discounts = {number: raw.discounts(number, min(1.0, CONFIDENCE_SLOPE * affinities[number])) for number in chosen}
        return DocumentPrior(affinities, chosen, discounts)

    def _add(self, raw: "_AffinitySum", word: str, most: float) -> None:
        if most < LEAST_IDF:
            return
        by_name = self._names.documents(word)
        by_head = self._heads.documents(word)
        raw.add((word,), by_name, min(most, idf(len(by_name), self._n)))
        of_head = self._head_weight * min(most, idf(len(by_head), self._n_heads))
        raw.add((word,), np.setdiff1d(by_head, by_name, assume_unique=True), of_head)

    def _find_phrases(self, words: Sequence[str]) -> list[tuple[tuple[str, ...], Numbers]]:
        """Return words that follow each other in the question, and the documents that have them together in their names."""
        pairs = {pair for pair in pairwise(words) if not FUNCTION_WORDS.issuperset(pair)}
        triples = {three for three in zip(words, words[1:], words[2:], strict=False) if not FUNCTION_WORDS.issuperset(three)}
        found: list[tuple[tuple[str, ...], Numbers]] = [
            (pair, np.union1d(self._names.documents("".join(pair)), self._names.documents_of_pair(*pair)))
            for pair in sorted(pairs)
        ]
        found += [(three, self._names.documents("".join(three))) for three in sorted(triples)]
        return [(phrase, documents) for phrase, documents in found if len(documents)]


class _AffinitySum:
    """What words add to the affinities of documents."""

    def __init__(self, n: int) -> None:
        self.values = np.zeros(n)
        self._parts: list[tuple[tuple[str, ...], Numbers, float]] = []

    def add(self, words: tuple[str, ...], documents: Numbers, amount: float) -> None:
        self.values[documents] += amount
        self._parts.append((words, documents, amount))

    def discounts(self, document: int, confidence: float) -> dict[str, float]:
        """Return the words that name a document; no words if together they say too little."""
        if self.values[document] < LEAST_SUM:
            return {}
        parts = (words for words, documents, amount in self._parts if amount >= LEAST_EACH and document in documents)
        return {word: confidence for words in parts for word in words}


class DocumentAffinities(NamedTuple):
    """The affinities of a question to documents by id, where they are not 0; and the discounts of those to scan, best first."""

    by_document: dict[str, float]
    discounts: dict[str, dict[str, float]]


class Catalogue:
    """The documents of a source, by their names, titles and first pages. They are read when the first question is asked."""

    def __init__(self, source: ChunkSource) -> None:
        self._source = source

    def find_affinities(self, question: str) -> DocumentAffinities:
        """Return which documents a question means."""
        if self._documents.num_rows < 2:
            return DocumentAffinities({}, {})
        prior = self._index.find_prior(question)
        ids = self._documents["document_id"]
        some = np.flatnonzero(prior.affinities)
        found = zip(ids.take(some).to_pylist(), prior.affinities[some].tolist(), strict=True)
        scanned = choose_documents_to_scan(prior.chosen, self._n_chunks)
        return DocumentAffinities(dict(found), {ids[number].as_py(): prior.discounts[number] for number in scanned})

    def limit_scan(self, documents: Sequence[str]) -> list[str]:
        """Return those of some documents that can be scanned together, in their order."""
        ids = self._documents["document_id"]
        counts = [self._n_chunks[pc.index(ids, document).as_py()] for document in documents]
        return [documents[at] for at in choose_documents_to_scan(range(len(documents)), counts)]

    @cached_property
    def _documents(self) -> pa.Table:
        return self._source.list_documents().sort_by([("path", "ascending"), ("document_id", "ascending")])

    @cached_property
    def _n_chunks(self) -> list[int]:
        counts: list[int] = self._documents["n_chunks"].to_pylist()
        return counts

    @cached_property
    def _index(self) -> DocumentIndex:
        paths = pc.replace_substring_regex(self._documents["path"], r"\.[^./]*$", "")
        names = pc.binary_join_element_wise(paths, self._documents["title"], " / ").to_pylist()
        return DocumentIndex(names, self._read_heads(), self._read_sample())

    def _read_heads(self) -> DocumentTexts:
        longest = self._documents.append_column("number", pa.array(range(self._documents.num_rows), pa.int64()))
        longest = longest.filter(pc.field("n_chunks") >= LEAST_CHUNKS)
        if not longest.num_rows:
            return DocumentTexts([], [])
        longest = longest.sort_by([("n_chunks", "descending"), ("number", "ascending")]).slice(0, MOST_HEADS)
        some = longest["document_id"].to_pylist() if longest.num_rows <= SAMPLE_CHUNKS else None
        rows = self._source.read_beginnings(HEAD_CHUNKS, some)
        numbers = dict(_zip_table_columns(longest, "document_id", "number"))
        texts: dict[int, str] = {}
        for document, text in _zip_table_columns(rows.sort_by("position"), "document_id", "text"):
            if (number := numbers.get(document)) is not None:
                texts[number] = f"{texts.get(number, '')} {text}"[:HEAD_CHARS]
        return DocumentTexts(list(texts), list(texts.values()))

    def _read_sample(self) -> DocumentTexts:
        counts = np.asarray(self._n_chunks, np.int64)
        ends = counts.cumsum()
        documents = self._documents["document_id"].combine_chunks()
        return read_chunk_sample(self._source, sample_chunk_numbers(int(ends[-1])), documents, ends - counts)


def read_chunk_sample(source: ChunkSource, chosen: Numbers, documents: pa.Array, starts: Numbers) -> DocumentTexts:
    """Return the texts of the chosen chunks in the order of `chosen`; their documents are numbers of `documents` (ids).

    Chunks are numbered document by document, from `starts` on, by their positions: not as their rows were written.
    """
    holders = np.unique(np.searchsorted(starts, chosen, side="right") - 1)
    rows = source.read_positions(documents.take(pa.array(holders)).to_pylist())
    whose = pc.index_in(rows["document_id"], documents).to_numpy()
    numbers = starts[whose] + rows["position"].to_numpy()
    there = np.flatnonzero(np.isin(numbers, chosen))
    there = there[np.argsort(numbers[there])]
    texts = source.read(rows["_rowid"].take(pa.array(there)).cast(pa.string()).to_pylist(), ["text"])["text"]
    return DocumentTexts(whose[there].tolist(), texts.to_pylist())


def _zip_table_columns(table: pa.Table, *names: str) -> Sequence[tuple[Any, ...]]:
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def choose_documents_to_scan(documents: Iterable[int], n_chunks: Sequence[int]) -> list[int]:
    """Return the documents that fit into MOST_SCANNED chunks together; one that is too large for the rest is passed over.

    `n_chunks` has the number of chunks of every document.

    >>> choose_documents_to_scan([2, 0, 1], [4900, 200, 4000])
    [2, 1]
    """
    chosen, left = list[int](), MOST_SCANNED
    for number in documents:
        if n_chunks[number] <= left:
            chosen.append(number)
            left -= n_chunks[number]
    return chosen


def drop_naming_words(question: str, discounts: Mapping[str, float]) -> str:
    """Return the question without the words that name a document for certain.

    >>> drop_naming_words("What was 3M's FY2018 revenue?", {"3m": 1.0, "2018": 0.9, "revenue": 0.2})
    'What was revenue?'
    """
    naming = {word for word, confidence in discounts.items() if confidence >= CONFIDENT}
    return " ".join(word for word in question.split(" ") if naming.isdisjoint(map(strip_plural_s, split_name_into_words(word))))


def sample_chunk_numbers(n: int) -> Numbers:
    """Return which of `n` chunks show in how many documents a word stands: at most SAMPLE_CHUNKS from all over the corpus.

    Chunks are numbered document by document, in the order of their paths: so a corpus has the same sample however it was built.

    >>> sample_chunk_numbers(3).tolist()
    [0, 1, 2]
    """
    return np.unique(np.linspace(0, max(0, n - 1), min(n, SAMPLE_CHUNKS)).astype(np.int64))


def _can_name_document(word: str) -> bool:
    return len(word) > 1 and word not in FUNCTION_WORDS


def _abbreviate_quarters(words: Sequence[str]) -> list[str]:
    """Return the short names of quarters that are written out: first quarter is Q1."""
    return [_QUARTERS[word] for word, after in pairwise(words) if after == "quarter" and word in _QUARTERS]


def _choose_meant_documents(affinities: NDArray[np.float64]) -> list[int]:
    best = np.argsort(-affinities, kind="stable")[:MOST_CHOSEN]
    return [int(number) for number in best if affinities[number] > 0 and affinities[number] >= LEAST_SHARE * affinities[best[0]]]
