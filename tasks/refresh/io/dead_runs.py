"""Dead runs: what runs that were killed, or that lost their power, have left in a corpus's private folder."""

from collections.abc import Iterator
from pathlib import Path

from schemas.corpus import Corpus
from tasks.store import files
from tasks.store.files import delete_tree, storage_of

MARGIN_SECONDS = 2.0
"""File systems keep times in ticks of up to two seconds."""


def marker_path(corpus: Corpus) -> Path:
    """Return the marker of the last run: it names the start of the machine that the run belongs to."""
    return corpus.marker("last-run")


def mark_run(corpus: Corpus) -> None:
    """Note, before anything is staged, at which start of the machine that was."""
    files.put(marker_path(corpus), files.boot_id().encode())


def has_dead_runs(corpus: Corpus) -> bool:
    """Return whether a run did not come to its end: its last act is to delete its draft. Called as `tidy_dead_runs` is."""
    return (corpus.drafts).exists()


def tidy_dead_runs(corpus: Corpus) -> None:
    """Delete what dead runs left: drafts, temporary files, and what the last one staged if the machine went down since.

    Called under the lock of a refresh, so that no other run is alive. What a killed process has written is whole; what was
    written before the power failed may hold anything, so it is computed again.
    """
    storage = storage_of(corpus.folder)
    storage.drop_outdated_copies(corpus.private)
    delete_tree(corpus.drafts)
    storage.sweep(corpus.private)
    for path in _unsure(corpus):
        path.unlink(missing_ok=True)


def _unsure(corpus: Corpus) -> Iterator[Path]:
    """Yield what a power failure may have cut short; a store keeps whole objects only."""
    marker = marker_path(corpus)
    if corpus.in_store or not marker.exists() or marker.read_text() == files.boot_id():
        return
    since = marker.stat().st_mtime - MARGIN_SECONDS
    for folder in (corpus.staging, corpus.results, corpus.readings):
        yield from (path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime >= since)
