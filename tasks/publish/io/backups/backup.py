"""Back up the live generation of a corpus while refreshes go on. It is pinned; files in the vault are not copied again."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from schemas.corpus import Corpus, place_of
from schemas.errors import CorpusError, DamageError, InputError
from tasks.publish.io.backups.vault import Backup, BackupFile, Vault, copy_file_verified, create_files_as_private
from tasks.publish.io.cleanup import LOGS
from tasks.store import files, lance, published
from tasks.store.files import find_storage
from tasks.store.integrity import manifests
from tasks.store.integrity.digests import stat_files
from tasks.store.integrity.rest import IMMUTABLE, read_record
from tasks.store.locks import hold_lock
from tasks.store.objects.paths import resolve_place
from tasks.store.published import Generation
from tasks.store.storage import FileStat

AT_ONCE = 4
"""Files that are copied at once."""

LOCK = "backup.lock"

WAIT_SECONDS = 600
"""How long a clean-up or another backup may take before this one gives up."""


class BackupOutcome(TypedDict):
    """A backup: its name, its generation, how many files and bytes it has, and how many of these were copied."""

    backup: str
    generation: int
    files: int
    bytes: int
    copied_files: int
    copied_bytes: int


def back_up_corpus(corpus: Corpus, target: str, keep: int, check: bool = False) -> BackupOutcome:
    """Copy the live generation and the logs of a corpus into the vault `target`; delete all but the last `keep` backups there.

    With `check`, what the vault has is read again, and copied again where it is damaged.

    Raises:
        CorpusError: nothing was published.
        DamageError: a file of the corpus is not as it was written; no backup was made.
        ConflictError: another backup, or a purge, is under way.
        InputError: the target lies in the corpus, or holds backups of another corpus.
        WriteError: the target cannot be written.
    """
    vault = _open_vault(corpus, target)
    published.read_live_generation(corpus)  # before locks make folders
    with create_files_as_private(), hold_lock(vault.place / LOCK, 0, f"a backup of {corpus}"):
        with hold_lock(corpus.lock("backup"), WAIT_SECONDS, f"a backup of {corpus}"):
            live, version = _pin_live_generation(corpus)
            find_storage(vault.place).sweep(vault.place)
            kept, copied = _copy_files_to_vault(corpus, vault, _list_files_to_copy(corpus, live, version), check)
        made_at = datetime.now(UTC)
        name = f"{made_at:%Y%m%dT%H%M%S.%fZ}-{live.generation}"
        facts = live.model_dump(include={"generation", "versions", "counts"})
        vault.add(name, Backup(corpus=resolve_place(corpus.uri), made_at=made_at.isoformat(), files=kept, **facts))
        vault.prune(keep)
    n_bytes = sum(file.size for file in kept.values())
    copied_bytes = sum(kept[path].size for path in copied)
    return {
        "backup": name,
        "generation": live.generation,
        "files": len(kept),
        "bytes": n_bytes,
        "copied_files": len(copied),
        "copied_bytes": copied_bytes,
    }


def _pin_live_generation(corpus: Corpus) -> tuple[Generation, int]:
    """Return the live generation, and the version of the table of generations whose last row it is."""
    while True:
        version = _read_head_version(corpus, "generations")
        live = published.read_live_generation(corpus)
        if _read_head_version(corpus, "generations") == version:
            return live, version


def _read_head_version(corpus: Corpus, name: str) -> int:
    return int(lance.open_table(corpus, name).version)


def _open_vault(corpus: Corpus, target: str) -> Vault:
    place, here = place_of(resolve_place(target)), place_of(resolve_place(corpus.uri))
    if place.is_relative_to(here):
        raise InputError(f"{target} lies in the corpus {corpus}: name another folder for its backups")
    vault = Vault(place)
    if vault.names():
        other = vault.read(vault.names()[-1]).corpus
        if other != resolve_place(corpus.uri):
            raise InputError(f"{target} holds backups of {other}: name another folder for those of {corpus}")
    elif not corpus.is_in_store and place.is_dir() and not (place / "objects").is_dir() and _holds_other_files(place):
        raise InputError(f"{target} holds other files: name a new or empty folder")
    return vault


def _holds_other_files(place: Path) -> bool:
    """Return whether a folder holds more than the lock of a backup, which may have ended before it copied anything."""
    return any(path.name != LOCK for path in place.iterdir())


def _list_files_to_copy(corpus: Corpus, live: Generation, version: int) -> dict[str, tuple[FileStat, str]]:
    """Return the files to copy, with the digest that each must have, blank where none is known."""
    manifest = manifests.find_manifest(corpus, live.generation, live.versions)
    digests = {path: file.digest for path, file in manifest.files.items()} if manifest else {}
    record = read_record(corpus)
    others = {path: file.digest for path, file in record.files.items() if IMMUTABLE.match(path)} if record else {}
    heads = {name: _read_head_version(corpus, name) for name in LOGS if lance.does_table_exist(corpus, name)}
    paths = [
        *(digests or _list_files_of_versions(corpus, live.versions)),
        *_list_files_of_versions(corpus, {**heads, "generations": version}),
    ]
    recipes = corpus.recipes("").parent
    paths += [str(path)[len(str(corpus.folder)) + 1 :] for path in recipes.glob("*.json")]
    found = stat_files(corpus, paths)
    if lost := [path for path in paths if path not in found]:
        raise DamageError(f"{corpus} has lost {lost[0]}: run pagemill repair --corpus {corpus.quoted}; no backup was made")
    known = {} if corpus.is_in_store else {**others, **digests}
    return {path: (found[path], known.get(path, "")) for path in paths}


def _list_files_of_versions(corpus: Corpus, versions: dict[str, int]) -> list[str]:
    try:
        return [path for name, at in versions.items() for path in manifests.list_version_files(corpus, name, at)]
    except (ValueError, OSError, RuntimeError) as error:
        raise CorpusError(
            f"{corpus} cannot be read ({lance.explain_lance_error(error)}): run pagemill verify --corpus {corpus.quoted}"
        ) from error


def _copy_files_to_vault(
    corpus: Corpus, vault: Vault, wanted: dict[str, tuple[FileStat, str]], check: bool
) -> tuple[dict[str, BackupFile], list[str]]:
    """Bring files into the vault; return them all, and the paths of those that were not there."""
    names, there = vault.names(), vault.sizes()
    before = vault.read(names[-1]).files if names else {}
    copied: list[str] = []

    def keep_file(path: str) -> BackupFile:
        file, sha256 = wanted[path]
        known = before.get(path)
        if not sha256 and known and known.size == file.size and file.etag and known.etag == file.etag:
            sha256 = known.sha256
        there_now = corpus.folder / path
        with nullcontext(there_now) if sha256 else find_storage(there_now).download(there_now) as source:
            sha256 = sha256 or files.compute_sha256(source)
            if there.get(sha256) != file.size or (check and files.compute_sha256(vault.object_path(sha256)) != sha256):
                copy_file_verified(source, vault.object_path(sha256), sha256)
                copied.append(path)
        return BackupFile(size=file.size, sha256=sha256, etag=file.etag)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return dict(zip(wanted, threads.map(keep_file, wanted), strict=True)), copied
