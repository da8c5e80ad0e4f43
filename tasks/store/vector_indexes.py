"""Indexes of vectors: their type and parameters, how they are searched, and when they are built anew.

`make bench NAME=search` prints the table from which these were chosen: vectors in clusters, 10,000 to 1,000,000 rows.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from schemas.errors import CorpusError
from tasks.workers.memory import measure_available_memory

if TYPE_CHECKING:
    from lance import LanceDataset

VECTORS, COLUMN = "vector_idx", "vector"
INDEXED_ROWS = 20_000
"""With fewer vectors, all of them are compared."""
COMPARED_ROWS = 12_000
"""If a filter keeps no more vectors, all of them are compared: it takes as long as to look into lists of the index, which miss
much then. Of a million vectors these miss .11 of the ten nearest among 500, .02 among 10,000, .01 among 20,000."""
KIND = "IVF_SQ"
"""Lists of vectors that lie together, in 8 bits a number: 384 bytes for 1,536."""
LIST_ROWS = 4096
PROBES = 20
"""Lists that are searched, of a million vectors; of n times as many, the root of n as many times. All lists are of one size, so
that the nearest vectors lie in few of them however many there are."""
PROBED_ROWS = 1_000_000
REFINE = {KIND: 1, "IVF_PQ": 10}
"""By type of index: how many times as many vectors as are wanted are compared exactly. What 8 bits find needs only its order."""
TRAINED_ROWS, READ_SHARE, MOST_READ_BYTES, BUILD_BYTES = 256, 1.5, 750_000_000, 200_000_000
"""What it takes to build an index: vectors for each list, to find their centres; so many times all vectors, or so many bytes at
most, which are read ahead; and the rest."""
OUTGROWN = 2.0
"""An index is built anew when there are so many times the rows that its lists were made for, or so many times fewer."""


def choose_search_parameters(dataset: "LanceDataset") -> dict[str, int]:
    """Return the parameters of a search for the nearest vectors of a Lance dataset, whichever index it has, if any."""
    kind = find_index_type(dataset)
    if kind is None:
        return {}
    return {"minimum_nprobes": choose_probes(dataset.count_rows()), "refine_factor": REFINE.get(kind, 10)}


def choose_probes(rows: int) -> int:
    """Return how many lists of an index of so many vectors are searched.

    >>> choose_probes(1_000_000), choose_probes(10_000_000)
    (20, 63)
    """
    return int(PROBES * max(1.0, rows / PROBED_ROWS) ** 0.5)


WITHOUT_INDEX = {"use_index": False}
"""The parameters of a search that compares all vectors."""


def drop_refinement_of_search(how: Mapping[str, int]) -> dict[str, int]:
    """Return the parameters of a search that finds the same vectors, for a caller who puts them in order.

    >>> drop_refinement_of_search({"minimum_nprobes": 20, "refine_factor": 1})
    {'minimum_nprobes': 20}
    """
    return {name: value for name, value in how.items() if (name, value) != ("refine_factor", 1)}


def find_index_type(dataset: "LanceDataset") -> str | None:
    """Return the type of the index of vectors, such as IVF_SQ; None if there is none."""
    return next((index.index_type for index in dataset.describe_indices() if index.name == VECTORS), None)


def list_vector_segments(dataset: "LanceDataset") -> dict[str, frozenset[int]]:
    """Return the files that each piece of the index of vectors covers, by the id of the piece, which never changes."""
    pieces = [piece for index in dataset.describe_indices() if index.name == VECTORS for piece in index.segments]
    return {str(piece.uuid): frozenset(piece.fragment_ids) for piece in pieces}


def list_covered_fragments(dataset: "LanceDataset") -> frozenset[int]:
    """Return the files that the index of vectors covers."""
    return frozenset().union(*list_vector_segments(dataset).values())


def count_partitions(dataset: "LanceDataset") -> int:
    """Return how many lists the index of vectors has."""
    return int(dataset.stats.index_stats(VECTORS)["indices"][0]["num_partitions"])


def ensure_vector_index(dataset: "LanceDataset") -> None:
    """Build the index of vectors if it is due: there is none, it is of another type, or has lists for other numbers of rows."""
    rows, kind = dataset.count_rows(), find_index_type(dataset)
    if rows and (kind or rows >= INDEXED_ROWS) and is_outgrown(dataset):
        build_vector_index(dataset)


def is_outgrown(dataset: "LanceDataset") -> bool:
    """Return whether there is no index of vectors, one of another type, or one with lists for other numbers of rows."""
    if find_index_type(dataset) != KIND:
        return True
    return not 1 / OUTGROWN <= choose_partitions(dataset.count_rows()) / count_partitions(dataset) <= OUTGROWN


def build_vector_index(dataset: "LanceDataset") -> None:
    """Build the index of vectors over all rows, in the place of one that is there, which answers until then.

    Raises:
        CorpusError: there is not memory enough; says how much it takes.
    """
    rows = dataset.count_rows()
    need, free = estimate_build_memory(rows, dataset.schema.field(COLUMN).type.list_size), measure_available_memory()
    if need > free:
        raise CorpusError(
            f"the index of {rows:,} vectors takes about {need / 1e9:.1f} GB of memory to build, and {free / 1e9:.1f} GB are "
            "free: nothing was published, and what is published goes on answering; run this again with more memory"
        )
    lists = choose_partitions(rows)
    dataset.create_index(COLUMN, KIND, name=VECTORS, metric="cosine", replace=True, num_partitions=lists)


def estimate_build_memory(rows: int, dimension: int) -> int:
    """Return about how many bytes of memory it takes to build an index of so many vectors.

    Measured for 384 dimensions: .25 GB for 20,000 vectors, .43 for 100,000, .90 for 300,000 and 1.03 for 1,000,000.

    >>> [round(estimate_build_memory(rows, 384) / 1e9, 2) for rows in (20_000, 100_000, 300_000, 1_000_000)]
    [0.25, 0.44, 0.92, 1.05]
    """
    size = dimension * 4
    read = min(READ_SHARE * rows * size, MOST_READ_BYTES)
    return int(BUILD_BYTES + read + TRAINED_ROWS * choose_partitions(rows) * size)


def choose_partitions(rows: int) -> int:
    """Return how many lists an index of so many vectors is made with."""
    return max(1, rows // LIST_ROWS)
