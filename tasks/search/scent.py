"""Scent: which documents a question means, by the words of their names, titles and first pages.

Questions name a company, a product, a year, a contract; most chunks do not. A word counts by how few names have it, and no more
than by how few documents have it anywhere, in a sample: "revenue" says little where every report has revenue. Years, and words
of the question that a name has side by side or run together (FOOTLOCKER_2022), count by names alone.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.search.name_words import singular, word_lists, words_of
from tasks.search.trimming import FUNCTION_WORDS

HEAD_CHARS = 1000
"""So much of a document counts as its first page. Between 600 and 1,500 it makes little difference."""
HEAD_WEIGHT = 0.5
"""What a word of a first page counts, beside one of a name."""
FEW_HEADS = 2
"""Among few first pages, a word that one of them has says little: n of them count n / (n + FEW_HEADS). With 3 and more, six
reports begin to lose; hundreds of documents do not notice."""
MOST_CHOSEN, LEAST_SHARE = 4, 0.5
"""So many documents are looked into at most, each with at least this share of the best scent."""
LEAST_CHUNKS = 4
"""A document of fewer chunks has no first page of its own: what it says, its chunks say."""
HEAD_CHUNKS = 3
"""A first page is read from so many chunks."""
SAMPLED = 1000
"""So many chunks show in how many documents a word stands."""
LOOKED_INTO = 5000
"""So many chunks are looked into for a question, at most."""
SURE = 0.5
"""A document is surely named if a question smells of it as much as this."""
SPENT = 1.5
"""So many times its scent is how surely a document is named by its words: at a scent of two thirds they are wholly spent."""
TELLING = 2.0
NAMING = 1.0
"""Words name a document if all together they leave one of seven, and each alone one of three: these are the logarithms."""
RARE = 0.05
"""A word that is less rare than this, as log of the inverse share of documents, names nothing."""

_YEAR = re.compile(r"(?:19|20)\d\d")
_QUARTERS = {"first": "q1", "second": "q2", "third": "q3", "fourth": "q4"}

Numbers = NDArray[np.int64]


class Fields(NamedTuple):
    """Texts of documents: of each text, the number of its document and its words."""

    documents: Sequence[int]
    texts: Sequence[str]


class Scent(NamedTuple):
    """How much a question smells of each document, by its number, and the documents to look into, best first.

    0: of nothing. 1: it has a word that only this document's name has, and nothing else in the question is rare. `spent` has for
    each chosen document the words that name it, and how surely they do, in (0, 1]: within it they say little more.
    """

    values: NDArray[np.float64]
    chosen: list[int]
    spent: dict[int, dict[str, float]]


class Words:
    """Where words stand in the texts of documents."""

    def __init__(self, fields: Fields) -> None:
        lists = word_lists(fields.texts)
        codes = lists.values.indices.to_numpy(zero_copy_only=False)
        self._documents = np.repeat(np.asarray(fields.documents, np.int64), np.diff(lists.offsets.to_numpy()))
        spellings = lists.values.dictionary.to_pylist()
        self._codes: dict[str, list[int]] = {}
        for code, spelling in enumerate(spellings):
            self._codes.setdefault(singular(spelling), []).append(code)
        self._order = np.argsort(codes, kind="stable")
        self._starts = np.searchsorted(codes[self._order], np.arange(len(spellings) + 1))

    def places(self, word: str) -> Numbers:
        """Return the places of a word, in the order of all words."""
        parts = [self._order[self._starts[code] : self._starts[code + 1]] for code in self._codes.get(word, ())]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def having(self, word: str) -> Numbers:
        """Return the numbers of the documents that have a word, in order."""
        return np.unique(self._documents[self.places(word)])

    def having_both(self, word: str, next_word: str) -> Numbers:
        """Return the numbers of the documents that have two words side by side, in order."""
        first = np.intersect1d(self.places(word), self.places(next_word) - 1)
        return np.unique(self._documents[first[self._documents[first] == self._documents[first + 1]]])


class ScentIndex:
    """The words of names, titles and first pages of the documents of a generation, and how many documents have a word."""

    def __init__(self, names: Sequence[str], heads: Fields, sample: Fields) -> None:
        """`names` has a text for each document, by its number; `heads` and `sample` have texts of some of them.

        `heads` are beginnings of documents. `sample` are chunks from all over the corpus.
        """
        self._n = len(names)
        self._names = Words(Fields(range(len(names)), names))
        self._heads, self._sample = Words(heads), Words(sample)
        self._n_heads, self._n_sampled = len(set(heads.documents)), len(set(sample.documents))
        self._head_weight = HEAD_WEIGHT * self._n_heads / (self._n_heads + FEW_HEADS)
        self._most = rarity_of(1, self._n)

    def scent(self, question: str) -> Scent:
        """Return how much a question smells of each document. A corpus of one document has no scent."""
        asked = [singular(word) for word in words_of(question)]
        raw, total = _Sum(self._n), 0.0
        if self._n < 2:
            return Scent(raw.values, [], {})
        for word in dict.fromkeys([*filter(_tells, asked), *_quarters(asked)]):
            everywhere = rarity_of(len(self._sample.having(word)), self._n_sampled)
            total += min(everywhere, self._most)
            self._add(raw, word, math.inf if _YEAR.fullmatch(word) else everywhere)
        for words, documents in self._joined(asked):
            raw.add(words, documents, rarity_of(len(documents), self._n))
        share = np.minimum(raw.values / max(total, self._most / 2), 1.0)
        values = np.sqrt(share * raw.values / self._most)
        chosen = _chosen(values)
        return Scent(values, chosen, {number: raw.spent(number, min(1.0, SPENT * values[number])) for number in chosen})

    def _add(self, raw: "_Sum", word: str, most: float) -> None:
        if most < RARE:
            return
        named = self._names.having(word)
        begun = self._heads.having(word)
        raw.add((word,), named, min(most, rarity_of(len(named), self._n)))
        rarity = self._head_weight * min(most, rarity_of(len(begun), self._n_heads))
        raw.add((word,), np.setdiff1d(begun, named, assume_unique=True), rarity)

    def _joined(self, asked: Sequence[str]) -> list[tuple[tuple[str, ...], Numbers]]:
        """Return words that follow each other in the question, and the documents that have them together in their names."""
        pairs = {pair for pair in pairwise(asked) if not FUNCTION_WORDS.issuperset(pair)}
        triples = {three for three in zip(asked, asked[1:], asked[2:], strict=False) if not FUNCTION_WORDS.issuperset(three)}
        found: list[tuple[tuple[str, ...], Numbers]] = [
            (pair, np.union1d(self._names.having("".join(pair)), self._names.having_both(*pair))) for pair in sorted(pairs)
        ]
        found += [(three, self._names.having("".join(three))) for three in sorted(triples)]
        return [(words, documents) for words, documents in found if len(documents)]


class _Sum:
    """What words add to the scents of documents."""

    def __init__(self, n: int) -> None:
        self.values = np.zeros(n)
        self._parts: list[tuple[tuple[str, ...], Numbers, float]] = []

    def add(self, words: tuple[str, ...], documents: Numbers, amount: float) -> None:
        self.values[documents] += amount
        self._parts.append((words, documents, amount))

    def spent(self, document: int, sureness: float) -> dict[str, float]:
        """Return the words that name a document; none if all together they are too little to be sure."""
        if self.values[document] < TELLING:
            return {}
        parts = (words for words, documents, amount in self._parts if amount >= NAMING and document in documents)
        return {word: sureness for words in parts for word in words}


def within_reach(chosen: Iterable[int], n_chunks: Sequence[int]) -> list[int]:
    """Return the chosen documents whose chunks are LOOKED_INTO at most, all together. `n_chunks` has every document.

    >>> within_reach([2, 0, 1], [4900, 200, 4000])
    [2, 1]
    """
    reached, left = list[int](), LOOKED_INTO
    for number in chosen:
        if n_chunks[number] <= left:
            reached.append(number)
            left -= n_chunks[number]
    return reached


def without(question: str, spent: Mapping[str, float]) -> str:
    """Return the question without the words that surely name a document.

    >>> without("What was 3M's FY2018 revenue?", {"3m": 1.0, "2018": 0.9, "revenue": 0.2})
    'What was revenue?'
    """
    named = {word for word, sureness in spent.items() if sureness >= SURE}
    kept = (word for word in question.split(" ") if named.isdisjoint(map(singular, words_of(word))))
    return " ".join(kept)


def sampled(n: int) -> Numbers:
    """Return which of `n` chunks show in how many documents a word stands: at most SAMPLED from all over the corpus.

    Chunks are numbered document by document, in the order of their paths: so a corpus has the same sample however it was built.

    >>> sampled(3).tolist()
    [0, 1, 2]
    """
    return np.unique(np.linspace(0, max(0, n - 1), min(n, SAMPLED)).astype(np.int64))


def rarity_of(n_having: int, n: int) -> float:
    """Return how rare a word is that `n_having` of `n` documents have, as in BM25.

    >>> rarity_of(0, 10) > rarity_of(1, 10) > rarity_of(10, 10) > 0
    True
    """
    return math.log(1 + (n - n_having + 0.5) / (n_having + 0.5))


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in FUNCTION_WORDS


def _quarters(asked: Sequence[str]) -> list[str]:
    """Return the short names of quarters that are written out: first quarter is Q1."""
    return [_QUARTERS[word] for word, after in pairwise(asked) if after == "quarter" and word in _QUARTERS]


def _chosen(values: NDArray[np.float64]) -> list[int]:
    best = np.argsort(-values, kind="stable")[:MOST_CHOSEN]
    return [int(number) for number in best if values[number] > 0 and values[number] >= LEAST_SHARE * values[best[0]]]
