"""Staying: what the gate looks at of published chunks that stay: their keys, in one scan, and how many have which length."""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from expectations.lengths import Lengths, lengths_of
from schemas.corpus import Corpus
from tasks.publish.io.kept_lengths import load_lengths
from tasks.publish.keys import Fingerprints, fingerprint_ids, select_ids
from tasks.store import published
from tasks.store.published import Generation

KEYS = ["chunk_id", "document_id"]
MEASURED = ["document_id", "n_tokens", "start_char", "end_char"]


class RetainedChunks(NamedTuple):
    """The published chunks of documents that are not `replaced`: how many, their ids as numbers, their documents, each once."""

    corpus: Corpus
    live: Generation
    replaced: Sequence[str]
    n: int
    keys: list[Fingerprints]
    documents: pa.Array

    def ids_like(self, wanted: Fingerprints) -> list[str]:
        """Return the ids of the chunks whose numbers are `wanted`."""
        parts = published.read_batches(self.corpus, self.live, "chunks", KEYS)
        return [name for part in parts for name in select_ids(_without(part, self.replaced)["chunk_id"], wanted)]

    def keys_of(self, documents: pa.Array) -> pa.Table:
        """Return the KEYS of the chunks of some of the documents."""
        return published.read_rows_of(self.corpus, self.live, "chunks", KEYS, documents.to_pylist())

    def lengths(self) -> Lengths:
        """Return the lengths of the chunks: those that are kept less what is replaced; all are read if none are kept."""
        known = load_lengths(self.corpus, self.live.versions["chunks"])
        if known is not None:
            left = known - _measure_lengths(published.read_rows_of(self.corpus, self.live, "chunks", MEASURED, self.replaced))
            if left.possible and left.n == self.n:
                return left
        return self._read_lengths()

    def _read_lengths(self) -> Lengths:
        found = Lengths()
        documents = published.read_columns(self.corpus, self.live, "documents", ["document_id"], "n_chunks = 1")
        for part in published.read_batches(self.corpus, self.live, "chunks", MEASURED):
            found += lengths_of(_with_chars(_without(part, self.replaced)), documents["document_id"])
        return found


def scan_retained(corpus: Corpus, live: Generation, replaced: Sequence[str]) -> RetainedChunks:
    """Scan the keys of the published chunks whose documents are not `replaced` (ids)."""
    keys, documents = [], [pa.chunked_array([pa.array([], pa.string())])]
    for part in published.read_batches(corpus, live, "chunks", KEYS):
        rows = _without(part, replaced)
        keys.append(fingerprint_ids(rows["chunk_id"]))
        documents.append(pa.chunked_array([pc.unique(rows["document_id"])]))
    of_all = pa.chunked_array([chunk for column in documents for chunk in column.chunks], pa.string())
    return RetainedChunks(corpus, live, replaced, sum(map(len, keys)), keys, pc.unique(of_all))


def _without(rows: pa.Table, documents: Sequence[str]) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=pa.array(documents, pa.string()))))


def _with_chars(rows: pa.Table) -> pa.Table:
    return rows.append_column("n_chars", pc.subtract(rows["end_char"], rows["start_char"]))


def _measure_lengths(rows: pa.Table) -> Lengths:
    """Return the lengths of all chunks of some documents."""
    counted = pc.value_counts(rows["document_id"])
    alone = counted.field("values").filter(pc.equal(counted.field("counts"), 1))
    return lengths_of(_with_chars(rows), alone)
