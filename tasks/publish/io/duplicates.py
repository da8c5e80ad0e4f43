"""Duplicates: write into a draft of which documents its own are duplicates, and add the published documents that this changes."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.corpus import Corpus
from schemas.tables.documents import BANDS
from tasks.publish.duplicates import Clusters, Facts
from tasks.publish.keys import exclude_rows_of_documents
from tasks.publish.signatures import Hashes, compute_jaccard, list_shingles, make_signatures
from tasks.store import lance, published
from tasks.store.loading import import_lance
from tasks.store.published import Generation

if TYPE_CHECKING:
    from lancedb.table import LanceTable

COMPARED = ["document_id", "path", "modified", "created", "signature", "duplicate_of", "similarity"]
SAID = ["text", "sha256"]
SIGNATURE = pa.schema([pa.field("signature", pa.list_(pa.uint32(), BANDS))])

CACHE_BYTES = 256 * 2**20
"""Shingles that are kept, to compare other documents with."""

FIRST_READ, MOST_READ = 4, 256
"""Texts that are read at once: mostly the first few tell."""

REWRITTEN_AT_ONCE = 1000

Mark = tuple[str, float] | tuple[None, None]
"""The document that is shown for another, and how similar it is; or that it is shown itself."""


def add_signatures_column(table: "LanceTable") -> None:
    """Add the signatures to the documents of an older corpus."""
    if "signature" in table.schema.names:
        return

    @import_lance().batch_udf(output_schema=SIGNATURE)  # type: ignore[untyped-decorator]
    def sign_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.record_batch([make_signatures(*(batch[name].to_pylist() for name in SAID))], schema=SIGNATURE)

    import_lance().dataset(table.uri).add_columns(sign_batch, read_columns=SAID)
    table.checkout_latest()


def read_restored_generation(corpus: Corpus) -> Generation | None:
    """Return the live generation with the version of its documents that has the columns of newer corpora; None: there is none."""
    live = published.read_newest_generation(corpus)
    if live is None:
        return None
    version = int(lance.open_table(corpus, "documents").version)
    return live.model_copy(update={"versions": {**live.versions, "documents": version}})


def mark_duplicates(corpus: Corpus, file: Path, replaced: Sequence[str], least: float) -> list[str]:
    """Mark the duplicates among the documents of a draft's `file`, for which those of the ids `replaced` leave the table.

    Documents are near if their similarity is `least` or more. The rows of published documents for which another one is shown now
    are added to the file; return their ids.
    """
    library = Library(corpus, file, replaced)
    marks = library.judge(least)
    moved = [name for name in marks if name not in library.drafted_ids]
    if marks:
        _rewrite_documents(file, marks, library.read_published(moved))
    return moved


class Library:
    """The documents of the next generation: published ones that stay, then those of the draft. Each is known by its number."""

    def __init__(self, corpus: Corpus, file: Path, replaced: Sequence[str]) -> None:
        self._corpus, self._base = corpus, read_restored_generation(corpus)
        with pa.memory_map(str(file)) as source:
            self._drafted = pa.ipc.open_file(source).read_all()
        parts = [self._drafted.select(COMPARED)]
        if self._base:
            stay = published.read_columns(corpus, self._base, "documents", COMPARED)
            parts.insert(0, exclude_rows_of_documents(stay, replaced).cast(parts[0].schema))
        self._rows = pa.concat_tables(parts)
        self._n_published = len(self._rows) - len(self._drafted)
        self._ids = self._rows["document_id"].combine_chunks()
        self.drafted_ids = {*self._drafted["document_id"].to_pylist()}
        self._shingles, self._cached_bytes = OrderedDict[int, Hashes](), 0

    def judge(self, least: float) -> dict[str, Mark]:
        """Return the marks of documents whose mark is another now."""
        before = self._rows["duplicate_of"].combine_chunks()
        heads = pc.fill_null(pc.index_in(before, value_set=self._ids, skip_nulls=True), -1).to_numpy(zero_copy_only=False)
        orphaned = np.flatnonzero((heads < 0) & pc.is_valid(before).to_numpy(zero_copy_only=False))
        drafted = range(self._n_published, len(self._rows))
        dates = pc.coalesce(self._rows["modified"], self._rows["created"]).combine_chunks()
        facts = Facts(dates, self._rows["path"].combine_chunks(), self._ids)
        clusters = Clusters(facts, self._signatures, heads.astype(np.int64), self.measure, least)
        changed = {*orphaned.tolist(), *drafted}
        judged = clusters.update(range(len(self._rows)) if self._were_compared_otherwise(least) else changed)
        marks = dict[str, Mark]()
        for at in sorted(judged):
            head = int(clusters.heads[at])
            mark: Mark = (None, None) if head < 0 else (self._ids[head].as_py(), float(np.float32(clusters.similarities[at])))
            if mark != (self._rows["duplicate_of"][at].as_py(), self._rows["similarity"][at].as_py()):
                marks[self._ids[at].as_py()] = mark
        return marks

    @property
    def _signatures(self) -> NDArray[np.uint32]:
        signatures: NDArray[np.uint32] = self._rows["signature"].combine_chunks().flatten().to_numpy().reshape(-1, BANDS)
        return signatures

    def _were_compared_otherwise(self, least: float) -> bool:
        """Return whether the published documents have never been compared, or by another similarity."""
        live = published.read_newest_generation(self._corpus)
        if live is None:
            return False
        known = published.open_published(self._corpus, live, "documents").schema.names
        return "signature" not in known or live.options.get("publish", {}).get("least_similarity") != least

    def measure(self, at: int, others: Sequence[int]) -> Iterator[float]:
        """Yield the similarity of a document to each of others, in their order."""
        start, n = 0, FIRST_READ
        while start < len(others):
            part = others[start : start + n]
            shingles = self._read_shingles([at, *part])
            yield from (compute_jaccard(shingles[at], shingles[other]) for other in part)
            start, n = start + n, MOST_READ

    def _read_shingles(self, documents: Sequence[int]) -> Mapping[int, Hashes]:
        missing = [at for at in dict.fromkeys(documents) if at not in self._shingles]
        found = {at: self._shingles[at] for at in documents if at in self._shingles}
        of_published = [at for at in missing if at < self._n_published]
        rows = {row["document_id"]: row for row in self._read_texts([self._ids[at].as_py() for at in of_published])}
        for at in missing:
            row = rows[self._ids[at].as_py()] if at < self._n_published else self._read_drafted(at - self._n_published)
            found[at] = self._shingles[at] = list_shingles(row["text"], row["sha256"])
            self._cached_bytes += found[at].nbytes
        while self._cached_bytes > CACHE_BYTES:
            self._cached_bytes -= self._shingles.popitem(last=False)[1].nbytes
        return found

    def _read_drafted(self, at: int) -> dict[str, str]:
        return {name: self._drafted[name][at].as_py() for name in SAID}

    def _read_texts(self, documents: list[str]) -> list[dict[str, str]]:
        if not documents or self._base is None:
            return []
        columns = ["document_id", *SAID]
        rows: list[dict[str, str]] = published.read_rows_of(self._corpus, self._base, "documents", columns, documents).to_pylist()
        return rows

    def read_published(self, documents: Sequence[str]) -> Iterator[pa.Table]:
        """Yield the whole rows of published documents."""
        for at in range(0, len(documents) if self._base else 0, REWRITTEN_AT_ONCE):
            part = documents[at : at + REWRITTEN_AT_ONCE]
            assert self._base
            rows = published.read_rows_of(self._corpus, self._base, "documents", self._drafted.schema.names, part)
            yield rows.cast(self._drafted.schema)


def _rewrite_documents(file: Path, marks: Mapping[str, Mark], more: Iterator[pa.Table]) -> None:
    """Write the documents of a draft again with `marks`, and `more` of them."""
    apart = file.with_suffix(".marked")
    with pa.memory_map(str(file)) as source, pa.ipc.open_file(source) as reader, pa.OSFile(str(apart), "wb") as sink:
        batches = (reader.get_batch(at) for at in range(reader.num_record_batches))
        with pa.ipc.new_file(sink, reader.schema) as writer:
            for batch in batches:
                writer.write_table(_mark_rows(pa.Table.from_batches([batch]), marks))
            for rows in more:
                writer.write_table(_mark_rows(rows, marks))
    apart.replace(file)


def _mark_rows(rows: pa.Table, marks: Mapping[str, Mark]) -> pa.Table:
    known = zip(*(rows[name].to_pylist() for name in ("document_id", "duplicate_of", "similarity")), strict=True)
    found = [marks.get(name, mark) for name, *mark in known]
    for at, name in enumerate(("duplicate_of", "similarity")):
        place = rows.schema.get_field_index(name)
        rows = rows.set_column(place, rows.schema.field(place), pa.array([mark[at] for mark in found], rows.schema.types[place]))
    return rows
