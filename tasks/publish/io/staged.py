"""Staged rows after publication: which of them the kept generations need, and how the others are deleted.

Packs are rewritten so that what is written stays in proportion to what changed.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from tasks.publish.io.tags import list_restorable_generations
from tasks.publish.keys import Fingerprints, convert_contents_to_fingerprints
from tasks.store import published
from tasks.store.conditions import make_documents_condition
from tasks.store.files import delete_files
from tasks.store.packs import Pack, join_packs, list_packs
from tasks.store.published import Generation

Needed = dict[tuple[str, str], Fingerprints]
"""The contents whose rows are needed, by step and recipe. Two contents with one fingerprint are kept as long as one is needed."""

NOTHING: Fingerprints = np.empty(0, np.uint64)

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


def delete_unneeded_staged_rows(corpus: Corpus, strict: bool = False, also: Fingerprints = NOTHING) -> None:
    """Delete staged rows and recipes that no restorable generation needs, and what dead runs began to stage.

    A pack goes when none of its rows is needed; otherwise it is rewritten once many of them are not, or, with `strict`, one.
    Rows of the contents `also`, in order, are kept whatever their recipe.
    """
    contents = find_needed_contents(corpus)
    needed = find_needed_staged_rows(corpus, contents)
    whole: set[Path] = set()
    for folder, packs in _list_packs(corpus, needed, also):
        whole.update(pack.path for pack, _ in packs)
        for group in _group_packs_for_rewrite(packs, strict):
            joined = join_packs(folder, group)
            whole.update([joined] if joined else [])
            delete_files(pack.path for pack, _ in group)
    _delete_stray_files(corpus, whole)
    delete_files(path for path in corpus.recipes("").parent.glob("*.json") if path.stem not in contents)


def count_unneeded_staged_rows(corpus: Corpus, without: Sequence[str]) -> int:
    """Return how many staged rows no restorable generation would need if the documents of the ids `without` were not there."""
    needed = find_needed_staged_rows(corpus, find_needed_contents(corpus, without))
    return sum(len(mask) - _count_true(mask) for _, packs in _list_packs(corpus, needed) for _, mask in packs)


def find_needed_contents(corpus: Corpus, without: Sequence[str] = ()) -> dict[str, Fingerprints]:
    """Return, by recipe, the contents that restorable generations are made of, but for those of some documents."""
    parts: dict[str, list[Fingerprints]] = {}
    for found in list_restorable_generations(corpus):
        for recipe, contents in _read_contents_of_generation(corpus, found, without):
            parts.setdefault(recipe, []).append(contents)
    return {recipe: np.unique(np.concatenate(contents)) for recipe, contents in parts.items()}


def _read_contents_of_generation(corpus: Corpus, found: Generation, without: Sequence[str]) -> Iterator[tuple[str, Fingerprints]]:
    others = f"NOT ({make_documents_condition(without)})" if without else None
    for table in ("documents", "rejects"):
        for rows in published.read_batches(corpus, found, table, ["recipe", "sha256"], others):
            contents = convert_contents_to_fingerprints(rows["sha256"])
            for recipe in pc.unique(rows["recipe"]).to_pylist():
                yield recipe, contents[pc.equal(rows["recipe"], recipe).to_numpy()]


def find_needed_staged_rows(corpus: Corpus, contents: dict[str, Fingerprints]) -> Needed:
    """Return which rows are needed of each step by each of its recipes."""
    parts: dict[tuple[str, str], list[Fingerprints]] = {}
    for whole, of_recipe in contents.items():
        path = corpus.recipes(whole)
        steps: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        for key in steps.items():
            parts.setdefault(key, []).append(of_recipe)
    return {key: np.unique(np.concatenate(of_key)) for key, of_key in parts.items()}


def _list_packs(
    corpus: Corpus, needed: Needed, also: Fingerprints = NOTHING
) -> Iterator[tuple[Path, list[tuple[Pack, pa.ChunkedArray]]]]:
    """Yield each folder of packs with its packs, each with a mask of the rows that are needed, or of the contents `also`."""
    for folder in sorted(path for path in corpus.staging.glob("*/*") if path.is_dir()):
        of_folder = needed.get((folder.parent.name, folder.name), NOTHING)
        wanted = np.union1d(of_folder, also) if len(also) else of_folder
        packs = list(list_packs(folder))
        found = [_mask_needed_rows(pack, wanted) for pack in packs]
        if sum(map(_count_true, found)) > len(wanted):
            found = list(_drop_duplicate_rows(packs, found))
        yield folder, list(zip(packs, found, strict=True))


def _mask_needed_rows(pack: Pack, wanted: Fingerprints) -> pa.ChunkedArray:
    """Return which rows of a pack are of `wanted` contents, which are in order."""
    contents = convert_contents_to_fingerprints(pa.chunked_array([pack.names]))
    at = np.minimum(np.searchsorted(wanted, contents), max(len(wanted) - 1, 0))
    return pa.chunked_array([wanted[at] == contents if len(wanted) else np.zeros(len(contents), bool)])


def _count_true(mask: pa.ChunkedArray) -> int:
    return int(pc.sum(mask).as_py() or 0)


def _drop_duplicate_rows(packs: Sequence[Pack], found: Sequence[pa.ChunkedArray]) -> Iterator[pa.ChunkedArray]:
    """Yield masks without rows that stand in an earlier pack: a clean-up that was killed leaves some twice."""
    seen: set[str] = set()
    for pack, mask in zip(packs, found, strict=True):
        names = pack.names.to_pylist()
        yield pa.chunked_array(
            [[needs and name not in seen for name, needs in zip(names, mask.to_pylist(), strict=True)]], pa.bool_()
        )
        seen.update(names)


def _group_packs_for_rewrite(
    packs: Sequence[tuple[Pack, pa.ChunkedArray]], strict: bool
) -> list[list[tuple[Pack, pa.ChunkedArray]]]:
    shares = [PackUsage(at, pack.n_bytes, len(mask), _count_true(mask)) for at, (pack, mask) in enumerate(packs)]
    return [[packs[at] for at in group] for group in choose_packs_to_rewrite(shares, strict)]


def _delete_stray_files(corpus: Corpus, whole: Collection[Path]) -> None:
    """Delete what lies in the staging and is no whole pack: temporary files of dead runs, and files that were cut short."""
    delete_files(path for path in corpus.staging.rglob("*") if path.is_file() and path not in whole)


def choose_packs_to_rewrite(packs: Iterable[PackUsage], strict: bool) -> list[list[int]]:
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
    return groups + (list(_group_small_packs(small)) if len(small) > MAX_SMALL_PACKS else [])


def _group_small_packs(small: Sequence[PackUsage]) -> Iterator[list[int]]:
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
