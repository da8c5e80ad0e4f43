"""The rest: files of a corpus that no manifest of a generation names, such as logs, tags and what is staged.

They are recorded when a command ends that wrote to the corpus. Files that are never written twice must be as they were recorded.
Of others, such as tags, what was written since is not known.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import CANDIDATES, PRIVATE, Corpus
from tasks.store import files
from tasks.store.integrity.digests import Digest, Stamped, digests, listed
from tasks.store.integrity.manifests import FOLDER, manifest_paths, read_manifest
from tasks.store.integrity.sealed import put_sealed, read_sealed

RECORD = "rest.json"
IMMUTABLE = re.compile(r"[^/]+\.lance/(data|_indices|_deletions|_versions|_transactions)/(?!latest)|.*/packs/|manifests/\d")
"""Files that are written once under their names."""

PASSING = re.compile(
    rf"{PRIVATE}/(runs|{CANDIDATES}|damaged)/|{PRIVATE}/[^/]*\.lock|.*/?{re.escape(files.TEMPORARY)}|{FOLDER}/(rest|verified)\.json"
)
"""Files of runs under way, of candidates (which have records of their own), and the record itself."""

LOGS_OF_OTHERS = re.compile(r"(questions|recipes|retrieved|scores|metrics)\.lance/")
"""Logs that evaluations write without a lock: what they write now may be half there, and is recorded by the next refresh."""


class Rest(NamedTuple):
    """What was recorded: files by their paths, and when, in ns of the epoch."""

    files: dict[str, Digest]
    at_ns: int


def path_of_record(corpus: Corpus) -> Path:
    """Return where the rest is recorded."""
    return corpus.folder / FOLDER / RECORD


def record_rest(corpus: Corpus, now_ns: int) -> None:
    """Record the files that no manifest names. Call it under the lock of the corpus; `now_ns` is the time, in ns of the epoch.

    Raises:
        WriteError: it cannot be written.
    """
    before = recorded_rest(corpus)
    known = before.files if before else {}
    found = {path: file for path, file in unnamed(corpus) if not _may_be_unfinished(path, file, known, now_ns)}
    fixed = {path: file for path, file in found.items() if IMMUTABLE.match(path)}
    others = {path: file for path, file in found.items() if path not in fixed}
    made = {**digests(corpus, fixed, known), **digests(corpus, others, known, immutable=False)}
    value: dict[str, Any] = {"files": made, "at_ns": max([now_ns, *(file.mtime_ns for file in made.values())])}
    if before is None or made != known:
        put_sealed(path_of_record(corpus), value)


def unnamed(corpus: Corpus) -> Iterator[tuple[str, Stamped]]:
    """Yield the files of a corpus that no manifest names."""
    named = {path for at in manifest_paths(corpus) if (manifest := read_manifest(at)) for path in manifest.files}
    for path, file in listed(corpus, [""]).items():
        if path not in named and not PASSING.match(path):
            yield path, file


def _may_be_unfinished(path: str, file: Stamped, known: dict[str, Digest], now_ns: int) -> bool:
    return bool(LOGS_OF_OTHERS.match(path)) and path not in known and file.mtime_ns > now_ns - 60 * 10**9


def recorded_rest(corpus: Corpus) -> Rest | None:
    """Return what was recorded, or None if nothing was, or the record is damaged."""
    try:
        value = read_sealed(path_of_record(corpus))
    except FileNotFoundError:
        return None
    return Rest({path: Digest(*found) for path, found in value["files"].items()}, value["at_ns"]) if value else None
