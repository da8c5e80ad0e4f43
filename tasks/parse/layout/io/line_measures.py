"""What MuPDF measures of the lines of a page, as an array.

MuPDF returns a record of some hundred numbers for a line. To ask for each by its name takes as long as the layout model, so that
records are copied whole. Where a number stands in them is found by setting it in a blank record.
"""

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pymupdf

Array = np.ndarray[Any, Any]
CELL = 4
"""Bytes of a number."""
RECTANGLE = "last_char_rect"
"""The one entry of a record that is no number: four of them."""


class _Record(NamedTuple):
    """The number of cells in a record; by name the cell of each number, and for each cell whether it is a whole number."""

    n_cells: int
    cells: dict[str, int]
    whole: Array


def measures_of(text_page: "pymupdf.TextPage", boxes: Sequence[Sequence[float]], names: Sequence[str]) -> Array:
    """Return a row for each box on the page, with the measures called `names` in their order."""
    from pymupdf import features, mupdf

    record = _record()
    found = [features.fz_features_for_region(text_page, mupdf.FzRect(*box), 0) for box in boxes]
    rows = np.frombuffer(b"".join(_content(one, record.n_cells) for one in found), np.int32).reshape(-1, record.n_cells)
    values = np.where(record.whole, rows.astype(np.float32), rows.view(np.float32))
    return values[:, [record.cells[name] for name in names]]


def _content(measured: Any, n_cells: int) -> bytes:
    return ctypes.string_at(int(measured.this), CELL * n_cells)


@cache
def _record() -> _Record:
    from pymupdf import features

    blank = features.fz_feature_stats()
    numbers = {name for name, kind in vars(type(blank)).items() if isinstance(kind, property)} - {"thisown", RECTANGLE}
    n_cells = len(numbers) + 4
    cells, whole = {}, np.zeros(n_cells, bool)
    for name in numbers:
        before = np.frombuffer(_content(blank, n_cells), np.int32)
        number = getattr(blank, name)
        setattr(blank, name, number + 1)
        (cell,) = np.flatnonzero(before != np.frombuffer(_content(blank, n_cells), np.int32))
        cells[name], whole[cell] = int(cell), isinstance(number, int)
    return _Record(n_cells, cells, whole)
