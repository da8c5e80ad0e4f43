"""Packs: Arrow files of many rows, one for each content. A pack is written once, and never changed."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc

from schemas.errors import SchemaError
from tasks.store import files

NAME = pa.field("name", pa.string(), nullable=False)
"""The column that says which content a row is of: `media type:sha256`."""

OPEN_PACKS = 32
"""Packs that a process keeps mapped into memory, so that the next row of one costs nothing."""


class StagedRow(NamedTuple):
    """Where a row is: its pack, and its position there. Travels to worker processes."""

    pack: str
    position: int

    def read(self) -> pa.Table:
        """Return the row as a table of its step's schema, mapped into memory."""
        return _rows_of(self.pack).slice(self.position, 1)


class Pack(NamedTuple):
    """A pack on the disk: its file, the names of the contents of its rows, and its size in bytes."""

    path: Path
    names: pa.ChunkedArray
    n_bytes: int


def write_pack(folder: Path, names: Sequence[str] | pa.ChunkedArray, rows: pa.Table) -> Path:
    """Write `rows`, those of the contents `names`, as a new pack in `folder`, at once; return its file.

    Raises:
        WriteError: it cannot be written.
    """
    name = uuid4().hex
    path = folder / "packs" / name[:2] / f"{name}.arrow"
    column = names if isinstance(names, pa.ChunkedArray) else pa.array(names, NAME.type)
    files.put_table(path, rows.append_column(NAME, column))
    return path


def packs_in(folder: Path) -> Iterator[Pack]:
    """Yield the packs in `folder` that are whole: one that lost its power while it was written may be cut short."""
    for path in sorted(folder.glob("packs/*/*.arrow")):
        try:
            names = files.read_table(path)[NAME.name]
        except (SchemaError, FileNotFoundError, KeyError, OSError):
            continue
        yield Pack(path, names, path.stat().st_size)


def masks(packs: Sequence[Pack], names: pa.Array) -> list[pa.ChunkedArray]:
    """Return for each pack which of its rows (one Boolean each) are of the contents `names`, looked up all at once."""
    listed = pa.chunked_array([chunk for pack in packs for chunk in pack.names.chunks], NAME.type)
    found = pc.is_in(listed, value_set=names)
    parts, at = [], 0
    for pack in packs:
        parts.append(found.slice(at, len(pack.names)))
        at += len(pack.names)
    return parts


def read_pack(path: Path) -> pa.Table:
    """Return all rows of a pack, mapped into memory, with the column NAME."""
    return files.read_table(path)


def join_packs(folder: Path, parts: Iterable[tuple[Path, pa.ChunkedArray]]) -> Path | None:
    """Write the rows of several packs that a mask (one Boolean for each row) keeps as one new pack, unless there are none."""
    kept = [read_pack(path).filter(mask) for path, mask in parts]
    rows = pa.concat_tables(kept)
    if not rows.num_rows:
        return None
    return write_pack(folder, rows[NAME.name], rows.drop_columns(NAME.name))


@lru_cache(maxsize=OPEN_PACKS)
def _rows_of(path: str) -> pa.Table:
    return read_pack(Path(path)).drop_columns(NAME.name)


def close_packs() -> None:
    """Let go of the packs that this process has mapped into memory."""
    _rows_of.cache_clear()
