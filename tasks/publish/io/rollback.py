"""Roll back: publish an older generation again, as a new one, and hold it until it is released."""

import time
from datetime import UTC, datetime

from schemas.access import has_access
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.generations import FORMAT, VERSIONED
from tasks.publish.io.rights import carry_over_rights
from tasks.publish.io.tags import list_restorable_generations
from tasks.publish.io.write import sync_tables_to_disk, tag_table_versions
from tasks.store import indexes, lance, published
from tasks.store.access import HOLD_GROUPS
from tasks.store.integrity.rest import record_unmanifested_files
from tasks.store.loading import import_lance
from tasks.store.locks import hold_publish_lock
from tasks.store.published import Generation, check_generation

POLICY = ("access",)
"""Sections of the options that say who may read, whichever state is published."""


def roll_back_corpus(corpus: Corpus, generation: int, run_id: str) -> int:
    """Publish the state of `generation` again and hold it; return the number of the new generation.

    Who may read its documents is what the live generation says, not what was said then.

    Raises:
        CorpusError: the generation does not exist, was cleaned up, or cannot be read.
        ConflictError: another process is publishing.
    """
    published.read_live_generation(corpus)
    with hold_publish_lock(corpus):
        began, live = time.time(), published.read_live_generation(corpus)
        target = _find_restorable_generation(corpus, generation)
        _check_generation_readable(corpus, target)
        corpus.marker("clean").unlink(missing_ok=True)
        versions = {name: lance.restore_table_version(corpus, name, target.versions[name]) for name in VERSIONED}
        versions |= apply_live_rights(corpus, live)
        number = publish_successor(corpus, make_successor(target, live, versions, run_id, "rollback", held=True), began)
        record_unmanifested_files(corpus, time.time_ns())
    return number


def release_rollback_hold(corpus: Corpus, run_id: str) -> int:
    """Publish the state of the live generation again without the hold; return the number of the new generation."""
    with hold_publish_lock(corpus):
        began, live = time.time(), published.read_live_generation(corpus)
        corpus.marker("clean").unlink(missing_ok=True)
        return publish_successor(corpus, make_successor(live, live, live.versions, run_id, "release", held=False), began)


def apply_live_rights(corpus: Corpus, live: Generation) -> dict[str, int]:
    """Give restored tables the rights of the live generation; return the versions of those that hold them."""
    carry_over_rights(corpus, live, import_lance().dataset(str(corpus.table("documents"))))
    versions = {}
    for name in HOLD_GROUPS:
        table = lance.open_table(corpus, name)
        if has_access(live.columns):
            indexes.maintain_indexes(table)
        versions[name] = int(table.version)
    return versions


def publish_successor(corpus: Corpus, successor: Generation, began: float) -> int:
    """Publish the next generation; sync to disk what was written since `began` (seconds since the epoch). Return its number."""
    tag_table_versions(corpus, successor.generation, successor.versions)
    sync_tables_to_disk(corpus, VERSIONED, began)
    published.insert_generation(corpus, successor.as_row())
    sync_tables_to_disk(corpus, ("generations",), began)
    return successor.generation


def _find_restorable_generation(corpus: Corpus, generation: int) -> Generation:
    found = {candidate.generation: candidate for candidate in list_restorable_generations(corpus)}
    if generation not in found:
        there = ", ".join(map(str, found)) or "none"
        raise CorpusError(f"generation {generation} of {corpus} cannot be restored: choose one of these generations: {there}")
    return found[generation]


def _check_generation_readable(corpus: Corpus, target: Generation) -> None:
    """Look for the files of every table and read a column, so that a generation with lost files is not published again."""
    check_generation(corpus, target)
    for name in VERSIONED:
        published.read_columns(corpus, target, name, ["document_id"])


def make_successor(
    target: Generation, live: Generation, versions: dict[str, int], run_id: str, kind: str, held: bool
) -> Generation:
    """Return the generation that publishes the state of `target` as the generation after `live`, whose policy of access stays."""
    changes = {
        "generation": live.generation + 1,
        "format": FORMAT,
        "base": target.generation,
        "kind": kind,
        "run_id": run_id,
        "published_at": datetime.now(UTC).isoformat(),
        "versions": versions,
        "held": held,
        "purged": {},
        "options": {**target.options, **{name: live.options[name] for name in POLICY if name in live.options}},
    }
    return target.model_copy(update=changes)
