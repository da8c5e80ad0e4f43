"""Pack policy: which packs of staged rows are written again. What is written stays in proportion to what changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MAX_UNNEEDED_SHARE = 0.5
"""Share of a pack's rows that may be unneeded: each rewriting deletes as many rows as it copies."""

SMALL_BYTES = 2**20
MAX_SMALL_PACKS = 16
"""Small packs that may lie side by side: more are joined, so that their number does not grow with the number of refreshes."""

JOINED_BYTES = 16 * 2**20


class PackUsage(NamedTuple):
    """A pack by its position in a list: its size, its rows, and how many of them are needed."""

    pack: int
    n_bytes: int
    n_rows: int
    n_needed: int


def choose_rewrites(packs: Iterable[PackUsage], strict: bool) -> list[list[int]]:
    """Return groups of packs, each to be replaced by one pack of the needed rows, or by none if no row is needed.

    With `strict`, no unneeded row may stay.
    """
    small: list[PackUsage] = []
    groups: list[list[int]] = []
    for pack in packs:
        if pack.n_needed < (pack.n_rows if strict else pack.n_rows * (1 - MAX_UNNEEDED_SHARE)) or not pack.n_needed:
            groups.append([pack.pack])
        elif pack.n_bytes < SMALL_BYTES:
            small.append(pack)
    return groups + (list(_group_small(small)) if len(small) > MAX_SMALL_PACKS else [])


def _group_small(small: Sequence[PackUsage]) -> Iterator[list[int]]:
    group: list[int] = []
    n_bytes = 0
    for pack in small:
        if group and n_bytes + pack.n_bytes > JOINED_BYTES:
            yield group
            group, n_bytes = [], 0
        group.append(pack.pack)
        n_bytes += pack.n_bytes
    if len(group) > 1:
        yield group
