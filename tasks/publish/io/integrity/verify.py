"""Verify: compare the files of a corpus with the manifests of its generations, and with what was recorded of the rest.

It holds no lock: what changes meanwhile is looked at again.
"""

import json
import logging
import time
from collections.abc import Generator, Iterator, Mapping, Set
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.errors import CorpusError, WriteError
from schemas.records import GenerationRow
from schemas.tables.generations import FORMAT, VERSIONED
from tasks.publish.integrity import Finding, Verification
from tasks.publish.io.candidates import list_candidates
from tasks.publish.io.cleanup import LOGS, SAFE_AGE
from tasks.publish.io.integrity.contents import check_generation_contents
from tasks.publish.io.tags import list_restorable_generations
from tasks.store import files, lance, published
from tasks.store.integrity import manifests, rest
from tasks.store.integrity.digests import Digest, find_changed_files, list_files_below
from tasks.store.integrity.manifests import Manifest
from tasks.store.integrity.rest import IMMUTABLE, Record
from tasks.store.locks import hold_publish_lock
from tasks.store.published import name_generation_tag, name_provisional_tag
from tasks.store.storage import FileStat

TRIES = 5
"""How often what was published meanwhile is looked at again."""

VERIFIED = "verified.json"
logger = logging.getLogger(__name__)

CHANGED = "is not as it was written"


class CorpusState(NamedTuple):
    """What a corpus says of itself: its rows of generations and its manifests; None stands for what is lost or cannot be read."""

    rows: dict[int, GenerationRow] | None
    why: str
    made: dict[str, Manifest | None]

    def manifests_by_generation(self) -> dict[int, Manifest]:
        """Return the manifests of generations: those that rows name, or all if no row can be read."""
        whole = sorted((made for made in self.made.values() if made), key=lambda made: made.row["published_at"])
        return {made.generation: made for made in whole if self.rows is None or self._is_named_by_rows(made)}

    def _is_named_by_rows(self, made: Manifest) -> bool:
        row = (self.rows or {}).get(made.generation)
        return row is not None and json.loads(row["versions"]) == made.versions


def verify_corpus(corpus: Corpus, deep: bool = False) -> Verification:
    """Look at names and sizes of all files that a corpus needs; with `deep`, at all bytes and at what the tables hold too.

    Raises:
        CorpusError: nothing was published there, or the corpus has another format.
        StoreError: the store refuses, or does not answer.
    """
    for _ in range(TRIES):
        seen, record = read_corpus_state(corpus), rest.read_record(corpus)
        found = _compare_corpus_with_manifests(corpus, deep, seen, record)
        if found.whole or (read_corpus_state(corpus) == seen and rest.read_record(corpus) == record):
            break
    return found


def verify_corpus_and_candidates(corpus: Corpus, deep: bool = False) -> list[Verification]:
    """Verify a corpus and its candidates that were published; remember the outcome with the corpus; raises as `verify_corpus`."""
    candidates = [corpus.candidate(name) for name in list_candidates(corpus)]
    found = [
        verify_corpus(corpus, deep),
        *(verify_corpus(one, deep) for one in candidates if lance.does_table_exist(one, "generations")),
    ]
    value = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "deep": deep, "whole": all(one.whole for one in found)}
    try:
        files.write_atomically(corpus.folder / manifests.FOLDER / VERIFIED, json.dumps(value).encode())
    except WriteError as error:
        logger.info("the outcome is not remembered: %s", error)  # who may only read is told all the same
    return found


def record_missing_manifests(corpus: Corpus) -> None:
    """Make the manifests of generations that were published before there were any: their files are taken as they are.

    Raises:
        DamageError: a file of the live generation is gone.
        ConflictError: another process is publishing.
    """
    with hold_publish_lock(corpus):
        for found in list_restorable_generations(corpus):
            row = next(row for row in published.read_generation_rows(corpus) if row["generation"] == found.generation)
            if not manifests.place_manifest(corpus, found.generation, found.versions).exists():
                manifests.write_manifests(corpus, [row])
        rest.record_unmanifested_files(corpus, time.time_ns())


def read_last_verification(corpus: Corpus) -> dict[str, object] | None:
    """Return when the corpus was last verified, whether deeply, and whether it was whole; None if never."""
    try:
        found: dict[str, Any] = json.loads((corpus.folder / manifests.FOLDER / VERIFIED).read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return found


def read_corpus_state(corpus: Corpus) -> CorpusState:
    """Return what a corpus says of itself.

    Raises:
        CorpusError: it has another format, or nothing was published there.
    """
    paths = manifests.list_manifests(corpus)
    made = {path.name: manifests.read_manifest(path) for path in paths if path.exists()}
    try:
        rows = {row["generation"]: row for row in published.read_generation_rows(corpus)}
    except CorpusError as error:
        if not made and not lance.does_table_exist(corpus, "documents"):
            raise CorpusError(f"{corpus} holds no published corpus: refresh it first, or check the path") from error
        return CorpusState(None, str(error), made)
    if any(row["format"] != FORMAT for row in rows.values()) and not made:
        published.read_all_generations(corpus)
    return CorpusState(rows or None, "" if rows else "has no rows", made)


def _compare_corpus_with_manifests(corpus: Corpus, deep: bool, seen: CorpusState, record: rest.Record | None) -> Verification:
    began, kept = time.monotonic(), seen.manifests_by_generation()
    files_of = {path: want for made in kept.values() for path, want in made.files.items()}
    found = [
        *_check_generations_table(corpus, seen),
        *_check_tags(corpus, kept),
        *_check_files_of_generations(corpus, kept, files_of, deep),
    ]
    found += check_recorded_files(corpus, record, set(files_of), deep)
    live = max(seen.rows or kept or {0: None})
    if deep and seen.rows and not any(live in finding.generations for finding in found):
        found += check_generation_contents(corpus, published.read_live_generation(corpus))
    if deep:
        found += find_orphaned_files(corpus, record, set(files_of))
    looked_at = [*files_of.values(), *(record.files.values() if record else ())]
    n_bytes = sum(file.size for file in looked_at)
    return Verification(str(corpus), live, deep, tuple(found), len(looked_at), n_bytes, time.monotonic() - began)


def _check_generations_table(corpus: Corpus, seen: CorpusState) -> Iterator[Finding]:
    """Yield what is wrong with the private folder, the table of generations and the manifests themselves."""
    if not corpus.is_in_store and not corpus.private.is_dir():
        yield Finding("private", f"the folder {corpus.private.name}", "is gone")
    if seen.rows is None:
        yield Finding("generations", "table generations", f"cannot be read ({seen.why})" if seen.why else "is gone")
    for name, made in seen.made.items():
        if made is None:
            yield Finding("manifest", f"{manifests.FOLDER}/{name}", "is damaged")
        elif (
            (row := (seen.rows or {}).get(made.generation))
            and made in seen.manifests_by_generation().values()
            and made.as_row() != row
        ):
            yield Finding("generations", "table generations", "has another row than was published", (made.generation,))
    live = max(seen.rows, default=0) if seen.rows else 0
    if seen.rows and manifests.place_manifest(corpus, live, json.loads(seen.rows[live]["versions"])).name not in seen.made:
        yield Finding("unknown", "manifest", "is not there: unknown, made before there were any", (live,))


def _check_tags(corpus: Corpus, kept: dict[int, Manifest]) -> Iterator[Finding]:
    """Yield tables that have lost the tag of a generation: without it, clean-up deletes what the generation needs."""
    for name in VERSIONED:
        try:
            tags = lance.list_tags(corpus, name)
        except (CorpusError, ValueError, OSError, RuntimeError):
            if kept:
                yield Finding("tag", f"{name}.lance/_refs", "cannot be read", tuple(kept))
            continue
        for number, made in kept.items():
            if made.versions[name] not in (tags.get(name_generation_tag(number)), tags.get(name_provisional_tag(number))):
                yield Finding(
                    "tag", f"tag {name_generation_tag(number)} of table {name}", "is gone or names another version", (number,)
                )


def _check_files_of_generations(
    corpus: Corpus, kept: dict[int, Manifest], wanted: dict[str, Digest], deep: bool
) -> Iterator[Finding]:
    """Yield files of generations that are gone or not as they were written."""
    wrong = manifests.find_missing_or_truncated_files(corpus, wanted)
    if deep:
        there = {path: want for path, want in wanted.items() if path not in wrong}
        wrong |= dict.fromkeys(find_changed_files(corpus, there), CHANGED)
    for path, said in wrong.items():
        yield Finding("file", path, said, tuple(sorted(number for number, made in kept.items() if path in made.files)))


def check_recorded_files(corpus: Corpus, record: Record | None, named: Set[str], deep: bool) -> Iterator[Finding]:
    """Yield what is wrong with recorded files; those that manifests have `named` since are looked at elsewhere."""
    if record is None:
        yield from _check_record_readable(corpus)
        return
    there = list_files_below(corpus, [""])
    wanted = {path: want for path, want in record.files.items() if path not in named}
    needed = yield from _check_log_tables(corpus, wanted)
    gone = wanted.keys() - there.keys()
    for path in sorted(gone):
        if path in needed or path.startswith(manifests.FOLDER):
            yield Finding("rest", path, "is gone")
        elif not (".lance/" in path and IMMUTABLE.match(path)) and "/_refs/" not in path:
            yield Finding("orphan", path, "is gone; what it saved is computed again when it is needed")
    wrong = {path for path in wanted.keys() - gone if is_file_changed(path, wanted[path], there[path], record.at_ns)}
    same = {
        path: want for path, want in wanted.items() if path not in gone | wrong and _must_keep_its_bytes(path, want, there[path])
    }
    for path in sorted(wrong | set(find_changed_files(corpus, same) if deep else ())):
        yield Finding("rest", path, CHANGED)


def _check_record_readable(corpus: Corpus) -> Iterator[Finding]:
    place = f"{manifests.FOLDER}/{rest.RECORD}"
    if rest.place_record(corpus).exists():
        yield Finding("manifest", place, "is damaged")
    elif manifests.list_manifests(corpus):
        yield Finding("manifest", place, "is gone")


def is_file_changed(path: str, want: Digest, file: FileStat, recorded_ns: int) -> bool:
    """Return whether a file's size or time tell that it is not as it was recorded, and was not written by Pagemill since.

    >>> is_file_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(9, 100), 200)
    False
    >>> is_file_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(8, 150), 200)
    True
    >>> is_file_changed("chunks.lance/_refs/tags/g1.json", Digest(9, "", 100), FileStat(8, 250), 200)
    False
    """
    if IMMUTABLE.match(path):
        return file.size != want.size
    return file.size != want.size if file.mtime_ns == want.mtime_ns else file.mtime_ns < recorded_ns


def _must_keep_its_bytes(path: str, want: Digest, file: FileStat) -> bool:
    return bool(IMMUTABLE.match(path)) or file.mtime_ns == want.mtime_ns


def _check_log_tables(corpus: Corpus, wanted: Mapping[str, Digest]) -> Generator[Finding, None, set[str]]:
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
            yield Finding("rest", f"table {name}", "cannot be opened" if lance.does_table_exist(corpus, name) else "is gone")
    return needed


def find_orphaned_files(corpus: Corpus, record: Record | None, named: Set[str]) -> Iterator[Finding]:
    """Yield files of tables that no version names, and are older than what a run under way may be writing."""
    before = time.time_ns() - int(SAFE_AGE / timedelta(microseconds=1)) * 1000
    for name in (*VERSIONED, *LOGS):
        if not lance.does_table_exist(corpus, name):
            continue
        try:
            tracked = manifests.list_table_files(corpus, name)
        except (ValueError, OSError, RuntimeError):  # told already: a file that names others is damaged
            continue
        for path, file in list_files_below(corpus, [f"{name}.lance"]).items():
            if path not in tracked and path not in named and IMMUTABLE.match(path) and file.mtime_ns < before:
                yield Finding("orphan", path, "lies there, and nothing needs it")
