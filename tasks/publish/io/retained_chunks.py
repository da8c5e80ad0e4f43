"""Retained chunks: the published chunks that a draft does not replace, as the gate checks them: their keys and their lengths.

The lengths are saved beside the tables, so that a refresh reads only those of the chunks that it replaces.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ValidationError

from expectations.lengths import Lengths, count_chunk_lengths
from schemas.corpus import Corpus
from tasks.publish.keys import Fingerprints, convert_ids_to_fingerprints, exclude_rows_of_documents, select_ids_by_fingerprint
from tasks.store import files, published
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

    def select_ids(self, wanted: Fingerprints) -> list[str]:
        """Return the ids of the chunks whose numbers are `wanted`."""
        parts = published.read_batches(self.corpus, self.live, "chunks", KEYS)
        return [
            name
            for part in parts
            for name in select_ids_by_fingerprint(exclude_rows_of_documents(part, self.replaced)["chunk_id"], wanted)
        ]

    def read_keys(self, documents: pa.Array) -> pa.Table:
        """Return the KEYS of the chunks of some of the documents."""
        return published.read_rows_of(self.corpus, self.live, "chunks", KEYS, documents.to_pylist())

    def measure_lengths(self) -> Lengths:
        """Return the lengths of the chunks: those that are saved less what is replaced; all are read if none are saved."""
        known = load_chunk_lengths(self.corpus, self.live.versions["chunks"])
        if known is not None:
            left = known - _measure_chunk_lengths(
                published.read_rows_of(self.corpus, self.live, "chunks", MEASURED, self.replaced)
            )
            if left.is_possible and left.n == self.n:
                return left
        return self._read_lengths()

    def _read_lengths(self) -> Lengths:
        found = Lengths()
        documents = published.read_columns(self.corpus, self.live, "documents", ["document_id"], "n_chunks = 1")
        for part in published.read_batches(self.corpus, self.live, "chunks", MEASURED):
            found += count_chunk_lengths(
                _add_character_counts(exclude_rows_of_documents(part, self.replaced)), documents["document_id"]
            )
        return found


def scan_retained_chunks(corpus: Corpus, live: Generation, replaced: Sequence[str]) -> RetainedChunks:
    """Scan the keys of the published chunks whose documents are not `replaced` (ids)."""
    keys, documents = [], [pa.chunked_array([pa.array([], pa.string())])]
    for part in published.read_batches(corpus, live, "chunks", KEYS):
        rows = exclude_rows_of_documents(part, replaced)
        keys.append(convert_ids_to_fingerprints(rows["chunk_id"]))
        documents.append(pa.chunked_array([pc.unique(rows["document_id"])]))
    of_all = pa.chunked_array([chunk for column in documents for chunk in column.chunks], pa.string())
    return RetainedChunks(corpus, live, replaced, sum(map(len, keys)), keys, pc.unique(of_all))


def _add_character_counts(rows: pa.Table) -> pa.Table:
    return rows.append_column("n_chars", pc.subtract(rows["end_char"], rows["start_char"]))


def _measure_chunk_lengths(rows: pa.Table) -> Lengths:
    """Return the lengths of all chunks of some documents."""
    counted = pc.value_counts(rows["document_id"])
    alone = counted.field("values").filter(pc.equal(counted.field("counts"), 1))
    return count_chunk_lengths(_add_character_counts(rows), alone)


class SavedLengths(BaseModel):
    """The lengths of the chunks at one version of their table."""

    version: int
    lengths: Lengths


def save_chunk_lengths(corpus: Corpus, version: int, lengths: Lengths) -> None:
    """Save the lengths of the chunks at a version of their table; those of other versions are overwritten."""
    files.write_atomically(
        corpus.marker("lengths.json"), SavedLengths(version=version, lengths=lengths).model_dump_json().encode()
    )


def load_chunk_lengths(corpus: Corpus, version: int) -> Lengths | None:
    """Return the lengths of the chunks at a version of their table, or None if they were not saved."""
    try:
        kept = SavedLengths.model_validate_json(corpus.marker("lengths.json").read_bytes())
    except (FileNotFoundError, ValidationError):  # lost or damaged: all chunks are read once
        return None
    return kept.lengths if kept.version == version else None
