"""Runs: what the tasks of one share in this process, and what runs that were killed have left in a corpus."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from schemas.corpus import Corpus
from schemas.errors import SchemaError
from schemas.options.sections import LimitOptions
from tasks.embed.vectors import VectorCache
from tasks.store import files
from tasks.store.documents import ContainerCopies
from tasks.store.files import delete_tree, find_storage
from tasks.store.packs import close_packs
from tasks.store.staging import Staging
from tasks.store.waiting import read_boot_id
from tasks.workers.pool import WorkerPool, count_workers
from tasks.workers.progress import Progress


class ActiveRun(NamedTuple):
    """A run under way in this process. Once `cancelled` is set, nobody waits for its work any more.

    The process of `judges` sees no document: what a document does to its worker does not reach the checks. `earlier` gives the
    name of the content that a changed document had before, by that of its new one.
    """

    pool: WorkerPool
    judges: WorkerPool
    vectors: VectorCache
    progress: Progress
    cancelled: threading.Event
    staging: Staging
    earlier: Mapping[str, str]
    n_workers: int
    copies: ContainerCopies


_active_runs: dict[str, ActiveRun] = {}


@contextmanager
def hold_active_run(
    run_id: str,
    limits: LimitOptions,
    progress: Progress,
    staging: Staging,
    judges: WorkerPool,
    earlier: Mapping[str, str] = MappingProxyType({}),
    copies: ContainerCopies | None = None,
) -> Iterator[ActiveRun]:
    """Keep what the tasks of one run share; worker processes are started when they are needed, and end with the block."""
    with WorkerPool(limits) as pool:
        _active_runs[run_id] = ActiveRun(
            pool,
            judges,
            VectorCache(),
            progress,
            threading.Event(),
            staging,
            earlier,
            count_workers(limits),
            copies or ContainerCopies(),
        )
        try:
            yield _active_runs[run_id]
        finally:
            _active_runs.pop(run_id).copies.drop()
            close_packs()


def find_active_run(run_id: str) -> ActiveRun:
    """Return what the tasks of a run share.

    Raises:
        SchemaError: the run is not under way in this process.
    """
    if run_id not in _active_runs:
        raise SchemaError(f"run {run_id} is not under way in this process: its flow must start it")
    return _active_runs[run_id]


MARGIN_SECONDS = 2.0
"""File systems keep times in ticks of up to two seconds."""


def place_run_marker(corpus: Corpus) -> Path:
    """Return the marker of the last run: it names the start of the machine that the run belongs to."""
    return corpus.marker("last-run")


def mark_run_start(corpus: Corpus) -> None:
    """Note, before anything is staged, at which start of the machine that was."""
    files.write_atomically(place_run_marker(corpus), read_boot_id().encode())


def has_dead_runs(corpus: Corpus) -> bool:
    """Return whether a run did not come to its end: its last act is to delete its draft. Called as `clean_up_dead_runs` is."""
    return (corpus.drafts).exists()


def clean_up_dead_runs(corpus: Corpus) -> None:
    """Delete what dead runs left: drafts, temporary files, and what the last one staged if the machine went down since.

    Called under the lock of a refresh, so that no other run is alive. What a killed process has written is whole; what was
    written before the power failed may hold anything, so it is computed again.
    """
    storage = find_storage(corpus.folder)
    storage.drop_outdated_copies(corpus.private)
    delete_tree(corpus.drafts)
    storage.sweep(corpus.private)
    for path in _list_unsure_files(corpus):
        path.unlink(missing_ok=True)


def _list_unsure_files(corpus: Corpus) -> Iterator[Path]:
    """Yield what a power failure may have cut short; a store keeps whole objects only."""
    marker = place_run_marker(corpus)
    if corpus.is_in_store or not marker.exists() or marker.read_text() == read_boot_id():
        return
    since = marker.stat().st_mtime - MARGIN_SECONDS
    for folder in (corpus.staging, corpus.results, corpus.readings):
        yield from (path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime >= since)
