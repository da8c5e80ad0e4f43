"""Verify what no manifest names: logs, tags, what is staged; and what lies there that nothing needs."""

import time
from collections.abc import Generator, Iterator, Mapping, Set
from datetime import timedelta

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.generations import VERSIONED
from tasks.publish.integrity import Finding
from tasks.publish.io.cleanup import LOGS, SAFE_AGE
from tasks.store import lance
from tasks.store.integrity import manifests, rest
from tasks.store.integrity.digests import Digest, FileStat, find_changed, list_below
from tasks.store.integrity.rest import IMMUTABLE, Record

CHANGED = "is not as it was written"


def check_rest(corpus: Corpus, record: Record | None, named: Set[str], deep: bool) -> Iterator[Finding]:
    """Yield what is wrong with recorded files; those that manifests have `named` since are looked at elsewhere."""
    if record is None:
        yield from _check_record(corpus)
        return
    there = list_below(corpus, [""])
    wanted = {path: want for path, want in record.files.items() if path not in named}
    needed = yield from _check_logs(corpus, wanted)
    gone = wanted.keys() - there.keys()
    for path in sorted(gone):
        if path in needed or path.startswith(manifests.FOLDER):
            yield Finding("rest", path, "is gone")
        elif not (".lance/" in path and IMMUTABLE.match(path)) and "/_refs/" not in path:
            yield Finding("orphan", path, "is gone; what it saved is computed again when it is needed")
    wrong = {path for path in wanted.keys() - gone if is_changed(path, wanted[path], there[path], record.at_ns)}
    same = {path: want for path, want in wanted.items() if path not in gone | wrong and _must_be_same(path, want, there[path])}
    for path in sorted(wrong | set(find_changed(corpus, same) if deep else ())):
        yield Finding("rest", path, CHANGED)


def _check_record(corpus: Corpus) -> Iterator[Finding]:
    place = f"{manifests.FOLDER}/{rest.RECORD}"
    if rest.record_path(corpus).exists():
        yield Finding("manifest", place, "is damaged")
    elif manifests.manifest_paths(corpus):
        yield Finding("manifest", place, "is gone")


def is_changed(path: str, want: Digest, file: FileStat, recorded_ns: int) -> bool:
    """Return whether a file's size or time tell that it is not as it was recorded, and was not written by Pagemill since.

    >>> is_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(9, 100), 200)
    False
    >>> is_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(8, 150), 200)
    True
    >>> is_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(8, 250), 200)
    False
    """
    if IMMUTABLE.match(path):
        return file.size != want.size
    return file.size != want.size if file.mtime_ns == want.mtime_ns else file.mtime_ns < recorded_ns


def _must_be_same(path: str, want: Digest, file: FileStat) -> bool:
    return bool(IMMUTABLE.match(path)) or file.mtime_ns == want.mtime_ns


def _check_logs(corpus: Corpus, wanted: Mapping[str, Digest]) -> Generator[Finding, None, set[str]]:
    """Yield the logs that cannot be read; return the files that the heads of the others need."""
    needed = set[str]()
    for name in LOGS:
        files = {path for path in wanted if path.startswith(f"{name}.lance/")}
        if not files:
            continue
        try:
            version = int(lance.open_table(corpus, name).version)
            needed.update(manifests.list_version_files(corpus, name, version))
        except (CorpusError, ValueError, OSError, RuntimeError):
            needed.update(files)
            yield Finding("rest", f"table {name}", "cannot be opened" if lance.exists(corpus, name) else "is gone")
    return needed


def find_orphans(corpus: Corpus, record: Record | None, named: Set[str]) -> Iterator[Finding]:
    """Yield files of tables that no version names, and are older than what a run under way may be writing."""
    before = time.time_ns() - int(SAFE_AGE / timedelta(microseconds=1)) * 1000
    for name in (*VERSIONED, *LOGS):
        if not lance.exists(corpus, name):
            continue
        try:
            tracked = manifests.list_table_files(corpus, name)
        except (ValueError, OSError, RuntimeError):  # told already: a file that names others is damaged
            continue
        for path, file in list_below(corpus, [f"{name}.lance"]).items():
            if path not in tracked and path not in named and IMMUTABLE.match(path) and file.mtime_ns < before:
                yield Finding("orphan", path, "lies there, and nothing needs it")
