"""Switch: publish a candidate's tables as the next generation of the corpus, at once, whatever their columns.

Each table is written as a new version of the corpus's own. Readers see none of them until the one row of `generations` names
all. Older generations keep their versions, other vectors and columns included, so that a rollback brings them back. A switch
that is killed has published all or nothing; the next one, and the next refresh, begin with the published versions again.
"""

import json
import time
from contextlib import ExitStack
from typing import Any

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.references import make_content_name
from schemas.tables.generations import VERSIONED
from tasks.publish.effective import list_non_default_options
from tasks.publish.io.candidates import delete_candidate, find_candidate, find_differences, hold_candidate
from tasks.publish.io.retained_chunks import load_chunk_lengths, save_chunk_lengths
from tasks.publish.io.rollback import apply_live_rights, make_successor, publish_successor
from tasks.store import files, indexes, lance, published
from tasks.store.integrity.rest import record_unmanifested_files
from tasks.store.locks import hold_lock, hold_publish_lock
from tasks.store.published import Generation
from tasks.store.staging import Staging

KIND = "switch"


def switch_to_candidate(corpus: Corpus, name: str, accept_differences: bool = False, recomputed: bool = False) -> dict[str, Any]:
    """Publish candidate `name` in the place of what is live, and delete its folder.

    Who may read its documents is what the live generation says; if the candidate was `recomputed` just now in the place of
    damaged tables, what it says itself.

    Return the new generation, the one before it, and the options to refresh with from now on. A hold of a rollback ends.

    Raises:
        CorpusError: there is no such candidate, it was never published, or its documents are not those of the corpus (unless
            `accept_differences`).
        ConflictError: a refresh of the corpus or of the candidate is running, or another process is publishing.
    """
    candidate = find_candidate(corpus, name)
    with ExitStack() as stack:
        stack.enter_context(hold_lock(corpus.lock("refresh"), 0, f"a switch of {corpus} to candidate {name}"))
        stack.enter_context(hold_candidate(candidate, f"a switch of {corpus} to it"))
        stack.enter_context(hold_publish_lock(corpus))
        live, found = published.read_live_generation(corpus), _find_built_generation(candidate, name)
        if not _is_candidate_published(live, found):
            if not accept_differences:
                _check_same_documents(corpus, live, candidate, found, name)
            live = _publish_candidate(corpus, live, candidate, found, recomputed)
        delete_candidate(corpus, candidate)
        record_unmanifested_files(corpus, time.time_ns())
    return {"generation": live.generation, "base": live.base, "candidate": name, "options": _list_changed_options(corpus, live)}


def _find_built_generation(candidate: Corpus, name: str) -> Generation:
    found = published.read_newest_generation(candidate)
    if found is None:
        raise CorpusError(f"candidate {name} is not complete: run refresh --candidate {name} again, it goes on where it was")
    return found


def _is_candidate_published(live: Generation, found: Generation) -> bool:
    """Return whether a switch that was killed has published the candidate already."""
    return live.kind == KIND and (live.run_id, live.recipe, live.counts) == (found.run_id, found.recipe, found.counts)


def _check_same_documents(corpus: Corpus, live: Generation, candidate: Corpus, found: Generation, name: str) -> None:
    unlike = find_differences(corpus, live, candidate, found)
    if unlike.n:
        raise CorpusError(
            f"candidate {name} has other documents than generation {live.generation} of {corpus}: {unlike}: "
            f"bring it up to date with pagemill refresh --candidate {name}, or switch with --accept-differences"
        )


def _publish_candidate(corpus: Corpus, live: Generation, candidate: Corpus, found: Generation, recomputed: bool) -> Generation:
    began = time.time()
    corpus.marker("clean").unlink(missing_ok=True)
    _adopt_staged_rows(corpus, candidate, found)
    versions = {name: _copy_table_from_candidate(corpus, candidate, found, name) for name in VERSIONED}
    if not recomputed:
        versions |= apply_live_rights(corpus, live)
    successor = make_successor(found, live, versions, found.run_id, KIND, held=False)
    lengths = load_chunk_lengths(candidate, found.versions["chunks"])
    if lengths is not None:
        save_chunk_lengths(corpus, versions["chunks"], lengths)
    publish_successor(corpus, successor.model_copy(update={"base": live.generation}), began)
    return published.read_live_generation(corpus)


def _adopt_staged_rows(corpus: Corpus, candidate: Corpus, found: Generation) -> None:
    """Take over the staged rows of the candidate's documents, and the recipes that they were made by."""
    rows = published.read_columns(candidate, found, "documents", ["media_type", "sha256"])
    names = map(make_content_name, rows["media_type"].to_pylist(), rows["sha256"].to_pylist())
    staging = Staging(corpus, sorted({*names}))
    for path in candidate.recipes("").parent.glob("*.json"):
        content = path.read_bytes()
        files.write_atomically(corpus.recipes(path.stem), content)
        staging.link_rows_of(candidate, json.loads(content).items())


def _copy_table_from_candidate(corpus: Corpus, candidate: Corpus, found: Generation, name: str) -> int:
    """Write a candidate's table as a new version of the corpus's, with indexes; return that version."""
    source = published.open_published(candidate, found, name)
    table = lance.overwrite_table(corpus, name, source.scanner(batch_size=published.BATCH_ROWS).to_reader())
    if table.count_rows() != source.count_rows():
        raise CorpusError(
            f"table {name} has {table.count_rows()} rows after it was copied, not {source.count_rows()}: another program wrote "
            "to it; nothing was published, run the switch again"
        )
    indexes.maintain_indexes(table)
    return int(table.version)


def _list_changed_options(corpus: Corpus, live: Generation) -> dict[str, object]:
    """Return the options of a switch's generation that differ from those of the one before it, as `section.name`."""
    before, now = (
        list_non_default_options(published.find_generation(corpus, number).options) for number in (live.base, live.generation)
    )
    places = ("parse.", "describe.", "chunk.", "embed.", "columns.")
    return {
        name: now.get(name, "the default")
        for name in sorted({*before, *now})
        if name.startswith(places) and before.get(name) != now.get(name)
    }
