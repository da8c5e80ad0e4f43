"""Findings of personal data in a generation's documents."""

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from schemas.access import OWNER
from schemas.corpus import Corpus
from schemas.tables.findings import LISTED
from tasks.publish.keys import exclude_rows_of_documents
from tasks.store import published
from tasks.store.access import OpenTables
from tasks.store.published import Generation

COLUMN = "pii_findings"


def count_findings(corpus: Corpus, live: Generation, without: list[str]) -> int:
    """Return how many places of personal data the documents of a generation have, but for those of some ids."""
    if COLUMN not in published.open_published(corpus, live, "documents").schema.names:
        return 0
    rows = (
        exclude_rows_of_documents(part, without)
        for part in published.read_batches(corpus, live, "documents", ["document_id", COLUMN])
    )
    return sum(sum_list_lengths(part[COLUMN]) for part in rows)


def sum_list_lengths(lists: pa.ChunkedArray) -> int:
    """Return how many members the lists of a column have together."""
    return int(pc.sum(pc.list_value_length(lists)).as_py() or 0)


def read_findings(tables: OpenTables) -> pa.Table:
    """Return the places of personal data that a principal may read of: LISTED, by path; none where nothing was looked for.

    Raises:
        CorpusError: the table cannot be read.
    """
    if COLUMN not in tables.schema("documents").names:
        return LISTED.empty_table()
    rows = tables.read("documents", ["document_id", "path", COLUMN], f"{COLUMN} IS NOT NULL").sort_by("path").combine_chunks()
    parents = pc.list_parent_indices(rows[COLUMN]).combine_chunks()
    findings = pc.list_flatten(rows[COLUMN]).combine_chunks()
    own = [rows[name].combine_chunks().take(parents) for name in ("document_id", "path")]
    return pa.Table.from_arrays([*own, *findings.flatten()], schema=LISTED)


def count_findings_by_kind(corpus: Corpus) -> list[dict[str, object]]:
    """Return what `count_by_kind` counts in the live generation of a corpus.

    Raises:
        CorpusError: nothing is published, or the table cannot be read.
    """
    return [*count_by_kind(read_findings(OpenTables(corpus, published.read_live_generation(corpus), OWNER)))]


def count_by_kind(findings: pa.Table) -> Iterator[dict[str, object]]:
    """Yield for each kind its number of places, of documents and of different values, by name."""
    places = Counter(findings["kind"].to_pylist())
    distinct = {name: Counter(kind for kind, _ in _pairs(findings, name)) for name in ("document_id", "digest")}
    for kind in sorted(places):
        yield {
            "kind": kind,
            "places": places[kind],
            "documents": distinct["document_id"][kind],
            "values": distinct["digest"][kind],
        }


def _pairs(findings: pa.Table, name: str) -> set[tuple[str, str]]:
    return {*zip(findings["kind"].to_pylist(), findings[name].to_pylist(), strict=True)}
