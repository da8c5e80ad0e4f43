"""Packs: Arrow files of many rows, one for each content. A pack is written once, and never changed."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import place_of
from schemas.errors import DamageError
from tasks.store import files

NAMES = b"names"
"""The metadata that says which content each row is of, a line each (`media type:sha256`): read without the rows."""

DIGEST_DIGITS = 32
"""Hex digits of a pack's SHA-256 that its name has."""

_checked = set[Path]()

OPEN_PACKS = 32
"""Packs that a process keeps mapped into memory, so that the next row of one costs nothing."""


class StagedRow(NamedTuple):
    """Where a row is: its pack, and its position there. Travels to worker processes."""

    pack: str
    position: int

    def read(self) -> pa.Table:
        """Return the row as a table of its step's schema, mapped into memory."""
        return _open_rows(self.pack).slice(self.position, 1)

    def fetch(self) -> "StagedRow":
        """Return the row in a file of this machine, for worker processes, which reach no store."""
        pack = place_of(self.pack)
        return StagedRow(str(files.find_storage(pack).fetch(pack)), self.position)


def locate_rows(places: Mapping[str, tuple[str, int]]) -> dict[str, StagedRow]:
    """Return rows by the names of their contents, from packs and positions as another machine tells them.

    A flow keeps them for as long as it runs: rows of one pack share its name.
    """
    packs: dict[str, str] = {}
    return {name: StagedRow(packs.setdefault(pack, pack), position) for name, (pack, position) in places.items()}


class Pack(NamedTuple):
    """A pack on the disk: its file, the names of the contents of its rows as bytes with a line each, and its size in bytes."""

    path: Path
    lines: bytes
    n_bytes: int

    @property
    def names(self) -> pa.Array:
        """Return the names of the contents of its rows. They take more room than the lines, so nobody keeps them."""
        return pa.array(self.lines.decode().split("\n"), pa.string())


def write_pack(folder: Path, names: Iterable[str], rows: pa.Table, group: str = "") -> Path:
    """Write `rows`, those of the contents `names`, as a new pack in `folder`, at once; return its file.

    Its name ends with a digest of its bytes. The packs of a `group` can be found again by it alone, see `list_packs`.

    Raises:
        WriteError: it cannot be written.
    """
    name = f"{group}-{uuid4().hex}" if group else uuid4().hex
    storage, path = files.find_storage(folder), folder / "packs" / name[:2] / f"{name}.arrow"
    unnamed = storage.local_path(path)
    files.write_table_atomically(unnamed, rows.replace_schema_metadata({NAMES: "\n".join(names)}))
    digest = files.compute_sha256(unnamed)
    path = path.with_name(f"{name}.{digest[:DIGEST_DIGITS]}.arrow")
    os.replace(unnamed, storage.local_path(path))
    with files.explain_write_errors(path):
        storage.upload(path)
    return path


def link_pack(pack: Path, folder: Path) -> bool:
    """Link a pack of another folder into `folder`, or copy it where there are no links; return whether it was still there.

    Raises:
        WriteError: it cannot be written.
    """
    path = folder / "packs" / pack.parent.name / pack.name
    with files.explain_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            files.find_storage(path).link(pack, path)
        except FileNotFoundError:
            return False
    return True


def list_packs(folder: Path, group: str = "") -> Iterator[Pack]:
    """Yield the packs in `folder`, or those of a group. A pack that a power failure cut short is left out."""
    pattern = f"packs/{group[:2]}/{group}-*.arrow" if group else "packs/*/*.arrow"
    for path, lines, n_bytes in files.find_storage(folder).list_arrow_files(folder, pattern, NAMES):
        yield Pack(path, lines, n_bytes)


def mask_rows(packs: Sequence[Pack], names: pa.Array) -> list[pa.ChunkedArray]:
    """Return for each pack which of its rows (one Boolean each) are of the contents `names`, looked up all at once."""
    of_packs = [pack.names for pack in packs]
    found = pc.is_in(pa.chunked_array(of_packs, pa.string()), value_set=names)
    starts = accumulate(map(len, of_packs), initial=0)
    return [found.slice(start, len(of_pack)) for start, of_pack in zip(starts, of_packs, strict=False)]


def join_packs(folder: Path, parts: Sequence[tuple[Pack, pa.ChunkedArray]]) -> Path | None:
    """Write the rows of several packs that a mask (one Boolean for each row) keeps as one new pack, unless there are none."""
    rows = pa.concat_tables([_read_rows(pack.path).filter(mask) for pack, mask in parts])
    names = [name for pack, mask in parts for name in pack.names.filter(mask.combine_chunks()).to_pylist()]
    return write_pack(folder, names, rows) if names else None


def _read_rows(path: Path) -> pa.Table:
    here = files.find_storage(path).fetch(path)
    _check_digest(path, here)
    return files.read_table(here).replace_schema_metadata(None)


def _check_digest(path: Path, here: Path) -> None:
    """Compare a pack's bytes with the digest in its name, once in a process; packs of older versions have none.

    Raises:
        DamageError: they differ.
    """
    digest = path.stem.partition(".")[2]
    if digest and path not in _checked:
        if files.compute_sha256(here)[:DIGEST_DIGITS] != digest:
            raise DamageError(f"the staged file {path} is damaged: run pagemill repair, which has it computed again")
        _checked.add(path)


@lru_cache(maxsize=OPEN_PACKS)
def _open_rows(path: str) -> pa.Table:
    return _read_rows(place_of(path))


def close_packs() -> None:
    """Close the packs that this process has mapped into memory. A pack that is read again is checked again."""
    _open_rows.cache_clear()
    _checked.clear()
