"""Duplicates: of documents that say nearly the same, a search shows the newest one that it may show, and names the others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from schemas.types import required_column
from tasks.publish.duplicates import Facts, Key
from tasks.search.chunk_source import ChunkSource, Vector

COMPARED = ["document_id", "path", "modified", "created", "duplicate_of", "similarity"]

MOST_NAMED = 20
"""Paths of other documents that a result names."""

ASKED_MORE = 2
"""So many times the length of a list is asked for, and so many times more again until enough is shown: a longer list takes less
time than a second one."""

Row = TypeVar("Row")

CLUSTERED = pa.schema(
    [
        required_column("cluster", pa.string()),
        required_column("document_id", pa.string()),
        required_column("path", pa.string()),
        pa.field("similarity", pa.float32()),
    ]
)
"""One row per document that has duplicates or is one, cluster by cluster, the newest first. `cluster` is the path of the document
that is shown; `similarity` is that to it, null for itself, and if it was compared with one that went."""


class Member(NamedTuple):
    """A document that has duplicates or is one: the id that names its cluster, its place in the order of documents, its path.

    `similarity` is that to the document of this id; None if it is this document.
    """

    cluster: str
    order: Key
    path: str
    similarity: float | None


class Duplicates:
    """The clusters of documents that say nearly the same. What is not known of, such as a document that went, is left out."""

    def __init__(self, rows: pa.Table) -> None:
        """`rows` have the columns COMPARED of all documents that are duplicates, and of those that they are duplicates of."""
        rows = rows.combine_chunks()
        ids, paths = (rows[name].combine_chunks() for name in ("document_id", "path"))
        facts = Facts(pc.coalesce(rows["modified"], rows["created"]).combine_chunks(), paths, ids)
        clusters = pc.coalesce(rows["duplicate_of"], rows["document_id"]).to_pylist()
        found = zip(ids.to_pylist(), clusters, paths.to_pylist(), rows["similarity"].to_pylist(), strict=True)
        self.members = {name: Member(cluster, facts.order_of(at), *more) for at, (name, cluster, *more) in enumerate(found)}
        self._by_cluster: dict[str, list[str]] = {}
        for name in sorted(self.members, key=lambda name: self.members[name].order):
            self._by_cluster.setdefault(self.members[name].cluster, []).append(name)

    def list_clusters(self) -> pa.Table:
        """Return CLUSTERED, sorted by cluster."""
        clusters = sorted((self.members[names[0]].path, names) for names in self._by_cluster.values() if len(names) > 1)
        rows = [
            {
                "cluster": path,
                "document_id": name,
                "path": self.members[name].path,
                "similarity": self.members[name].similarity if self.members[name].cluster == names[0] else None,
            }
            for path, names in clusters
            for name in names
        ]
        return pa.Table.from_pylist(rows, schema=CLUSTERED)

    def find_hidden(self, among: Collection[str] | None = None) -> frozenset[str]:
        """Return the documents for which another one `among` those that count (None: all) is shown."""
        counted = ([name for name in names if among is None or name in among] for names in self._by_cluster.values())
        return frozenset(name for names in counted for name in names[1:])

    def find_shown(self, document: str) -> str:
        """Return the document that is shown for one."""
        return self._by_cluster[self.members[document].cluster][0] if document in self.members else document

    def list_others(self, document: str) -> list[str]:
        """Return the paths of MOST_NAMED of the other documents in the cluster of one, the newest first."""
        names = self._by_cluster[self.members[document].cluster] if document in self.members else []
        return [self.members[name].path for name in names if name != document][:MOST_NAMED]


class DistinctChunks:
    """The chunks of a source without those of hidden documents, as if these were not there."""

    def __init__(self, source: ChunkSource, find_hidden: Callable[[str | None], frozenset[str]]) -> None:
        """`find_hidden` returns the documents that are hidden among those that meet a condition."""
        self._source, self._find_hidden = source, find_hidden
        self.columns = source.columns

    @property
    def n(self) -> int:
        """How many chunks the source has."""
        return self._source.n

    def find_words(self, question: str, depth: int, where: str | None) -> list[tuple[str, float]]:
        """Return the `depth` rows of the highest BM25, each with its BM25."""
        return self._fill(lambda n: self._source.find_words(question, n, where), lambda found: found[0], depth, where)

    def find_nearest(self, vector: Vector, depth: int, where: str | None) -> list[str]:
        """Return the rows of the `depth` nearest chunks, nearly in order."""
        return self._fill(lambda n: self._source.find_nearest(vector, n, where), str, depth, where)

    def _fill(
        self, find: Callable[[int], Sequence[Row]], name_of: Callable[[Row], str], depth: int, where: str | None
    ) -> list[Row]:
        """Return the first `depth` of what is found in documents that are not hidden."""
        hidden, n = self._find_hidden(where), ASKED_MORE * depth
        while True:
            found = find(n)
            documents = self._source.read([name_of(one) for one in found], ["document_id"])["document_id"].to_pylist()
            shown = [one for one, document in zip(found, documents, strict=True) if document not in hidden]
            if len(shown) >= depth or len(found) < n:
                return shown[:depth]
            n *= ASKED_MORE

    def read(self, rows: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """Return columns of rows, in the order of `rows`."""
        return self._source.read(rows, columns)

    def read_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        """Yield what ranking needs of the chunks of each document that meet the condition, and `more` columns, in their order."""
        hidden = self._find_hidden(where)
        return self._source.read_documents([name for name in documents if name not in hidden], where, more)

    def list_documents(self) -> pa.Table:
        """Return document_id, path, title and n_chunks of all documents."""
        return self._leave_out(self._source.list_documents())

    def read_beginnings(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        """Return document_id, position and text of the first chunks of each document, of all documents (None) or some."""
        return self._leave_out(self._source.read_beginnings(positions, documents))

    def read_positions(self, documents: Sequence[str]) -> pa.Table:
        """Return _rowid, document_id and position of the chunks of documents."""
        return self._leave_out(self._source.read_positions(documents))

    def read_furniture(self, documents: Sequence[str]) -> Iterable[tuple[str, int, str]]:
        """Yield document, page number and text of the running headers and footers of documents."""
        return self._source.read_furniture(documents)

    def _leave_out(self, rows: pa.Table) -> pa.Table:
        hidden = pa.array(sorted(self._find_hidden(None)), pa.string())
        return rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=hidden)))
