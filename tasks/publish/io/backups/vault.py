"""The vault: a folder, or a prefix of a store, that holds backups. Files are kept once, under their SHA-256.

    backups/<time>-<generation>.json    one backup: which files, under which digests; sealed
    objects/<2 digits>/<SHA-256>        the bytes of a file, whichever backups need it

A backup is there once its JSON is. One that was killed leaves objects that the next one finds, and nothing that it could mistake.
"""

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, field_validator

from schemas.corpus import PRIVATE
from schemas.errors import DamageError, InputError
from tasks.store import files
from tasks.store.files import delete_files, find_storage
from tasks.store.integrity.digests import read_sealed_json, write_sealed_json
from tasks.store.local import TEMPORARY

logger = logging.getLogger(__name__)


FilePath = Annotated[str, StringConstraints(pattern=rf"^(\w+\.lance/[\w./-]+|{re.escape(PRIVATE)}/recipes/\w+\.json)$")]
"""A file of a table, or a recipe: a backup has no others, and who writes one must not choose where files of a restore go."""
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class BackupFile(BaseModel):
    """A file of a backup: its size in bytes, its SHA-256, and the ETag that it had in a store, else blank."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    size: int
    sha256: Sha256
    etag: str = ""


class Backup(BaseModel):
    """What was copied of a corpus: its live generation, the row of that, and the files by their paths."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    corpus: str
    made_at: str
    generation: int
    versions: dict[str, int]
    counts: dict[str, Any]
    files: dict[FilePath, BackupFile]

    @field_validator("files")
    @classmethod
    def _paths_stay_within(cls, files: dict[str, BackupFile]) -> dict[str, BackupFile]:
        if outside := [path for path in files if ".." in path.split("/")]:
            raise ValueError(f"{outside[0]} leads out of the corpus")
        return files


class Vault:
    """A folder or a prefix of a store that holds the backups of one corpus; files that several backups have lie there once."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def names(self) -> list[str]:
        """Return the names of the backups, the oldest first."""
        return sorted(path.name.removesuffix(".json") for path in (self.place / "backups").glob("*.json"))

    def read(self, name: str) -> Backup:
        """Return a backup.

        Raises:
            InputError: there is none of that name.
            DamageError: what says which files it has is damaged.
        """
        try:
            value = read_sealed_json(self._backup_path(name))
            return Backup.model_validate(value)
        except FileNotFoundError as error:
            raise InputError(f"{self.place} has no backup {name}; there are {', '.join(self.names()) or 'none'}") from error
        except ValidationError as error:
            raise DamageError(f"backup {name} of {self.place} is damaged: restore another one (--backup NAME)") from error

    def add(self, name: str, backup: Backup) -> None:
        """Add a backup, whose files are all in the vault.

        Raises:
            WriteError: it cannot be written.
        """
        with create_files_as_private():
            write_sealed_json(self._backup_path(name), backup.model_dump(mode="json"))

    def _backup_path(self, name: str) -> Path:
        return self.place / "backups" / f"{name}.json"

    def object_path(self, sha256: str) -> Path:
        """Return where the bytes with a digest are kept."""
        return self.place / "objects" / sha256[:2] / sha256

    def sizes(self) -> dict[str, int]:
        """Return the sizes in bytes of the objects that are there, by their digests."""
        found = find_storage(self.place).list_below(self.place / "objects")
        named = ((path.rpartition("/")[2], stat) for path, stat in found)
        return {name: stat.size for name, stat in named if not name.startswith(TEMPORARY)}

    def prune(self, keep: int) -> None:
        """Delete all but the last `keep` backups, and the objects that none of these needs."""
        names = self.names()
        delete_files(self._backup_path(name) for name in names[:-keep])
        try:
            needed = {file.sha256 for name in names[-keep:] for file in self.read(name).files.values()}
        except DamageError as error:
            logger.warning("%s; nothing that it may need is deleted", error)
            return
        delete_files(self.object_path(sha256) for sha256 in self.sizes() if sha256 not in needed)


@contextmanager
def create_files_as_private() -> Iterator[None]:
    """Make folders and files for this user alone during the block."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def copy_file_verified(source: Path, path: Path, sha256: str) -> None:
    """Copy a file or an object, and make sure that what was read and what was written has the digest `sha256`.

    Raises:
        DamageError: the source has other bytes, or the copy has.
        FileNotFoundError: there is no source.
        WriteError: it cannot be written.
    """
    with files.explain_write_errors(path), find_storage(path).open_atomically(path, durable=True) as sink:
        made = hashlib.sha256()
        for part in find_storage(source).stream(source):
            made.update(part)
            sink.write(part)
        _check_digest(source, made.hexdigest(), sha256)
    _check_digest(path, files.compute_sha256(path), sha256)


def _check_digest(path: Path, sha256: str, wanted: str) -> None:
    if sha256 != wanted:
        raise DamageError(f"{path} is not as it was written: its SHA-256 is {sha256[:12]}…, not {wanted[:12]}…")
