"""Purge a corpus and its candidates: a document that is to go stands in their tables and staged files too."""

from contextlib import ExitStack
from typing import Any

import numpy as np

from schemas.corpus import Corpus
from schemas.errors import UnknownDocument
from schemas.tables.generations import VERSIONED
from tasks.publish.io import purge
from tasks.publish.io.candidates.places import hold_candidate, list_candidates
from tasks.publish.io.staged import delete_unneeded, find_needed_contents
from tasks.refresh.io.dead_runs import tidy_dead_runs
from tasks.store import published
from tasks.store.locks import publishing
from tasks.store.objects.trees import delete_tree


def purge_everywhere(corpus: Corpus, source_name: str, path: str, run_id: str) -> dict[str, Any]:
    """Purge the document from the corpus, then from its candidates; see `purge.purge_document`.

    The corpus comes first, since candidates take over what it has staged. `candidates` of the result are those that had it.

    Raises:
        UnknownDocument: neither the corpus nor a candidate has the document.
        ConflictError: a refresh of the corpus or of a candidate is running; run the purge again when it ends.
    """
    with ExitStack() as stack:
        for name in list_candidates(corpus):
            stack.enter_context(hold_candidate(corpus.candidate(name), f"a purge in {corpus}"))
    outcome, unknown = _purge_if_known(corpus, source_name, path, run_id)
    had = [name for name in list_candidates(corpus) if _purge_candidate(corpus, name, source_name, path, run_id)]
    if unknown and not had:
        raise unknown
    return {**outcome, "candidates": had}


def _purge_if_known(corpus: Corpus, source_name: str, path: str, run_id: str) -> tuple[dict[str, Any], UnknownDocument | None]:
    try:
        return purge.purge_document(corpus, source_name, path, run_id), None
    except UnknownDocument as error:
        live = published.live(corpus)
        return {"path": path, "generations": [], "generation": live.generation}, error


def _purge_candidate(corpus: Corpus, name: str, source_name: str, path: str, run_id: str) -> bool:
    """Purge a candidate; tell whether a generation of it had the document."""
    candidate = corpus.candidate(name)
    if published.newest(candidate):
        return _purge_if_known(candidate, source_name, path, run_id)[1] is None
    with hold_candidate(candidate, f"a purge in {corpus}"), publishing(candidate):
        purge.delete_caches(candidate)
        for table in map(candidate.table, VERSIONED):
            delete_tree(table)  # a run that was killed wrote it, and nobody published it
        kept = [np.empty(0, np.uint64), *find_needed_contents(corpus).values()]
        delete_unneeded(candidate, strict=True, also=np.unique(np.concatenate(kept)))
        tidy_dead_runs(candidate)
    return False


def preview_purge_everywhere(corpus: Corpus, source_name: str, path: str) -> dict[str, Any]:
    """Return what a purge would delete; see `purge.preview_purge`. `candidates` has the same of each candidate with the document.

    Raises:
        UnknownDocument: neither the corpus nor a candidate has the document.
    """
    doomed = {name: _preview_candidate(corpus.candidate(name), source_name, path) for name in list_candidates(corpus)}
    candidates = {name: found for name, found in doomed.items() if found}
    try:
        return {**purge.preview_purge(corpus, source_name, path), "candidates": candidates}
    except UnknownDocument:
        if not candidates:
            raise
        return {"path": path, "generations": [], "staged_files": 0, "log_rows": {}, "candidates": candidates}


def _preview_candidate(candidate: Corpus, source_name: str, path: str) -> dict[str, Any] | None:
    """Return what a purge would delete of a candidate; None if no generation of it has the document."""
    if published.newest(candidate) is None:
        return None
    try:
        return purge.preview_purge(candidate, source_name, path)
    except UnknownDocument:
        return None
