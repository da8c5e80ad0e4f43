"""Rights: who may read published documents, changed without making rows anew."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from schemas.access import GROUPS, NOBODY, has_access
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.types import strings
from tasks.publish.io.tags import list_restorable_generations
from tasks.refresh.planning import Rights
from tasks.store import lance, published
from tasks.store.access import HOLD_GROUPS
from tasks.store.loading import import_lance
from tasks.store.published import Generation

if TYPE_CHECKING:
    from lance import LanceDataset

KNOWN = ["document_id", "path", "metadata_hash", GROUPS]


def set_document_rights(corpus: Corpus, rights: Sequence[Rights]) -> None:
    """Write who may read some documents into the heads of the tables that hold it. Nothing else of their rows is written.

    Their indexes of groups are dropped: `indexes.maintain_indexes` builds them over what is there now.

    Raises:
        CorpusError: not all rows have got it; nothing of it may be published.
    """
    if not rights:
        return
    ids = strings(one.document_id for one in rights)
    groups = pa.array([one.groups for one in rights], pa.list_(pa.string()))
    granted = pa.table({"document_id": ids, GROUPS: groups})
    for name in HOLD_GROUPS:
        table = lance.open_table(corpus, name)
        for index in table.list_indices():
            if GROUPS in index.columns:
                table.drop_index(index.name)
        dataset = import_lance().dataset(table.uri)
        columns = granted if name == "chunks" else granted.append_column("metadata_hash", _make_hashes(dataset, rights))
        _update_columns(dataset, columns)
    _check_rights(corpus, granted)


def _make_hashes(dataset: "LanceDataset", rights: Sequence[Rights]) -> pa.Array:
    """Return the metadata_hash of documents with other rights."""
    rows = dataset.to_table(columns=["document_id", "metadata_hash"])
    known = dict(zip(rows["document_id"].to_pylist(), rows["metadata_hash"].to_pylist(), strict=True))
    return strings(f"{known.get(one.document_id, '').partition('/')[0]}/{one.rights_hash}" for one in rights)


def _update_columns(dataset: "LanceDataset", rows: pa.Table) -> None:
    """Give the columns of `rows` to those of a dataset that have their document_id: one file of columns for each of its files."""
    from lance import LanceOperation

    files, fields = [], set[int]()
    for fragment in dataset.get_fragments():
        if pc.any(pc.is_in(fragment.to_table(columns=["document_id"])["document_id"], value_set=rows["document_id"])).as_py():
            file, leaves = fragment.update_columns(rows, left_on="document_id", right_on="document_id")
            files.append(file)
            fields |= {*leaves}
    if files:
        changed = LanceOperation.Update(updated_fragments=files, fields_modified=sorted(fields))
        import_lance().LanceDataset.commit(dataset, changed, read_version=dataset.version)


def _check_rights(corpus: Corpus, granted: pa.Table) -> None:
    """Look whether every row of the documents has its groups: Lance could have updated none without an error."""
    wanted = dict(zip(granted["document_id"].to_pylist(), granted[GROUPS].to_pylist(), strict=True))
    for name in HOLD_GROUPS:
        dataset = import_lance().dataset(str(corpus.table(name)))
        for batch in dataset.to_batches(columns=["document_id", GROUPS]):
            mine = batch.filter(pc.is_in(batch["document_id"], value_set=granted["document_id"]))
            for document, groups in zip(mine["document_id"].to_pylist(), mine[GROUPS].to_pylist(), strict=True):
                if groups != wanted[document]:
                    raise CorpusError(f"table {name} of {corpus} did not take who may read {document}: {lance.AGAIN}")


def carry_over_rights(corpus: Corpus, live: Generation, documents: "LanceDataset") -> None:
    """Give the heads of the tables, whose documents are those of an older state, the rights of the live generation.

    A document that the live one has no more gets those that it had last among the generations that are kept; one that none of
    them has is for nobody.

    Raises:
        CorpusError: the live generation says who may read, and the older state does not.
    """
    if not has_access(live.columns):
        return
    if GROUPS not in documents.schema.names:
        raise CorpusError(
            f"the live generation of {corpus} says who may read its documents, and what should take its place does not: "
            f"declare the column {GROUPS} there too, and refresh it"
        )
    missing = {row["document_id"]: row["path"] for row in documents.to_table(columns=["document_id", "path"]).to_pylist()}
    found = list[Rights]()
    for generation in [live, *sorted(list_restorable_generations(corpus), key=lambda one: -one.generation)]:
        if not missing or not has_access(generation.columns):
            break
        rows = published.read_columns(corpus, generation, "documents", KNOWN)
        said = {row["document_id"]: row for row in rows.to_pylist() if row["document_id"] in missing}
        found += [_make_rights(name, row) for name, row in said.items()]
        missing = {name: path for name, path in missing.items() if name not in said}
    found += [Rights(name, path, [NOBODY], "") for name, path in missing.items()]
    set_document_rights(corpus, found)


def _make_rights(name: str, row: dict[str, object]) -> Rights:
    groups = row[GROUPS]
    known: Iterable[str] = groups if isinstance(groups, list) and groups else [NOBODY]
    return Rights(name, str(row["path"]), [*known], str(row["metadata_hash"]).partition("/")[2])
