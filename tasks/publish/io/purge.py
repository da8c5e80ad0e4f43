"""Purge: delete a document for good, from every generation, version and staged file.

Each kept generation is made anew without the document, as `purge_tables` says. Temporary tags protect the new versions. Then a
single commit changes all rows of `generations` to the new versions and publishes a new generation, so a killed purge leaves the
old state or the new one. After that, the tags move, and every other version is deleted from the disk.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import numpy as np

from schemas.corpus import Corpus
from schemas.errors import UnknownDocument
from schemas.ids import document_id, normal_path
from schemas.media_types import holds_documents
from schemas.records import GenerationRow
from schemas.references import GateOutcome
from schemas.tables.generations import VERSIONED
from tasks.publish.io.candidates import hold_candidate, list_candidates
from tasks.publish.io.cleanup import LOGS
from tasks.publish.io.purge_logs import QUOTING_LOGS, delete_log_rows_naming, does_value_name_path, find_log_rows_naming
from tasks.publish.io.purge_tables import rewrite_versions_without
from tasks.publish.io.rollback import make_successor
from tasks.publish.io.staged import count_unneeded_staged_rows, delete_unneeded_staged_rows, find_needed_contents
from tasks.publish.io.tags import (
    delete_unneeded_manifests,
    delete_untagged_versions,
    list_restorable_generations,
    repair_generation_tags,
)
from tasks.publish.io.write import count_table_rows, sync_tables_to_disk, tag_table_versions
from tasks.refresh.io.running import MARGIN_SECONDS, clean_up_dead_runs
from tasks.store import audit, conditions, files, indexes, lance, published
from tasks.store.bodies import delete_bodies_of_dead_processes
from tasks.store.files import delete_files, delete_tree, find_local_path, find_storage
from tasks.store.integrity.rest import DAMAGED, PURGE, record_unmanifested_files
from tasks.store.locks import hold_lock, hold_publish_lock
from tasks.store.published import Generation, name_provisional_tag

if TYPE_CHECKING:
    from lancedb.table import LanceTable

NOW = timedelta(0)


class PurgePreview(TypedDict):
    """What a purge would delete: the document's rows by table in each generation, staged files, and rows by log.

    `members` are the paths of the documents in it, such as the files of an archive: their rows are among those.
    """

    path: str
    members: list[str]
    generations: list[dict[str, int]]
    staged_files: int
    log_rows: dict[str, int]


class WholePurgePreview(PurgePreview):
    """What a purge would delete of a corpus, and of each of its candidates that has the document."""

    candidates: dict[str, PurgePreview]


class PurgeOutcome(TypedDict):
    """What a purge deleted: the generations that had the document. `generation` is live now, None if nothing was published."""

    document_id: NotRequired[str]
    path: str
    members: list[str]
    generations: list[int]
    generation: int | None
    candidates: NotRequired[list[str]]


def purge_document(corpus: Corpus, source_name: str, path: str, run_id: str) -> PurgeOutcome:
    """Delete the document at `path` of the source `source_name`; return its id and the generations that had it.

    Documents inside of it go along, as attachments do with their mail; the result has their paths as `members`. If an earlier
    purge of the document was killed, this one completes it.

    Raises:
        UnknownDocument: no kept generation has the document, nor does a file of their tables.
        CorpusError: nothing is published.
        ConflictError: a refresh or a backup is running, or another process is publishing.
    """
    published.read_live_generation(corpus)
    name, began = document_id(source_name, path), time.time()
    what = f"a purge in {corpus}"
    with hold_lock(corpus.lock("refresh"), 0, what), hold_publish_lock(corpus), hold_lock(corpus.lock("backup"), 0, what):
        kept = repair_generation_tags(corpus)
        members = find_members(corpus, kept, source_name, path)
        documents = [name, *members]
        touched = [found.generation for found in kept if has_document_or_reject(corpus, found, documents)]
        begun = _find_interrupted_purge(corpus, name)
        rewritten = bool(touched) or _has_rows_even_deleted(corpus, kept, documents)
        if rewritten:
            files.write_atomically(
                _place_purge_marker(corpus), json.dumps({"document_id": name, "generations": touched}).encode()
            )
            find_storage(_place_purge_marker(corpus)).sync(_place_purge_marker(corpus))
            delete_caches_naming_documents(corpus)
            _publish_without_documents(corpus, kept, documents, touched, path, run_id)
            repair_generation_tags(corpus)
        _delete_leftovers_of_document(corpus, path)
        audit.forget_documents(corpus, documents, normal_path(path))
        delete_bodies_of_dead_processes()
        find_storage(corpus.folder).sync_since(corpus.folder, began - MARGIN_SECONDS)
        record_unmanifested_files(corpus, time.time_ns())
        _place_purge_marker(corpus).unlink(missing_ok=True)  # last of all: while it is there, the same purge can be completed
        if not rewritten and begun is None:
            raise _make_unknown_document_error(corpus, source_name, path)
        live = published.read_live_generation(corpus)
    return {
        "document_id": name,
        "path": normal_path(path),
        "members": sorted(members.values()),
        "generations": touched or begun or [],
        "generation": live.generation,
    }


def find_members(corpus: Corpus, kept: Sequence[Generation], source_name: str, path: str) -> dict[str, str]:
    """Return the ids and paths of the documents in the archive, mailbox or mail at `path`; none if it is no such file.

    Rows that refreshes only marked as deleted name them too.
    """
    outer = normal_path(path)
    if not holds_documents(outer):
        return {}
    quoted = outer.replace("'", "''")
    where = f"source_name = '{source_name}' AND path >= '{quoted}/' AND path < '{quoted}0'"  # 0 comes after /
    found: dict[str, str] = {}
    for table in _open_versions_to_purge(corpus, kept, ("documents", "rejects", "chunks")):
        rows = indexes.read_rows_even_deleted(table, ["document_id", "path"], where)
        found.update(zip(rows["document_id"].to_pylist(), rows["path"].to_pylist(), strict=True))
    return found


def preview_purge(corpus: Corpus, source_name: str, path: str) -> PurgePreview:
    """Return what a purge would delete: rows by table in each generation, staged files, rows of logs. Nothing is changed.

    Raises:
        UnknownDocument: no kept generation has the document, nor does a file of their tables.
        CorpusError: nothing is published.
    """
    published.read_live_generation(corpus)
    name, kept = document_id(source_name, path), list_restorable_generations(corpus)
    members = find_members(corpus, kept, source_name, path)
    documents = [name, *members]
    known = [found for found in kept if has_document_or_reject(corpus, found, documents)]
    if not known and _find_interrupted_purge(corpus, name) is None and not _has_rows_even_deleted(corpus, kept, documents):
        raise _make_unknown_document_error(corpus, source_name, path)
    rows = [{"generation": found.generation, **_count_rows_of_documents(corpus, found, documents)} for found in known]
    logs = {log: len(find_log_rows_naming(corpus, log, path)) for log in QUOTING_LOGS}
    logs[audit.NAME] = audit.count_rows_naming(corpus, documents, normal_path(path))
    return {
        "path": normal_path(path),
        "members": sorted(members.values()),
        "generations": rows,
        "staged_files": count_unneeded_staged_rows(corpus, documents),
        "log_rows": logs,
    }


def _make_unknown_document_error(corpus: Corpus, source_name: str, path: str) -> UnknownDocument:
    where = f"no generation of {corpus} holds {normal_path(path)} of source {source_name}"
    return UnknownDocument(f"{where}: see `pagemill documents`")


def _count_rows_of_documents(corpus: Corpus, found: Generation, documents: Sequence[str]) -> dict[str, int]:
    where = conditions.make_documents_condition(documents)
    return {name: int(lance.open_table(corpus, name, found.versions[name]).count_rows(where)) for name in VERSIONED}


def _place_purge_marker(corpus: Corpus) -> Path:
    """Return the file that marks a running purge."""
    return corpus.marker(PURGE)


def _find_interrupted_purge(corpus: Corpus, document: str) -> list[int] | None:
    """Return the generations that a killed purge of the document had to rewrite, or None if there was no such purge."""
    try:
        known: dict[str, Any] = json.loads(_place_purge_marker(corpus).read_text())
    except (FileNotFoundError, ValueError):  # a truncated file means a power failure before publication
        return None
    return known["generations"] if known.get("document_id") == document else None


def has_document_or_reject(corpus: Corpus, found: Generation, documents: Sequence[str]) -> bool:
    """Return whether a generation has one of the documents or a reject of one."""
    where = conditions.make_documents_condition(documents)
    return any(published.read_columns(corpus, found, name, ["document_id"], where).num_rows for name in ("documents", "rejects"))


def _has_rows_even_deleted(corpus: Corpus, kept: Sequence[Generation], documents: Sequence[str]) -> bool:
    """Return whether tables have rows of the documents, even if no generation shows them.

    Refreshes only mark rows as deleted, and those of a killed refresh stay in the latest version, until files are rewritten.
    """
    where = conditions.make_documents_condition(documents)
    tables = _open_versions_to_purge(corpus, kept, VERSIONED)
    return any(indexes.read_rows_even_deleted(table, ["document_id"], where).num_rows for table in tables)


def _open_versions_to_purge(corpus: Corpus, kept: Sequence[Generation], names: Sequence[str]) -> Iterator["LanceTable"]:
    """Yield tables at each version that the kept generations need, and at the latest, which clean-up never deletes."""
    for name in names:
        for version in {None, *(found.versions[name] for found in kept)}:
            yield lance.open_table(corpus, name, version)


def _publish_without_documents(
    corpus: Corpus, kept: Sequence[Generation], documents: Sequence[str], touched: Sequence[int], path: str, run_id: str
) -> None:
    """Rewrite every kept generation, then switch to the new versions at once, and publish the last generation again.

    The new generation says which documents are gone from those that it `touched`: nothing else could tell places that have them.
    """
    began = time.time()
    rewritten = _rewrite_without_documents(corpus, kept, documents)
    live, last = kept[-1], rewritten[-1]
    for found in rewritten:
        for name in VERSIONED:
            lance.set_tag(corpus, name, name_provisional_tag(found.generation), found.versions[name])
    tag_table_versions(corpus, live.generation + 1, last.versions)
    versions = {found.generation: json.dumps(found.versions) for found in rewritten}
    rows: list[GenerationRow] = [
        {
            **row,
            "versions": versions.get(row["generation"], row["versions"]),
            "gate": json.dumps(_remove_warnings_naming_document(json.loads(row["gate"]), path)),
        }
        for row in published.read_generation_rows(corpus)
    ]
    changes = {
        "counts": {**last.counts, **count_table_rows(corpus, last.versions)},
        "gate": _remove_warnings_naming_document(last.gate, path),
        "purged": {"documents": [*documents], "generations": [*touched]},
    }
    successor = make_successor(last, live, last.versions, run_id, "purge", held=live.held).model_copy(update=changes)
    sync_tables_to_disk(corpus, VERSIONED, began)
    published.replace_generations(corpus, rows, successor.as_row())


def _rewrite_without_documents(corpus: Corpus, kept: Sequence[Generation], documents: Sequence[str]) -> list[Generation]:
    """Rewrite the versions of the kept generations without the documents."""
    known = {
        name: rewrite_versions_without(corpus, name, [found.versions[name] for found in kept], documents) for name in VERSIONED
    }
    return [
        found.model_copy(update={"versions": {name: known[name][version] for name, version in found.versions.items()}})
        for found in kept
    ]


def _remove_warnings_naming_document(gate: GateOutcome, path: str) -> GateOutcome:
    """Return what a generation keeps of its gate without warnings that name the document."""
    warnings = [warning for warning in gate.get("warnings", []) if not does_value_name_path(warning, normal_path(path))]
    return {**gate, "warnings": warnings} if gate else {}


def _delete_leftovers_of_document(corpus: Corpus, path: str) -> None:
    """Delete unused versions and files, files of dead runs, and rows of logs that name the document.

    Call it even if no generation has the document: it completes a purge that was killed.
    """
    for name in QUOTING_LOGS:
        delete_log_rows_naming(corpus, name, path)
    delete_unneeded_manifests(corpus, list_restorable_generations(corpus))
    delete_untagged_versions(corpus, (*VERSIONED, *LOGS), NOW, unfinished=True)
    delete_unneeded_staged_rows(corpus, strict=True)
    clean_up_dead_runs(corpus)


def delete_caches_naming_documents(corpus: Corpus) -> None:
    """Delete what is stored for later: names and digests of documents, texts read in pictures, and what quotes documents."""
    corpus.marker("clean").unlink(missing_ok=True)
    for path in (corpus.report, corpus.sentences):
        path.unlink(missing_ok=True)
    delete_tree(corpus.private / DAMAGED)
    for folder in (corpus.plans, corpus.answers, corpus.results, find_local_path(corpus.readings)):
        delete_files(path for path in folder.rglob("*") if path.is_file())
    find_storage(corpus.private).start_epoch(corpus.private)


def purge_corpus_and_candidates(corpus: Corpus, source_name: str, path: str, run_id: str) -> PurgeOutcome:
    """Purge the document from the corpus, then from its candidates; see `purge_document`.

    The corpus comes first, since candidates take over what it has staged. `candidates` of the result are those that had it.

    Raises:
        UnknownDocument: neither the corpus nor a candidate has the document.
        ConflictError: a refresh of the corpus or of a candidate is running; run the purge again when it ends.
    """
    with ExitStack() as stack:
        for name in list_candidates(corpus):
            stack.enter_context(hold_candidate(corpus.candidate(name), f"a purge in {corpus}"))
    outcome, unknown = _purge_if_document_known(corpus, source_name, path, run_id)
    had = [name for name in list_candidates(corpus) if _purge_candidate(corpus, name, source_name, path, run_id)]
    if unknown and not had:
        raise unknown
    return {**outcome, "candidates": had}


def _purge_if_document_known(
    corpus: Corpus, source_name: str, path: str, run_id: str
) -> tuple[PurgeOutcome, UnknownDocument | None]:
    try:
        return purge_document(corpus, source_name, path, run_id), None
    except UnknownDocument as error:
        live = published.read_live_generation(corpus)
        return {"path": path, "members": [], "generations": [], "generation": live.generation}, error


def _purge_candidate(corpus: Corpus, name: str, source_name: str, path: str, run_id: str) -> bool:
    """Purge a candidate; tell whether a generation of it had the document."""
    candidate = corpus.candidate(name)
    if published.read_newest_generation(candidate):
        return _purge_if_document_known(candidate, source_name, path, run_id)[1] is None
    with hold_candidate(candidate, f"a purge in {corpus}"), hold_publish_lock(candidate):
        delete_caches_naming_documents(candidate)
        for table in map(candidate.table, VERSIONED):
            delete_tree(table)  # a run that was killed wrote it, and nobody published it
        kept = [np.empty(0, np.uint64), *find_needed_contents(corpus).values()]
        delete_unneeded_staged_rows(candidate, strict=True, also=np.unique(np.concatenate(kept)))
        clean_up_dead_runs(candidate)
    return False


def preview_purge_with_candidates(corpus: Corpus, source_name: str, path: str) -> WholePurgePreview:
    """Return what a purge would delete; see `preview_purge`. `candidates` has the same of each candidate with the document.

    Raises:
        UnknownDocument: neither the corpus nor a candidate has the document.
    """
    doomed = {name: _preview_purge_of_candidate(corpus.candidate(name), source_name, path) for name in list_candidates(corpus)}
    candidates = {name: found for name, found in doomed.items() if found}
    try:
        return {**preview_purge(corpus, source_name, path), "candidates": candidates}
    except UnknownDocument:
        if not candidates:
            raise
        return {"path": path, "members": [], "generations": [], "staged_files": 0, "log_rows": {}, "candidates": candidates}


def _preview_purge_of_candidate(candidate: Corpus, source_name: str, path: str) -> PurgePreview | None:
    """Return what a purge would delete of a candidate; None if no generation of it has the document."""
    if published.read_newest_generation(candidate) is None:
        return None
    try:
        return preview_purge(candidate, source_name, path)
    except UnknownDocument:
        return None
