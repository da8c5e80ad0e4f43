"""Resident: what ranking reads of chunks, kept in memory by a process that is asked many questions."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

COLUMNS = ("document_id", "position", "section", "text", "vector")
"""In the order in which they are kept while there is room: what saves most for its size comes first."""
BUDGET = 512 * 2**20
"""Bytes that they may take: enough for some 200,000 chunks with 384 numbers each; of more, vectors are read as before."""
ASKED_OFTEN = 30
"""Reading 100,000 chunks takes as long as answering so many questions."""
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
    names = [name for name, so_far in zip(COLUMNS, accumulate(sizes), strict=True) if so_far <= BUDGET]
    found = dataset.to_table(columns=names, with_row_id=True)
    numbers = found["_rowid"].to_numpy().astype(np.int64)
    if len(numbers) > 1 and np.any(numbers[1:] < numbers[:-1]):
        found = found.take(pa.array(np.argsort(numbers)))
        numbers = np.sort(numbers)
    return Held(numbers, {name: found[name].combine_chunks() for name in names}, dataset.schema)
