"""Clean up: delete what no kept generation needs: tags, old versions, staged files, drafts of dead runs."""

import time
from datetime import timedelta

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.publish.io.staged import delete_unneeded_staged_rows
from tasks.publish.io.tags import delete_unneeded_manifests, delete_untagged_versions, repair_generation_tags
from tasks.publish.io.write import sync_tables_to_disk
from tasks.store import files, indexes, lance
from tasks.store.audit import get_access_options, tidy_audit_log
from tasks.store.files import delete_tree, find_local_path, find_storage
from tasks.store.locks import try_lock
from tasks.store.objects.cache import clean_up_local_copies
from tasks.store.published import name_generation_tag, read_all_generations, read_live_generation
from tasks.workers import memory

SAFE_AGE = timedelta(hours=1)
"""Versions younger than this are kept, even without a tag, because a reader may be opening one."""

LOGS = ("generations", "validations", "questions", "recipes", "retrieved", "scores", "metrics")
"""Tables that grow by a few rows per run, and whose old versions have no use."""

STAGED_MARKER = "swept"
"""The marker that names the generation after which the staged files were last looked through."""
CHANGED_SHARE = 0.01
"""Staged files are looked through once so many of the documents changed: it takes as long as all documents are many."""
CHANGES = ("added", "changed", "metadata", "moved", "retried", "removed")

RESULTS_AGE_SECONDS = 30 * 86_400
"""Cached results of Prefect that are older than this are deleted."""


def clean_up_corpus(corpus: Corpus, keep: int) -> None:
    """Delete what the last `keep` generations do not need. Call it after publication, with both locks.

    While the corpus is backed up, nothing of its tables goes: the next clean-up deletes it.
    """
    with try_lock(corpus.lock("backup"), f"cleaning up {corpus}") as free:
        if free:
            delete_old_generations(corpus, keep)
            compact_log_tables(corpus)
    tidy_audit_log(corpus, get_access_options(read_live_generation(corpus)).audit_days)
    memory.release_freed_memory()
    clean_up_staged_rows(corpus)
    delete_old_results(corpus)
    find_storage(corpus.private).sweep(corpus.private)
    delete_tree(corpus.drafts)
    clean_up_local_copies()


def delete_old_generations(corpus: Corpus, keep: int) -> None:
    """Remove the tags of all but the last `keep` generations. Delete versions without a tag that are older than SAFE_AGE."""
    generations = repair_generation_tags(corpus)
    delete_unneeded_manifests(corpus, generations[-keep:])
    for found in generations[:-keep]:
        for name in VERSIONED:
            lance.delete_tag(corpus, name, name_generation_tag(found.generation))
    delete_untagged_versions(corpus, VERSIONED, SAFE_AGE)


def compact_log_tables(corpus: Corpus) -> None:
    """Join the small files of the log tables, and delete the old versions of these tables.

    The joined files are synced to disk before the small files are deleted: they also hold the rows that publish generations.
    """
    began = time.time()
    for name in LOGS:
        if lance.does_table_exist(corpus, name):
            indexes.maintain_indexes(lance.open_table(corpus, name))
    sync_tables_to_disk(corpus, LOGS, began)
    delete_untagged_versions(corpus, LOGS, SAFE_AGE)


def clean_up_staged_rows(corpus: Corpus) -> None:
    """Delete staged rows that no restorable generation needs, if enough documents changed since that was last done."""
    marker = corpus.marker(STAGED_MARKER)
    last = int(marker.read_text()) if marker.exists() else 0
    new = [found for found in read_all_generations(corpus) if found.generation > last]
    changed = sum(found.counts.get(name, 0) for found in new for name in CHANGES)
    ordinary = bool(last and new) and all(found.kind == "refresh" for found in new)
    if ordinary and changed < CHANGED_SHARE * new[-1].counts["n_documents"]:
        return
    delete_unneeded_staged_rows(corpus)
    files.write_atomically(marker, str(new[-1].generation if new else last).encode())


def delete_old_results(corpus: Corpus) -> None:
    """Delete old results in Prefect's cache, and old texts that were read in pictures."""
    for folder in (corpus.results, find_local_path(corpus.readings)):
        for path in folder.rglob("*"):
            if path.is_file() and time.time() - path.stat().st_mtime > RESULTS_AGE_SECONDS:
                path.unlink()
