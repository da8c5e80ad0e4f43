"""Scents: what is known of a generation's documents before a question is asked, and the chunks of documents that it means."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.search.io.candidates import Chunks
from tasks.search.scent import HEAD_CHARS, HEAD_CHUNKS, LEAST_CHUNKS, SAMPLED, Fields, ScentIndex, sampled, within_reach
from tasks.store.published import OpenTables

MOST_HEADS = 20_000
"""First pages are read of so many documents, those with the most chunks."""


class Smelled(NamedTuple):
    """Documents by id that a question smells of, with their scents, and of those to look into, best first, what is spent."""

    scents: dict[str, float]
    spent: dict[str, dict[str, float]]


class Scents:
    """The documents of a generation, by their names, titles and first pages. They are read when the first question is asked."""

    def __init__(self, tables: OpenTables, chunks: Chunks) -> None:
        self._tables, self._chunks = tables, chunks

    def of(self, question: str) -> Smelled:
        """Return which documents a question smells of."""
        if self._documents.num_rows < 2:
            return Smelled({}, {})
        scent = self._index.scent(question)
        ids = self._documents["document_id"]
        some = np.flatnonzero(scent.values)
        found = zip(ids.take(some).to_pylist(), scent.values[some].tolist(), strict=True)
        reached = within_reach(scent.chosen, self._n_chunks)
        return Smelled(dict(found), {ids[number].as_py(): scent.spent[number] for number in reached})

    def reachable(self, documents: Sequence[str]) -> list[str]:
        """Return those of some documents that can be looked into together, in their order."""
        counts = dict(zip(self._documents["document_id"].to_pylist(), self._n_chunks, strict=True))
        n_chunks = [counts[document] for document in documents]
        return [documents[number] for number in within_reach(range(len(documents)), n_chunks)]

    @cached_property
    def _documents(self) -> pa.Table:
        read = self._tables.read("documents", ["document_id", "path", "title", "n_chunks"])
        return read.sort_by([("path", "ascending"), ("document_id", "ascending")])

    @cached_property
    def _n_chunks(self) -> list[int]:
        counts: list[int] = self._documents["n_chunks"].to_pylist()
        return counts

    @cached_property
    def _index(self) -> ScentIndex:
        paths = pc.replace_substring_regex(self._documents["path"], r"\.[^./]*$", "")
        names = pc.binary_join_element_wise(paths, self._documents["title"], " / ").to_pylist()
        return ScentIndex(names, self._heads(), self._sample())

    def _heads(self) -> Fields:
        longest = self._documents.append_column("number", pa.array(range(self._documents.num_rows), pa.int64()))
        longest = longest.filter(pc.field("n_chunks") >= LEAST_CHUNKS)
        if not longest.num_rows:
            return Fields([], [])
        longest = longest.sort_by([("n_chunks", "descending"), ("number", "ascending")]).slice(0, MOST_HEADS)
        some = longest["document_id"].to_pylist() if longest.num_rows <= SAMPLED else None
        rows = self._chunks.first_texts(HEAD_CHUNKS, some)
        numbers = dict(_columns(longest, "document_id", "number"))
        texts: dict[int, str] = {}
        for document, text in _columns(rows.sort_by("position"), "document_id", "text"):
            if (number := numbers.get(document)) is not None:
                texts[number] = f"{texts.get(number, '')} {text}"[:HEAD_CHARS]
        return Fields(list(texts), list(texts.values()))

    def _sample(self) -> Fields:
        counts = np.asarray(self._n_chunks, np.int64)
        ends = counts.cumsum()
        documents = self._documents["document_id"].combine_chunks()
        return Fields(*self._chunks.texts_of(sampled(int(ends[-1])), documents, ends - counts))


def _columns(table: pa.Table, *names: str) -> Sequence[tuple[Any, ...]]:
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))
