"""Manifests: what a generation is made of. Each lists every file that the generation's tables need, with size and digest.

It is written before the row of `generations` that it belongs to, and holds that row too, so that the table of generations can be
checked and made anew. Its name holds the number of the generation and a digest of the versions: a generation that a purge
rewrites gets another manifest.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict, ValidationError

from schemas.corpus import Corpus
from schemas.errors import DamageError
from schemas.tables.generations import ADDED_LATER
from tasks.store.files import delete_files
from tasks.store.integrity.digests import Digest, hash_files, read_sealed_json, stat_files, write_sealed_json
from tasks.store.loading import import_lance
from tasks.store.storage import FileStat

FOLDER = "manifests"
Row = Mapping[str, Any]


class Manifest(BaseModel):
    """The row of a generation, as JSON values, and its files by their paths."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    row: dict[str, Any]
    files: dict[str, Digest]

    @property
    def generation(self) -> int:
        """The number of the generation."""
        return int(self.row["generation"])

    @property
    def versions(self) -> dict[str, int]:
        """The version of each table."""
        versions: dict[str, int] = json.loads(self.row["versions"])
        return versions

    def as_row(self) -> dict[str, object]:
        """Return the row as the table of generations holds it."""
        return {**self.row, "published_at": datetime.fromisoformat(self.row["published_at"])}


def list_version_files(corpus: Corpus, name: str, version: int) -> list[str]:
    """Return the paths of the files that a version of a table needs: data, deletions, indexes, and what names them.

    Raises:
        ValueError, OSError: Lance cannot read the version, or one after it.
    """
    dataset = import_lance().dataset(str(corpus.table(name)), version=version)
    table = dataset.tracked_files(min_version=version).read_all()
    return [f"{name}.lance/{path}" for path in table.filter(pc.equal(table["version"], version))["path"].to_pylist()]


def list_table_files(corpus: Corpus, name: str) -> set[str]:
    """Return the paths of the files that any version of a table needs; raises as `list_version_files`."""
    dataset = import_lance().dataset(str(corpus.table(name)))
    return {f"{name}.lance/{path}" for path in dataset.tracked_files().read_all()["path"].to_pylist()}


def place_manifest(corpus: Corpus, generation: int, versions: Mapping[str, int]) -> Path:
    """Return where the manifest of a generation lies whose tables have these versions."""
    return corpus.folder / FOLDER / _name_manifest(generation, versions)


def _name_manifest(generation: int, versions: Mapping[str, int]) -> str:
    content = json.dumps(versions, sort_keys=True).encode()
    return f"{generation}-{hashlib.sha256(content).hexdigest()[:16]}.json"


def _convert_row_to_json(row: Row) -> dict[str, object]:
    return {**ADDED_LATER, **row, "published_at": row["published_at"].isoformat()}


def write_manifests(corpus: Corpus, rows: Sequence[Row]) -> None:
    """Write the manifests of rows that are about to be published. Digests that an earlier manifest has are taken from it.

    Raises:
        WriteError: they cannot be written.
    """
    newest = list_manifests(corpus)[:1]
    known = earlier.files if newest and (earlier := read_manifest(newest[0])) else {}
    for row in rows:
        versions = json.loads(row["versions"])
        with ThreadPoolExecutor(len(versions)) as threads:
            lists = threads.map(partial(list_version_files, corpus), versions.keys(), versions.values())
        made = hash_files(corpus, _stat_all_files(corpus, [path for paths in lists for path in paths]), known)
        known = {**known, **made}
        value = {"row": _convert_row_to_json(row), "files": made}
        write_sealed_json(place_manifest(corpus, row["generation"], json.loads(row["versions"])), value)


def _stat_all_files(corpus: Corpus, paths: Sequence[str]) -> dict[str, FileStat]:
    found = stat_files(corpus, paths)
    if lost := [path for path in paths if path not in found]:
        raise DamageError(f"{corpus} has lost {lost[0]}, which its tables need: pagemill verify says what is damaged")
    return found


def read_manifest(path: Path) -> Manifest | None:
    """Return a manifest, or None if it is damaged or stands in the place of another.

    Raises:
        FileNotFoundError: there is none.
    """
    try:
        value = read_sealed_json(path)
        made = None if value is None else Manifest.model_validate(value)
        return made if made and path.name == _name_manifest(made.generation, made.versions) else None
    except (ValidationError, ValueError):
        return None


def find_manifest(corpus: Corpus, generation: int, versions: Mapping[str, int]) -> Manifest | None:
    """Return the manifest of a generation, or None if it has none: it is older than these, lost, damaged, or another user's."""
    try:
        return read_manifest(place_manifest(corpus, generation, versions))
    except (FileNotFoundError, PermissionError):
        return None


def list_manifests(corpus: Corpus) -> list[Path]:
    """Return the manifests of a corpus, the newest generation first."""
    found = [path for path in (corpus.folder / FOLDER).glob("*-*.json") if path.name.partition("-")[0].isdecimal()]
    return sorted(found, key=lambda path: -int(path.name.partition("-")[0]))


def delete_manifests(corpus: Corpus, kept: Iterable[tuple[int, Mapping[str, int]]]) -> None:
    """Delete the manifests of all generations but those that are `kept`, given by number and versions."""
    names = {place_manifest(corpus, *found).name for found in kept}
    delete_files(path for path in list_manifests(corpus) if path.name not in names)


def find_missing_or_truncated_files(corpus: Corpus, wanted: Mapping[str, Digest]) -> dict[str, str]:
    """Return what is wrong with files, by their paths, as far as their names and sizes tell it."""
    found = stat_files(corpus, wanted)
    return {path: said for path, want in wanted.items() if (said := _describe_difference(found.get(path), want))}


def _describe_difference(found: FileStat | None, want: Digest) -> str:
    if found is None:
        return "is gone"
    return "" if found.size == want.size else f"has {found.size} bytes instead of {want.size}"


def check_manifest(corpus: Corpus, manifest: Manifest) -> None:
    """Refuse a generation of which a file is gone or cut short: names and sizes are looked at, in milliseconds.

    Raises:
        DamageError: it is damaged; says which file, and which command helps.
    """
    if wrong := find_missing_or_truncated_files(corpus, manifest.files):
        path, said = next(iter(wrong.items()))
        others = f", and {len(wrong) - 1} more files are wrong" if len(wrong) > 1 else ""
        at = f"generation {manifest.generation} of {corpus}"
        raise DamageError(f"{at} is damaged: {path} {said}{others}: run pagemill repair --corpus {corpus.quoted}")
