"""The clusters of published documents that say nearly the same."""

import pyarrow as pa
import pyarrow.compute as pc

from tasks.search.duplicates import COMPARED, Duplicates
from tasks.store import conditions
from tasks.store.access import OpenTables
from tasks.store.lance import FEW_DOCUMENTS


def read_duplicates(tables: OpenTables) -> Duplicates:
    """Return the clusters of a generation's documents; none of a corpus that older versions made.

    None either for who may not read all: which documents are alike tells about those that he may not.

    Raises:
        CorpusError: the table cannot be read.
    """
    if "duplicate_of" not in tables.schema("documents").names:
        return Duplicates(pa.table({name: pa.array([], pa.string()) for name in COMPARED}))
    found = tables.read("documents", COMPARED, "duplicate_of IS NOT NULL")
    heads = pc.unique(found["duplicate_of"])
    few = len(heads) <= FEW_DOCUMENTS
    rows = tables.read("documents", COMPARED, conditions.make_documents_condition(heads.to_pylist()) if few else None)
    rows = rows.filter(pc.is_in(rows["document_id"], value_set=heads))
    return Duplicates(pa.concat_tables([found, rows.filter(pc.is_null(rows["duplicate_of"]))]))


def list_documents_meeting(tables: OpenTables, documents: list[str], where: str) -> frozenset[str]:
    """Return those of `documents` that have chunks which meet a condition (SQL on chunks).

    Raises:
        CorpusError: the table cannot be read.
    """
    named = f"{conditions.make_documents_condition(documents)} AND " if len(documents) <= FEW_DOCUMENTS else ""
    found = tables.read("chunks", ["document_id"], f"{named}({where})")
    return frozenset(pc.unique(found["document_id"]).to_pylist()).intersection(documents)
