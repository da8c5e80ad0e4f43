"""Lists without hidden documents are full, and one of each cluster is shown among those that count."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.chunk_source import Vector
from tasks.search.duplicates import COMPARED, DistinctChunks, Duplicates

NAMES = "abcdef"
clusters = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["", *NAMES]), max_size=6)


class Listed:
    """A source whose lists are the same for each question: the document of each row, best first."""

    def __init__(self, documents: Sequence[str]) -> None:
        self.documents, self.n, self.columns = documents, len(documents), frozenset({"document_id"})

    def find_words(self, question: str, depth: int, where: str | None) -> list[tuple[str, float]]:
        return [(str(row), 1.0) for row in range(self.n)][:depth]

    def find_nearest(self, vector: Vector, depth: int, where: str | None) -> list[str]:
        return [row for row, _ in self.find_words("", depth, where)]

    def read(self, rows: Sequence[str], columns: Sequence[str]) -> pa.Table:
        return pa.table({"document_id": pa.array([self.documents[int(row)] for row in rows], pa.string())})

    def read_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        return (pa.table({"document_id": [name]}) for name in documents)

    def list_documents(self) -> pa.Table:
        return self.read(list(map(str, range(self.n))), [])

    def read_beginnings(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        return self.list_documents()

    def read_positions(self, documents: Sequence[str]) -> pa.Table:
        return self.list_documents()

    def read_furniture(self, documents: Sequence[str]) -> list[tuple[str, int, str]]:
        return []


@given(documents=st.lists(st.sampled_from(NAMES)), hidden=st.frozensets(st.sampled_from(NAMES)), depth=st.integers(1, 5))
def test_a_list_has_the_best_of_what_is_shown(documents: list[str], hidden: frozenset[str], depth: int) -> None:
    chunks = DistinctChunks(Listed(documents), lambda where: hidden)
    best = [str(row) for row, name in enumerate(documents) if name not in hidden][:depth]
    assert [row for row, _ in chunks.find_words("question", depth, None)] == best
    assert chunks.find_nearest(np.zeros(1, np.float32), depth, None) == best
    for rows in (chunks.list_documents(), chunks.read_beginnings(1, None), chunks.read_positions(NAMES)):
        assert rows["document_id"].to_pylist() == [name for name in documents if name not in hidden]
    assert [rows["document_id"][0].as_py() for rows in chunks.read_documents(NAMES, None)] == sorted({*NAMES} - hidden)


@given(heads=clusters, among=st.none() | st.frozensets(st.sampled_from(NAMES)))
def test_one_of_each_cluster_is_shown_whoever_of_it_counts(heads: dict[str, str], among: frozenset[str] | None) -> None:
    rows = [dict.fromkeys(COMPARED, None) | {"document_id": name, "path": name} for name in heads]
    marked = [row | {"duplicate_of": heads[row["document_id"] or ""] or None, "similarity": 0.9} for row in rows]
    schema = pa.schema([(name, pa.float32() if name == "similarity" else pa.string()) for name in COMPARED])
    duplicates = Duplicates(pa.Table.from_pylist(marked, schema=schema))
    shown = {*heads} - duplicates.find_hidden(among)
    of_cluster = {name: heads[name] or name for name in heads}
    for cluster in set(of_cluster.values()):
        counted = {name for name in heads if of_cluster[name] == cluster and (among is None or name in among)}
        assert len(counted & shown) == bool(counted), "gone heads leave one of their duplicates, too"
    for name in heads:
        assert duplicates.find_shown(name) in shown or among is not None
        assert name not in duplicates.list_others(name)
    listed = duplicates.list_clusters().to_pylist()
    assert {row["path"] for row in listed} == {
        name for name in heads if sum(of_cluster[other] == of_cluster[name] for other in heads) > 1
    }
    assert all(of_cluster[row["path"]] == row["cluster"] for row in listed if row["similarity"] is not None)
