"""The rest: files of a corpus that no manifest of a generation names, such as logs, tags and what is staged.

They are recorded when a command ends that wrote to the corpus. Files that are never written twice must be as they were recorded.
Of others, such as tags, what was written since is not known.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import CANDIDATES, PRIVATE, Corpus
from tasks.store import lance, published
from tasks.store.integrity.digests import Digest, hash_files, list_files_below, read_sealed_json, write_sealed_json
from tasks.store.integrity.manifests import FOLDER, check_manifest, list_manifests, list_table_files, read_manifest
from tasks.store.local import TEMPORARY
from tasks.store.storage import FileStat

RECORD = "rest.json"
IMMUTABLE = re.compile(r"[^/]+\.lance/(data|_indices|_deletions|_versions|_transactions)/(?!latest)|.*/packs/|manifests/\d")
"""Files that are written once under their names."""

DAMAGED = "damaged"
"""The private folder for what a repair has set aside."""

PURGE = "purge.json"
"""The marker of a purge under way, or of one that was killed."""

TRANSIENT = re.compile(
    rf"{PRIVATE}/((runs|{CANDIDATES}|{DAMAGED})/|[^/]*\.lock|{re.escape(PURGE)})"
    rf"|.*/?{re.escape(TEMPORARY)}|{FOLDER}/(rest|verified)\.json|audit\.lance/"
)
"""Files of runs and purges under way, of candidates (which have records of their own), the record itself, and the audit log, to
which servers write at any time."""

EVALUATIONS = ("questions", "recipes", "retrieved", "scores", "metrics")
"""Logs that evaluations write without a lock: of these, what no version names yet may be half there."""


class Record(NamedTuple):
    """What was recorded: files by their paths, and when, in ns of the epoch."""

    files: dict[str, Digest]
    at_ns: int


def place_record(corpus: Corpus) -> Path:
    """Return where the rest is recorded."""
    return corpus.folder / FOLDER / RECORD


def record_unmanifested_files(corpus: Corpus, now_ns: int) -> None:
    """Record the files that no manifest names. Call it under the lock of the corpus; `now_ns` is the time, in ns of the epoch.

    Raises:
        WriteError: it cannot be written.
    """
    before = read_record(corpus)
    known = before.files if before else {}
    unfinished = re.compile(rf"({'|'.join(EVALUATIONS)})\.lance/(data|_indices|_deletions)")
    finished = _list_evaluation_files(corpus)
    found = {path: file for path, file in list_unmanifested_files(corpus) if path in finished or not unfinished.match(path)}
    fixed = {path: file for path, file in found.items() if IMMUTABLE.match(path)}
    others = {path: file for path, file in found.items() if path not in fixed}
    made = {**hash_files(corpus, fixed, known), **hash_files(corpus, others, known, immutable=False)}
    value: dict[str, Any] = {"files": made, "at_ns": max([now_ns, *(file.mtime_ns for file in made.values())])}
    if before is None or made != known:
        write_sealed_json(place_record(corpus), value)


def list_unmanifested_files(corpus: Corpus) -> Iterator[tuple[str, FileStat]]:
    """Yield the files of a corpus that no manifest names."""
    named = {path for at in list_manifests(corpus) if (manifest := read_manifest(at)) for path in manifest.files}
    for path, file in list_files_below(corpus, [""]).items():
        if path not in named and not TRANSIENT.match(path):
            yield path, file


def _list_evaluation_files(corpus: Corpus) -> set[str]:
    found = set[str]()
    for name in EVALUATIONS:
        if lance.does_table_exist(corpus, name):
            with suppress(OSError, ValueError, RuntimeError):  # a log that cannot be read is told by `pagemill verify`
                found |= list_table_files(corpus, name)
    return found


def read_record(corpus: Corpus) -> Record | None:
    """Return what was recorded, or None if nothing was, or the record is damaged."""
    try:
        value = read_sealed_json(place_record(corpus))
    except FileNotFoundError:
        return None
    if value is None or value.keys() != {"files", "at_ns"}:
        return None
    return Record({path: Digest(*found) for path, found in value["files"].items()}, value["at_ns"])


def check_corpus_unchanged(corpus: Corpus, generation: int) -> None:
    """Refuse a corpus that is damaged, or has another format, although nothing has changed since `generation` was published.

    While the files of the table of generations are those that were recorded, no table is opened.

    Raises:
        CorpusError: it is damaged, or has another format.
    """
    record, name = read_record(corpus), "generations.lance"
    known = {path: file.size for path, file in record.files.items() if path.startswith(name)} if record else {}
    there = {path: file.size for path, file in list_files_below(corpus, [name]).items()}
    paths = [path for path in list_manifests(corpus) if path.name.startswith(f"{generation}-")]
    live = [manifest for path in paths if (manifest := read_manifest(path))]
    if known == there and len(live) == 1:
        check_manifest(corpus, live[0])
        return
    newest = published.read_newest_generation(corpus)
    if newest is not None:
        published.check_generation(corpus, newest)
