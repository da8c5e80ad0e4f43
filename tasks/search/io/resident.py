"""Resident: what ranking reads of chunks, kept in memory by a process that is asked many questions."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

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


class Held:
    """Columns of all chunks in memory, by the numbers of their rows."""

    def __init__(self, rows: Rows, columns: Mapping[str, pa.Array], schema: pa.Schema) -> None:
        """`rows` are the numbers of the rows, in order. `schema` is that of the dataset."""
        self._rows, self.columns, self._schema = rows, columns, schema

    def take(self, rows: Sequence[int], names: Sequence[str]) -> pa.Table:
        """Return columns of rows."""
        return self._at(np.searchsorted(self._rows, np.asarray(rows, np.int64)), names)

    def of_document(self, document: str, names: Sequence[str]) -> pa.Table:
        """Return the numbers of rows, as `_rowid`, and columns of the chunks of a document, in their order."""
        codes, order, starts = self._documents
        code = codes.get(document)
        places = order[starts[code] : starts[code + 1]] if code is not None else order[:0]
        return self._at(places, names).add_column(0, "_rowid", pa.array(self._rows[places], pa.uint64()))

    def _at(self, places: Rows, names: Sequence[str]) -> pa.Table:
        schema, chosen = pa.schema([self._schema.field(name) for name in names]), pa.array(places)
        return pa.table([self.columns[name].take(chosen) for name in names], schema=schema)

    @cached_property
    def _documents(self) -> tuple[dict[str, int], Rows, Rows]:
        """Number documents; return the places of rows by document and position, and where each document begins there."""
        encoded = self.columns["document_id"].dictionary_encode()
        codes = encoded.indices.to_numpy()
        order = np.lexsort((self.columns["position"].to_numpy(), codes))
        starts = np.searchsorted(codes[order], np.arange(len(encoded.dictionary) + 1))
        return {name: number for number, name in enumerate(encoded.dictionary.to_pylist())}, order, starts


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
