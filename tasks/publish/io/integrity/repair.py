"""Repair: rebuild what can be rebuilt from the rest of a corpus, and report what only the source or an older generation has.

What is replaced is set aside, never lost. Rows of the live generation come from nowhere but what has the digests of its manifest:
tables of which a file of rows is damaged are computed again from staging and source, as a candidate that takes their place.
"""

import os
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError, DamageError
from schemas.tables.generations import GENERATIONS, VERSIONED
from tasks.publish.integrity import Finding, Verification
from tasks.publish.io.candidates import find_differences
from tasks.publish.io.cleanup import LOGS
from tasks.publish.io.integrity.verify import CorpusState, read_corpus_state, verify_corpus
from tasks.publish.io.rollback import make_successor, publish_successor
from tasks.publish.io.switch import switch_to_candidate
from tasks.publish.io.tags import list_restorable_generations
from tasks.publish.io.write import tag_table_versions
from tasks.store import indexes, lance, published
from tasks.store.files import find_storage
from tasks.store.integrity import manifests
from tasks.store.integrity.digests import list_files_below
from tasks.store.integrity.rest import DAMAGED, place_record, record_unmanifested_files
from tasks.store.locks import hold_lock, hold_publish_lock
from tasks.store.published import Generation, name_generation_tag

CANDIDATE = "repair"
"""The candidate that tables are computed again in."""

REBUILDABLE = re.compile(r"\w+\.lance/(_indices|_transactions)/")
"""Files that can be made anew from the rows of their table."""

HINT = "latest_version_hint.json"
"""The file that tells Lance where to look for the latest version; without it, all are listed."""

RUN_ID = "repair-%d"


class Repaired(NamedTuple):
    """What a repair has `done`, in words; tables whose rows are `lost`; generations that are `whole`, the newest first."""

    done: list[str]
    lost: list[str]
    whole: list[int]


def repair_corpus(corpus: Corpus, new_logs: bool = False) -> Repaired:
    """Repair all that needs no computing.

    Raises:
        CorpusError: nothing was published there, or the generations are lost with their manifests.
        DamageError: a log is damaged, and not to be begun anew (`new_logs`).
        ConflictError: a refresh, a backup or a publication is under way.
    """
    done = list[str]()
    if not corpus.is_in_store and not corpus.private.is_dir():
        if not any((corpus.folder / name).is_dir() for name in ("generations.lance", manifests.FOLDER)):
            raise CorpusError(f"{corpus} holds no published corpus: refresh it first, or check the path")
        corpus.private.mkdir(mode=corpus.folder.stat().st_mode & 0o777)
        done.append(f"made the folder {corpus.private.name}: what was staged is computed again when it is needed")
    what = f"a repair of {corpus}"
    with hold_lock(corpus.lock("refresh"), 0, what), hold_publish_lock(corpus), hold_lock(corpus.lock("backup"), 0, what):
        found, run_id = verify_corpus(corpus, deep=True), RUN_ID % time.time_ns()
        hints = [finding.place for finding in found.findings if finding.is_damage and finding.place.endswith(HINT)]
        if set_files_aside(corpus, run_id, hints):
            done.append("set aside wrong hints at the latest versions of tables")
            found = verify_corpus(corpus, deep=True)
        if found.whole:
            return Repaired(done, [], [])
        return _repair_damage(corpus, run_id, found, new_logs, done)


def _repair_damage(corpus: Corpus, run_id: str, found: Verification, new_logs: bool, done: list[str]) -> Repaired:
    seen, damaged = read_corpus_state(corpus), [finding for finding in found.findings if finding.is_damage]
    kept, wrong = seen.manifests_by_generation(), {finding.place for finding in damaged if finding.kind == "file"}
    broken = {number for number, made in kept.items() if wrong & made.files.keys()}
    _repair_logs(corpus, run_id, damaged, new_logs, done)
    _repair_generations_table(corpus, run_id, seen, damaged, done)
    spare = [finding.place for finding in damaged if finding.kind in ("rest", "manifest")]
    moved = set_files_aside(
        corpus, run_id, [path for path in spare if not path.startswith(tuple(f"{name}.lance" for name in LOGS))]
    )
    moved += set_files_aside(corpus, run_id, [path for path in wrong if "/_versions/" in path])
    if moved:
        done.append(f"set aside what is not as it was written: {', '.join(moved)}")
    live = published.read_live_generation(corpus)
    for number in kept.keys() - broken:
        tag_table_versions(corpus, number, kept[number].versions)
    lost, indexes_wrong = _find_lost_tables(live, wrong, damaged), [finding for finding in damaged if finding.kind == "index"]
    if not lost and (live.generation in broken or indexes_wrong):
        number = _rebuild_indexes(corpus, run_id, live, wrong, indexes_wrong)
        done.append(
            f"built the indexes of {', '.join(_name_damaged_tables(wrong, indexes_wrong))} again: generation {number} is live"
        )
    if any(finding.kind == "tag" for finding in damaged):
        done.append("set the tags of generations again")
    if not lost:
        _withdraw_damaged_generations(corpus, run_id, broken, wrong, done)
        _record_corpus_files(corpus)
    return Repaired(done, lost, sorted(kept.keys() - broken, reverse=True))


def _find_lost_tables(live: Generation, wrong: Iterable[str], damaged: Sequence[Finding]) -> list[str]:
    """Return the tables of the live generation whose rows cannot be trusted."""
    contents = [finding.place for finding in damaged if finding.kind == "contents" and live.generation in finding.generations]
    of_live = {finding.place for finding in damaged if live.generation in finding.generations} & set(wrong)
    named = {path.partition(".")[0] for path in of_live if not REBUILDABLE.match(path)}
    return [*VERSIONED] if contents else [name for name in VERSIONED if name in named]


def _name_damaged_tables(wrong: Iterable[str], findings: Sequence[Finding]) -> list[str]:
    of_files = {path.partition(".")[0] for path in wrong}
    return [name for name in VERSIONED if name in of_files or any(f.place.endswith(f"table {name}") for f in findings)]


def _rebuild_indexes(corpus: Corpus, run_id: str, live: Generation, wrong: Iterable[str], findings: Sequence[Finding]) -> int:
    """Publish the rows of the live generation again, with indexes that are built anew."""
    began, versions = time.time(), dict(live.versions)
    for name in _name_damaged_tables(wrong, findings):
        table = lance.open_table(corpus, name)
        table.restore(live.versions[name])
        for index in table.list_indices():
            table.drop_index(index.name)
        indexes.maintain_indexes(table)
        versions[name] = int(table.version)
    corpus.marker("clean").unlink(missing_ok=True)
    return publish_successor(corpus, make_successor(live, live, versions, run_id, "repair", held=live.held), began)


def _withdraw_damaged_generations(
    corpus: Corpus, run_id: str, broken: Iterable[int], wrong: Iterable[str], done: list[str]
) -> None:
    """Withdraw damaged generations, so that they are no longer offered; a copy of their damaged files stays."""
    live = published.read_live_generation(corpus).generation
    set_files_aside(corpus, run_id, wrong, keep=True)
    gone = sorted(number for number in broken if number != live)
    for name in VERSIONED:
        tags = lance.list_tags(corpus, name)
        for number in gone:
            if name_generation_tag(number) in tags:
                lance.delete_tag(corpus, name, name_generation_tag(number))
    if gone:
        done.append(f"generations that can no longer be restored: {', '.join(map(str, gone))}")


def _repair_generations_table(
    corpus: Corpus, run_id: str, seen: CorpusState, damaged: Sequence[Finding], done: list[str]
) -> None:
    """Write the table of generations anew from the manifests, if it is damaged."""
    places = ("generations.", "table generations")
    if not any(finding.kind == "generations" or finding.place.startswith(places) for finding in damaged):
        return
    rows = [made.as_row() for _, made in sorted(seen.manifests_by_generation().items())]
    if not rows:
        raise DamageError(
            f"the generations of {corpus} are lost, and so are their manifests: restore a backup (pagemill restore)"
        )
    set_table_aside(corpus, run_id, "generations")
    lance.ensure_table(corpus, "generations", GENERATIONS).add(pa.Table.from_pylist(rows, schema=GENERATIONS))
    done.append(f"wrote the table generations again from the manifests of {len(rows)} generations")


def _repair_logs(corpus: Corpus, run_id: str, damaged: Sequence[Finding], new_logs: bool, done: list[str]) -> None:
    """Write logs anew whose rows can still be read; of the others, nothing but a backup has the rows."""
    for name in LOGS:
        places = [f.place for f in damaged if f.kind == "rest" and f.place.startswith((f"{name}.lance/", f"table {name}"))]
        if name == "generations" or not places:
            continue
        rows = None
        if not any("/data/" in place or "/_deletions/" in place or place.startswith("table ") for place in places):
            rows = lance.open_table(corpus, name).to_arrow()
        elif not new_logs:
            raise DamageError(
                f"the log {name} of {corpus} is damaged ({places[0]}), and nothing but a backup has its rows: restore one "
                "(pagemill restore), or let the log begin anew with pagemill repair --new-logs"
            )
        set_table_aside(corpus, run_id, name)
        if rows is not None:
            lance.append_to_log(corpus, name, rows)
        done.append(f"wrote the log {name} again" if rows is not None else f"began the log {name} anew: its rows are lost")


def replace_damaged_generation(corpus: Corpus, lost: Sequence[str], accept_differences: bool = False) -> list[str]:
    """Put the candidate that was computed again in the place of a damaged generation, whose tables `lost` have no rows to trust.

    Return what was done.

    Raises:
        CorpusError: its documents are not those of the damaged generation, and differences are not accepted.
    """
    live, candidate = published.read_live_generation(corpus), corpus.candidate(CANDIDATE)
    found = published.read_live_generation(candidate)
    if not accept_differences:
        _check_same_as_live(corpus, live, candidate, found, lost)
    switched = switch_to_candidate(corpus, CANDIDATE, accept_differences=True, recomputed=True)
    done = [f"computed again and published: generation {switched['generation']}"]
    with hold_lock(corpus.lock("refresh"), 0, f"a repair of {corpus}"), hold_publish_lock(corpus):
        wrong = {finding.place for finding in verify_corpus(corpus, deep=True).findings if finding.kind == "file"}
        broken = {
            number for number, made in read_corpus_state(corpus).manifests_by_generation().items() if wrong & made.files.keys()
        }
        _withdraw_damaged_generations(corpus, RUN_ID % time.time_ns(), broken, wrong, done)
        _record_corpus_files(corpus)
    return done


def _check_same_as_live(corpus: Corpus, live: Generation, candidate: Corpus, found: Generation, lost: Sequence[str]) -> None:
    """Refuse a candidate that differs from the live generation: by its counts, and by its documents unless these are lost."""
    hint = f"look at the source, or give --accept-differences; {corpus} is as it was"
    for name in VERSIONED:
        if live.counts[f"n_{name}"] != found.counts[f"n_{name}"]:
            raise CorpusError(
                f"computed again there are {found.counts[f'n_{name}']} {name}, and generation {live.generation} has "
                f"{live.counts[f'n_{name}']}: {hint}"
            )
    unlike = None if "documents" in lost else find_differences(corpus, live, candidate, found)
    if unlike and unlike.n:
        raise CorpusError(f"computed again, documents differ from generation {live.generation}: {unlike}: {hint}")


def _record_corpus_files(corpus: Corpus) -> None:
    """Make missing manifests, and record the rest anew."""
    kept = list_restorable_generations(corpus)
    rows = {row["generation"]: row for row in published.read_generation_rows(corpus)}
    for one in kept:
        if manifests.find_manifest(corpus, one.generation, one.versions) is None:
            manifests.write_manifests(corpus, [rows[one.generation]])
    manifests.delete_manifests(corpus, [(one.generation, one.versions) for one in kept])
    place_record(corpus).unlink(missing_ok=True)
    record_unmanifested_files(corpus, time.time_ns())


def place_set_aside_folder(corpus: Corpus, run_id: str) -> Path:
    """Return where a repair sets aside what it replaces."""
    return corpus.private / DAMAGED / run_id


def set_files_aside(corpus: Corpus, run_id: str, paths: Iterable[str], keep: bool = False) -> list[str]:
    """Move files of a corpus to where nothing reads them, or copy them, to `keep` them too; return those that were there."""
    found = [path for path in dict.fromkeys(paths) if (corpus.folder / path).is_file()]
    storage = find_storage(corpus.folder)
    for path in found:
        source, target = corpus.folder / path, place_set_aside_folder(corpus, run_id) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        (storage.link if keep else storage.move)(source, target)
    return found


def set_table_aside(corpus: Corpus, run_id: str, name: str) -> None:
    """Move all of a table away."""
    set_files_aside(corpus, run_id, list_files_below(corpus, [f"{name}.lance"]))
    if not corpus.is_in_store and corpus.table(name).exists():
        for at, _, _ in os.walk(corpus.table(name), topdown=False):
            os.rmdir(at)
