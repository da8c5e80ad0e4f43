"""The clusters of published documents that say nearly the same."""

import pyarrow as pa
import pyarrow.compute as pc

from tasks.search.duplicates import COMPARED, Duplicates
from tasks.store import conditions
from tasks.store.access import OpenTables
from tasks.store.lance import FEW_DOCUMENTS


def read_duplicates(tables: OpenTables) -> Duplicates:
    """Return the clusters of a generation's documents; none of a corpus that older versions made.

    For who may not read all, only copies of one file are alike: which documents are near was found by looking at all of them, and
    tells about those that he may not read.

    Raises:
        CorpusError: the table cannot be read.
    """
    if tables.is_restricted:
        return Duplicates(_read_copies(tables))
    if "duplicate_of" not in tables.schema("documents").names:
        return Duplicates(pa.table({name: pa.array([], pa.string()) for name in COMPARED}))
    found = tables.read("documents", COMPARED, "duplicate_of IS NOT NULL")
    heads = pc.unique(found["duplicate_of"])
    few = len(heads) <= FEW_DOCUMENTS
    rows = tables.read("documents", COMPARED, conditions.make_documents_condition(heads.to_pylist()) if few else None)
    rows = rows.filter(pc.is_in(rows["document_id"], value_set=heads))
    return Duplicates(pa.concat_tables([found, rows.filter(pc.is_null(rows["duplicate_of"]))]))


def _read_copies(tables: OpenTables) -> pa.Table:
    """Return COMPARED of the documents whose bytes another one has, too; their digest names the cluster."""
    digests = tables.read("documents", ["document_id", "sha256"])
    counts = digests.group_by("sha256").aggregate([([], "count_all")])
    repeated = counts.filter(pc.greater(counts["count_all"], 1))["sha256"]
    copies = digests.filter(pc.is_in(digests["sha256"], value_set=repeated))["document_id"]
    few = len(copies) <= FEW_DOCUMENTS
    facts = ["document_id", "path", "modified", "created", "sha256"]
    rows = tables.read("documents", facts, conditions.make_documents_condition(copies.to_pylist()) if few else None)
    rows = rows.filter(pc.is_in(rows["document_id"], value_set=copies)).rename_columns([*facts[:-1], "duplicate_of"])
    return rows.append_column("similarity", pa.repeat(pa.scalar(1, pa.float32()), rows.num_rows)).select(COMPARED)


def list_documents_meeting(tables: OpenTables, documents: list[str], where: str) -> frozenset[str]:
    """Return those of `documents` that have chunks which meet a condition (SQL on chunks).

    Raises:
        CorpusError: the table cannot be read.
    """
    named = f"{conditions.make_documents_condition(documents)} AND " if len(documents) <= FEW_DOCUMENTS else ""
    found = tables.read("chunks", ["document_id"], f"{named}({where})")
    return frozenset(pc.unique(found["document_id"]).to_pylist()).intersection(documents)
