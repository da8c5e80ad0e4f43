"""Restore a backup as a new corpus. It is there once every file of it was read again, and its tables were counted."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypedDict

from schemas.corpus import Corpus, place_of
from schemas.errors import DamageError, InputError
from tasks.publish.io.backups.backup import AT_ONCE
from tasks.publish.io.backups.vault import Backup, Vault, copy_file_verified, create_files_as_private
from tasks.publish.io.write import count_table_rows, tag_table_versions
from tasks.store import published
from tasks.store.files import find_storage
from tasks.store.integrity import manifests
from tasks.store.integrity.rest import record_unmanifested_files
from tasks.store.objects.paths import resolve_place


class RestoreOutcome(TypedDict):
    """What was restored: the backup's name, its generation, files and bytes, and the corpus that it became."""

    backup: str
    corpus: str
    generation: int
    files: int
    bytes: int


def restore_backup(target: str, corpus: Corpus, name: str = "") -> RestoreOutcome:
    """Make the corpus `corpus` from a backup of the vault `target`: the one of this name, or the newest if `name` is blank.

    Raises:
        InputError: the vault holds no such backup, or the place of the corpus is taken.
        DamageError: a file of the backup is lost, or not as it was written; there is no corpus then.
        WriteError: the corpus cannot be written.
    """
    vault = Vault(place_of(resolve_place(target)))
    chosen = name or next(reversed(vault.names()), "")
    if not chosen:
        raise InputError(f"{target} holds no backup: check the path")
    backup, place = vault.read(chosen), place_of(resolve_place(corpus.uri))
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError(f"{corpus} holds something already: name a new folder")
    _check_backup_complete(vault, backup, chosen)
    with create_files_as_private():
        _build_corpus_from_backup(vault, backup, place)
    n_bytes = sum(file.size for file in backup.files.values())
    n_files, generation = len(backup.files), backup.generation
    return {"backup": chosen, "corpus": str(corpus), "generation": generation, "files": n_files, "bytes": n_bytes}


def _check_backup_complete(vault: Vault, backup: Backup, name: str) -> None:
    there = vault.sizes()
    if lost := [path for path, file in backup.files.items() if there.get(file.sha256) != file.size]:
        raise DamageError(f"backup {name} of {vault.place} has lost {lost[0]}: restore another one (--backup NAME)")


def _build_corpus_from_backup(vault: Vault, backup: Backup, place: Path) -> None:
    """Make the corpus; in a folder apart, which then takes the name."""
    storage = find_storage(place)
    with storage.build_folder(place, place.parent) as apart:
        _copy_files_from_vault(vault, backup, Corpus(str(apart)))
        storage.sync_since(apart.parent, 0)
    storage.sync(place.parent)


def _copy_files_from_vault(vault: Vault, backup: Backup, corpus: Corpus) -> None:
    """Copy the files; those of the table of generations last, since a corpus is there with them."""
    corpus.private.mkdir(parents=True)

    def copy(path: str) -> None:
        sha256 = backup.files[path].sha256
        copy_file_verified(vault.object_path(sha256), corpus.folder / path, sha256)

    last = [path for path in backup.files if path.startswith("generations.")]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(copy, backup.files.keys() - set(last)))
        list(threads.map(copy, last))
    tag_table_versions(corpus, backup.generation, backup.versions)
    live = published.read_live_generation(corpus)
    counts = count_table_rows(corpus, live.versions)
    if (live.generation, live.versions) != (backup.generation, backup.versions) or counts.items() - live.counts.items():
        raise DamageError(f"the backup in {vault.place} has generation {live.generation} with {counts}, not {live.counts}")
    manifests.write_manifests(
        corpus, [row for row in published.read_generation_rows(corpus) if row["generation"] == live.generation]
    )
    record_unmanifested_files(corpus, time.time_ns())
