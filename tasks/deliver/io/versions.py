"""Two versions of a Lance table, compared in time proportional to what was written between them.

A commit of Lance's writes new fragments and marks rows of old ones as deleted; a fragment that both versions have is not read.
Rows are only joined into other fragments now and then, and are compared by content then. Lance's own row-level versions
(`_row_last_updated_at_version`) would need stable row ids, which the tables do not have.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.deliver.comparison import find_differing_rows
from tasks.store.indexes import find_stored_columns

if TYPE_CHECKING:
    from lance import LanceDataset
    from lance.fragment import LanceFragment

PART_ROWS = 1_000
"""Rows that are read at once."""

OFFSET_BITS = 32
"""A position is the number of a fragment in its version, shifted by so many bits, and the row's place among its live rows."""

Positions = np.ndarray[Any, np.dtype[np.int64]]


class Difference(NamedTuple):
    """Where the rows lie that differ: those that were removed in the older version, the others in the newer one."""

    removed: Positions
    changed: Positions
    added: Positions


def compare_versions(before: "LanceDataset", after: "LanceDataset", key: Sequence[str]) -> Difference:
    """Return which rows differ between two versions of a table, whose columns `key` name a row.

    Raises:
        OSError, RuntimeError, ValueError: Lance cannot read a version.
    """
    old, new = _find_suspects(before, after)
    old_keys, new_keys = (_join_key(read_rows(version, positions, key)) for version, positions in ((before, old), (after, new)))
    found = pc.index_in(new_keys, value_set=old_keys)
    in_both = pc.is_valid(found).to_numpy()
    partner = old[found.drop_null().to_numpy()]
    differs = _list_differing(before, after, partner, new[in_both], None)
    return Difference(np.setdiff1d(old, partner), new[in_both][differs], new[~in_both])


def read_rows(version: "LanceDataset", positions: Positions, columns: Sequence[str] | None) -> pa.Table:
    """Return those of `columns` (None: all) that a version has, of the rows at some positions of it, in that order."""
    order = np.argsort(positions, kind="stable")
    ordered, fragments = positions[order], version.get_fragments()
    names = [name for name in columns or version.schema.names if name in version.schema.names]
    parts = [version.schema.empty_table().select(names)]
    for number in np.unique(ordered >> OFFSET_BITS):
        offsets = ordered[ordered >> OFFSET_BITS == number] & ((1 << OFFSET_BITS) - 1)
        parts.append(fragments[number].take(offsets.tolist(), columns=names))
    return pa.concat_tables(parts).take(np.argsort(order))


def split_positions(positions: Positions) -> Iterator[Positions]:
    """Yield positions in parts of PART_ROWS."""
    for start in range(0, len(positions), PART_ROWS):
        yield positions[start : start + PART_ROWS]


def _find_suspects(before: "LanceDataset", after: "LanceDataset") -> tuple[Positions, Positions]:
    """Return the positions, in each version, of rows that are not known to be the same row in the other."""
    old_fragments, old, new = before.get_fragments(), [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    numbers = {_name_fragment(fragment): number for number, fragment in enumerate(old_fragments)}
    for number, fragment in enumerate(after.get_fragments()):
        partner = numbers.pop(_name_fragment(fragment), None)
        if partner is None:
            new.append(_make_positions(number, np.arange(fragment.count_rows())))
            continue
        mine, theirs = find_stored_columns(after, fragment), find_stored_columns(before, old_fragments[partner])
        written = [name for name in {**theirs, **mine} if mine.get(name) != theirs.get(name)]
        if not written and fragment.metadata.deletion_file == old_fragments[partner].metadata.deletion_file:
            continue
        lives, lived = _list_live_rows(after, fragment), _list_live_rows(before, old_fragments[partner])
        _, in_old, in_new = np.intersect1d(lived, lives, assume_unique=True, return_indices=True)
        old.append(_make_positions(partner, np.delete(np.arange(len(lived)), in_old)))
        new.append(_make_positions(number, np.delete(np.arange(len(lives)), in_new)))
        if written:
            kept_old, kept_new = _make_positions(partner, in_old), _make_positions(number, in_new)
            differs = _list_differing(before, after, kept_old, kept_new, written)
            old.append(kept_old[differs])
            new.append(kept_new[differs])
    for number in numbers.values():
        old.append(_make_positions(number, np.arange(old_fragments[number].count_rows())))
    return np.concatenate(old), np.concatenate(new)


def _name_fragment(fragment: "LanceFragment") -> str:
    """Return the name of the file in which a fragment was first written: columns that are written later have files beside it."""
    return str(fragment.data_files()[0].path)


def _make_positions(number: int, offsets: Positions) -> Positions:
    return (number << OFFSET_BITS) | offsets.astype(np.int64)


def _list_live_rows(version: "LanceDataset", fragment: "LanceFragment") -> Positions:
    """Return the places in its files of the rows of a fragment that are not deleted, ascending; nothing but deletions is read."""
    if not fragment.num_deletions:
        return np.arange(fragment.physical_rows)
    addresses = version.scanner(columns=[], with_row_address=True, fragments=[fragment]).to_table()["_rowaddr"]
    return np.asarray(addresses, np.int64) & ((1 << OFFSET_BITS) - 1)


def _list_differing(
    before: "LanceDataset", after: "LanceDataset", old: Positions, new: Positions, columns: Sequence[str] | None
) -> Positions:
    """Return which of some pairs of rows differ in `columns` (None: all)."""
    found = [np.empty(0, np.int64)]
    for start, (of_old, of_new) in enumerate(zip(split_positions(old), split_positions(new), strict=True)):
        rows = find_differing_rows(read_rows(before, of_old, columns), read_rows(after, of_new, columns))
        found.append(np.array(rows, np.int64) + start * PART_ROWS)
    return np.concatenate(found)


def _join_key(keys: pa.Table) -> pa.ChunkedArray:
    """Return one text for the key of each row."""
    if keys.num_columns == 1:
        return keys.column(0)
    return pc.binary_join_element_wise(*(column.cast(pa.string()) for column in keys.columns), "\0")
