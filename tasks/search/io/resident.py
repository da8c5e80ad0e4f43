"""Resident: what ranking reads of chunks, kept in memory by a process that is asked many questions."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tasks.search.chunk_source import ChunkRow
from tasks.workers.memory import measure_available_memory, release_freed_memory

if TYPE_CHECKING:
    from lance import LanceDataset

RANKING = ("document_id", "position", "section", "text")
COLUMNS = (*RANKING, *(name for name in ChunkRow.__annotations__ if name not in RANKING), "vector")
"""In the order in which they are kept while there is room: what saves most for its size comes first."""
REPEATED = ("document_id", "path", "title", "kind")
"""Columns of few different values: each value is kept once."""
SEEN, TEXT = "embedding_text", "text"
"""What the embedder saw of a chunk is kept where it differs from its text."""
SHARE = 1 / 8
"""Of the memory that is available they may take so much; while they are read, and after, the process needs up to twice that."""
ASKED_OFTEN = 30
"""Reading 100,000 chunks takes as long as answering so many questions."""
SAMPLED = 256
"""Rows that show how large a column is."""

Rows = NDArray[np.int64]


class _Documents(NamedTuple):
    """Documents by number, the places of rows by document and position, and where those of each begin (and the last end)."""

    numbers: Mapping[str, int]
    places: Rows
    starts: Rows


_NO_DOCUMENTS = _Documents({}, np.empty(0, np.int64), np.zeros(1, np.int64))


class ResidentColumns:
    """Columns of all chunks in memory, by the numbers of their rows."""

    def __init__(self, rows: Rows, columns: Mapping[str, pa.Array], schema: pa.Schema) -> None:
        """`rows` are the numbers of the rows, in order. `schema` is that of the dataset."""
        self._rows, self.columns, self._schema = rows, columns, schema
        self._documents = _group_rows_by_document(columns) if self.knows_documents else _NO_DOCUMENTS

    def take(self, rows: Sequence[int], names: Sequence[str]) -> pa.Table:
        """Return columns of rows."""
        chosen = pa.array(np.searchsorted(self._rows, np.asarray(rows, np.int64)))
        schema = pa.schema([self._schema.field(name) for name in names])
        return pa.table([self._take_values(name, chosen) for name in names], schema=schema)

    @property
    def knows_documents(self) -> bool:
        """Return whether it is known which rows are of which document."""
        return {"document_id", "position"} <= self.columns.keys()

    def list_rows_of(self, document: str) -> Rows:
        """Return the numbers of the rows of a document, in the order of its chunks."""
        number = self._documents.numbers.get(document)
        low, high = (0, 0) if number is None else self._documents.starts[number : number + 2]
        return self._rows[self._documents.places[low:high]]

    def _take_values(self, name: str, chosen: pa.Array) -> pa.Array:
        found = self.columns[name].take(chosen)
        if name == SEEN:
            return pc.coalesce(found, self.columns[TEXT].take(chosen))
        return found.dictionary_decode() if isinstance(found, pa.DictionaryArray) else found


def _group_rows_by_document(columns: Mapping[str, pa.Array]) -> _Documents:
    encoded = columns["document_id"].dictionary_encode()
    codes = encoded.indices.to_numpy()
    places = np.lexsort((columns["position"].to_numpy(), codes))
    starts = np.searchsorted(codes[places], np.arange(len(encoded.dictionary) + 1))
    return _Documents({name: number for number, name in enumerate(encoded.dictionary.to_pylist())}, places, starts)


def load_resident_columns(dataset: "LanceDataset") -> ResidentColumns:
    """Read the columns of a Lance dataset for which there is room. It must have rows; older corpora lack some columns."""
    rows, wanted = dataset.count_rows(), [name for name in COLUMNS if name in dataset.schema.names]
    some = dataset.take(sorted({*np.linspace(0, rows - 1, min(rows, SAMPLED)).astype(int).tolist()}), columns=wanted)
    sizes = [_compress_column(name, some.combine_chunks().to_batches()[0]).nbytes * rows // len(some) for name in wanted]
    room = SHARE * measure_available_memory()
    names = [name for name, so_far in zip(wanted, accumulate(sizes), strict=True) if so_far <= room]
    numbers = dataset.to_table(columns=[], with_row_id=True)["_rowid"].to_numpy().astype(np.int64)
    columns = {name: _read_column_in_pieces(dataset, name) for name in names}
    if np.any(numbers[1:] < numbers[:-1]):
        order = np.argsort(numbers)
        numbers, columns = numbers[order], {name: column.take(pa.array(order)) for name, column in columns.items()}
    release_freed_memory()
    return ResidentColumns(numbers, columns, dataset.schema)


def _read_column_in_pieces(dataset: "LanceDataset", name: str) -> pa.Array:
    """Read a column in small pieces, each copied at once: what Lance has allocated for large ones stays with the process."""
    columns = [name, TEXT] if name == SEEN else [name]
    small = dataset.scanner(columns, batch_size=1024, batch_readahead=1, fragment_readahead=1, io_buffer_size=2 * 2**20)
    kept = pa.chunked_array([_compress_column(name, piece) for piece in small.to_batches()])
    return kept.unify_dictionaries().combine_chunks()


def _compress_column(name: str, rows: pa.RecordBatch) -> pa.Array:
    """Return a copy of a column of some rows in the form in which it is kept."""
    column = rows[name]
    if name in REPEATED:
        return column.dictionary_encode()
    if name == SEEN:
        return pc.replace_with_mask(column, pc.equal(column, rows[TEXT]), pa.scalar(None, pa.string()))
    return pa.concat_arrays([column, column[:0]])
