"""Staged rows after publication: which of them the kept generations need, and how the others go."""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.media_types import media_type_of
from schemas.references import content_name
from tasks.publish.io.tags import restorable
from tasks.publish.pack_policy import Share, to_rewrite
from tasks.store import published
from tasks.store.packs import Pack, join_packs, masks, packs_in
from tasks.store.published import Generation

Needed = dict[tuple[str, str], pa.Array]
"""The names of the contents whose rows are needed, by step and recipe."""


def drop_staged(corpus: Corpus, strict: bool = False) -> None:
    """Delete staged rows and recipes that no restorable generation needs, and what dead runs began to stage.

    A pack goes when none of its rows is needed; otherwise it is rewritten once many of them are not, or, with `strict`, one.
    """
    contents = needed_contents(corpus)
    needed = needed_rows(corpus, contents)
    whole: set[Path] = set()
    for folder, packs in _packs(corpus, needed):
        whole.update(pack.path for pack, _ in packs)
        for group in _groups(packs, strict):
            joined = join_packs(folder, group)
            whole.update([joined] if joined else [])
            for pack, _ in group:
                pack.path.unlink()
    _drop_strays(corpus, whole)
    for path in corpus.recipes("").parent.glob("*.json"):
        if path.stem not in contents:
            path.unlink()


def unneeded(corpus: Corpus, without: str) -> int:
    """Return how many staged rows no restorable generation would need if the document of the id `without` were not there."""
    needed = needed_rows(corpus, needed_contents(corpus, without))
    return sum(len(mask) - _count(mask) for _, packs in _packs(corpus, needed) for _, mask in packs)


def needed_contents(corpus: Corpus, without: str = "") -> dict[str, pa.Array]:
    """Return, by recipe, the names of the contents that restorable generations are made of, but for one document's."""
    parts: dict[str, list[pa.Array]] = {}
    for found in restorable(corpus):
        for recipe, names in _contents_of(corpus, found, without):
            parts.setdefault(recipe, []).append(names)
    return {recipe: pc.unique(pa.chunked_array(names, pa.string())) for recipe, names in parts.items()}


def _contents_of(corpus: Corpus, found: Generation, without: str) -> Iterator[tuple[str, pa.Array]]:
    others = f"document_id <> '{without}'"
    documents = published.read_columns(corpus, found, "documents", ["recipe", "media_type", "sha256"], others)
    names = pc.binary_join_element_wise(documents["media_type"], documents["sha256"], ":")
    for recipe in pc.unique(documents["recipe"]).to_pylist():
        yield recipe, names.filter(pc.equal(documents["recipe"], recipe)).combine_chunks()
    for row in published.read_columns(corpus, found, "rejects", ["recipe", "path", "sha256"], others).to_pylist():
        yield row["recipe"], pa.array([content_name(media_type_of(row["path"]) or "", row["sha256"])])


def needed_rows(corpus: Corpus, contents: dict[str, pa.Array]) -> Needed:
    """Return which rows are needed of each step by each of its recipes."""
    parts: dict[tuple[str, str], list[pa.Array]] = {}
    for whole, names in contents.items():
        path = corpus.recipes(whole)
        steps: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        for key in steps.items():
            parts.setdefault(key, []).append(names)
    return {key: pc.unique(pa.chunked_array(names, pa.string())) for key, names in parts.items()}


def _packs(corpus: Corpus, needed: Needed) -> Iterator[tuple[Path, list[tuple[Pack, pa.ChunkedArray]]]]:
    """Yield each folder of packs with its packs, each with a mask of the rows that are needed."""
    for folder in sorted(path for path in corpus.staging.glob("*/*") if path.is_dir()):
        names = needed.get((folder.parent.name, folder.name), pa.array([], pa.string()))
        packs = list(packs_in(folder))
        found = masks(packs, names)
        if sum(map(_count, found)) > len(names):
            found = list(_first_of_each(packs, found))
        yield folder, list(zip(packs, found, strict=True))


def _count(mask: pa.ChunkedArray) -> int:
    return int(pc.sum(mask).as_py() or 0)


def _first_of_each(packs: Sequence[Pack], found: Sequence[pa.ChunkedArray]) -> Iterator[pa.ChunkedArray]:
    """Yield masks without rows that stand in an earlier pack: a clean-up that was killed leaves some twice."""
    seen: set[str] = set()
    for pack, mask in zip(packs, found, strict=True):
        names = pack.names.to_pylist()
        yield pa.chunked_array(
            [[needs and name not in seen for name, needs in zip(names, mask.to_pylist(), strict=True)]], pa.bool_()
        )
        seen.update(names)


def _groups(packs: Sequence[tuple[Pack, pa.ChunkedArray]], strict: bool) -> list[list[tuple[Pack, pa.ChunkedArray]]]:
    shares = [Share(at, pack.n_bytes, len(mask), _count(mask)) for at, (pack, mask) in enumerate(packs)]
    return [[packs[at] for at in group] for group in to_rewrite(shares, strict)]


def _drop_strays(corpus: Corpus, whole: Collection[Path]) -> None:
    """Delete what lies in the staging and is no whole pack: temporary files of dead runs, and files that were cut short."""
    for path in corpus.staging.rglob("*"):
        if path.is_file() and path not in whole:
            path.unlink()
