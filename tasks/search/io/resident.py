"""Resident: what ranking reads of chunks, kept in memory by a process that is asked many questions."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.workers.memory import available, release

COLUMNS = ("document_id", "position", "section", "text", "vector")
"""In the order in which they are kept while there is room: what saves most for its size comes first."""
SHARE = 1 / 8
"""Of the memory that is available they may take so much; while they are read, and after, the process needs up to twice that."""
ASKED_OFTEN = 30
"""Reading 100,000 chunks takes as long as answering so many questions."""
IN_SMALL_PIECES = {"batch_size": 1024, "batch_readahead": 1, "fragment_readahead": 1, "io_buffer_size": 2 * 2**20}
SAMPLED = 256
"""Rows that show how large a column is."""

Rows = NDArray[np.int64]


class _Documents(NamedTuple):
    """Documents by number, the places of rows by document and position, and where those of each begin (and the last end)."""

    numbers: Mapping[str, int]
    places: Rows
    starts: Rows


_NO_DOCUMENTS = _Documents({}, np.empty(0, np.int64), np.zeros(1, np.int64))


class Held:
    """Columns of all chunks in memory, by the numbers of their rows."""

    def __init__(self, rows: Rows, columns: Mapping[str, pa.Array], schema: pa.Schema) -> None:
        """`rows` are the numbers of the rows, in order. `schema` is that of the dataset."""
        self._rows, self.columns, self._schema = rows, columns, schema
        self._documents = _by_document(columns) if {"document_id", "position"} <= columns.keys() else _NO_DOCUMENTS

    def take(self, rows: Sequence[int], names: Sequence[str]) -> pa.Table:
        """Return columns of rows."""
        return self._at(np.searchsorted(self._rows, np.asarray(rows, np.int64)), names)

    def of_document(self, document: str, names: Sequence[str]) -> pa.Table:
        """Return the numbers of rows, as `_rowid`, and columns of the chunks of a document, in their order."""
        number = self._documents.numbers.get(document)
        low, high = (0, 0) if number is None else self._documents.starts[number : number + 2]
        places = self._documents.places[low:high]
        return self._at(places, names).add_column(0, "_rowid", pa.array(self._rows[places], pa.uint64()))

    def _at(self, places: Rows, names: Sequence[str]) -> pa.Table:
        schema, chosen = pa.schema([self._schema.field(name) for name in names]), pa.array(places)
        return pa.table([self.columns[name].take(chosen) for name in names], schema=schema)


def _by_document(columns: Mapping[str, pa.Array]) -> _Documents:
    encoded = columns["document_id"].dictionary_encode()
    codes = encoded.indices.to_numpy()
    places = np.lexsort((columns["position"].to_numpy(), codes))
    starts = np.searchsorted(codes[places], np.arange(len(encoded.dictionary) + 1))
    return _Documents({name: number for number, name in enumerate(encoded.dictionary.to_pylist())}, places, starts)


def held(dataset: Any) -> Held:
    """Read the columns of a Lance dataset, which has rows, that there is room for."""
    rows = dataset.count_rows()
    some = dataset.take(sorted({*np.linspace(0, rows - 1, min(rows, SAMPLED)).astype(int).tolist()}), columns=list(COLUMNS))
    sizes = [some[name].nbytes * rows // len(some) for name in COLUMNS]
    room = SHARE * available()
    names = [name for name, so_far in zip(COLUMNS, accumulate(sizes), strict=True) if so_far <= room]
    numbers = dataset.to_table(columns=[], with_row_id=True)["_rowid"].to_numpy().astype(np.int64)
    columns = {name: _column(dataset, name) for name in names}
    if np.any(numbers[1:] < numbers[:-1]):
        order = np.argsort(numbers)
        numbers, columns = numbers[order], {name: column.take(pa.array(order)) for name, column in columns.items()}
    release()
    return Held(numbers, columns, dataset.schema)


def _column(dataset: Any, name: str) -> pa.Array:
    """Read a column in small pieces, each copied at once: what Lance has allocated for large ones stays with the process."""
    pieces = dataset.scanner(columns=[name], **IN_SMALL_PIECES).to_batches()
    return pa.concat_arrays([pa.concat_arrays([piece.column(0), piece.column(0)[:0]]) for piece in pieces])
