"""The index of groups over nights of changed documents and changed rights: it finds what a look at every row finds."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.access import EVERYONE, GROUPS, LISTED, NOBODY
from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from tasks.publish.io.rights import set_document_rights
from tasks.refresh.planning import Rights
from tasks.store import indexes, lance
from tasks.store.conditions import make_any_condition
from tasks.store.loading import import_lance
from tests.tasks.store.test_indexes import ROWS_A_DOCUMENT, chunk

COLUMNS = {GROUPS: LISTED, "year": "int"}
SCHEMAS = {"chunks": make_chunks_schema(8, COLUMNS), "documents": make_documents_schema(COLUMNS)}
N, NIGHTS = 60, 8
CHOICES = (["a"], ["a", "b"], ["b", "c"], [EVERYONE], [NOBODY])


def put(corpus: Corpus, documents: range, night: int) -> None:
    """Write some documents anew, each for other groups than the night before."""
    mine = {f"d{one}": CHOICES[(one + night) % len(CHOICES)] for one in documents}
    of_chunks = [chunk(one, at, night) for one in documents for at in range(ROWS_A_DOCUMENT)]
    for row in of_chunks:
        row |= {GROUPS: mine[row["document_id"]], "year": 2000 + night}
    blank = {field.name: "" for field in SCHEMAS["documents"] if pa.types.is_string(field.type)}
    numbers: dict[str, Any] = {"n_pages": 1, "n_chars": 1, "n_elements": 0, "n_chunks": ROWS_A_DOCUMENT, "text": ""}
    of_documents = [{**blank, **numbers, "document_id": name, GROUPS: groups, "year": None} for name, groups in mine.items()]
    for name, rows in (("chunks", of_chunks), ("documents", of_documents)):
        made = make_table_from_rows(rows, SCHEMAS[name])
        table = lance.ensure_table(corpus, name, SCHEMAS[name])
        lance.replace_documents(table, pa.RecordBatchReader.from_batches(made.schema, made.to_batches()), list(mine))


def check(corpus: Corpus) -> None:
    for name in SCHEMAS:
        dataset = import_lance().dataset(str(corpus.table(name)))
        assert {index.field_names[0] for index in dataset.describe_indices()} >= {GROUPS, "year", "document_id"}
        for mine in (["a"], ["b", EVERYONE], ["c"], [NOBODY], ["x"]):
            where = make_any_condition(GROUPS, mine)
            assert "ScalarIndexQuery" in dataset.scanner(filter=where, columns=["document_id"]).explain_plan()
            found = sorted(dataset.to_table(columns=["document_id"], filter=where)["document_id"].to_pylist())
            rows = dataset.to_table(columns=["document_id", GROUPS]).to_pylist()
            assert found == sorted(row["document_id"] for row in rows if {*mine} & {*row[GROUPS]}), (name, mine)


def test_the_index_of_groups_finds_what_a_scan_finds_after_each_night(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    put(corpus, range(N), 0)
    for night in range(1, NIGHTS):
        for name in SCHEMAS:
            indexes.maintain_indexes(lance.open_table(corpus, name))
        check(corpus)
        put(corpus, range(night * 3, night * 3 + 9), night)
        if night % 3 == 0:
            granted = [Rights(f"d{one}", "", ["c"], f"r{night}") for one in range(night, N, 7)]
            set_document_rights(corpus, granted)
            table = import_lance().dataset(str(corpus.table("documents")))
            hashes = dict(zip(*table.to_table(columns=["document_id", "metadata_hash"]).to_pydict().values(), strict=True))
            assert {hashes[one.document_id] for one in granted} == {f"/r{night}"}
