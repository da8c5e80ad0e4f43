"""Clean up: drop what no kept generation needs: tags, old versions, staged files, drafts of dead runs."""

import shutil
import time
from datetime import timedelta

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.publish.io.staged import drop_staged
from tasks.publish.io.tags import delete_versions, restorable, tidy_tags
from tasks.publish.io.write import make_durable
from tasks.store import files, indexes, lance, table_tags
from tasks.store.published import tag_of

SAFE_AGE = timedelta(hours=1)
"""Versions younger than this stay, whether tagged or not: a reader may be about to open one."""

LOGS = ("generations", "validations", "questions", "metrics")
"""Tables that grow by a few rows a run and have no versions worth keeping."""

RESULTS_AGE_SECONDS = 30 * 86_400
"""Prefect's remembered results older than this go; what they name is staged or gone."""


def clean_up(corpus: Corpus, keep: int) -> None:
    """Drop what the last `keep` generations do not need. Called under both locks, after publication."""
    drop_generations(corpus, keep)
    tidy_logs(corpus)
    drop_staged(corpus)
    drop_results(corpus)
    files.sweep(corpus.private)
    shutil.rmtree(corpus.drafts, ignore_errors=True)


def drop_generations(corpus: Corpus, keep: int) -> None:
    """Untag all but the last `keep` generations, and delete the versions that no tag holds and that are an hour old."""
    tidy_tags(corpus)
    for found in restorable(corpus)[:-keep]:
        for name in VERSIONED:
            table_tags.drop_tag(corpus, name, tag_of(found.generation))
    delete_versions(corpus, VERSIONED, SAFE_AGE)


def tidy_logs(corpus: Corpus) -> None:
    """Join the small files of the tables that only grow, and delete their old versions: nobody reads those.

    First the joined ones are brought to the disk: deleted is what they were joined from, and the row that publishes is there.
    """
    began = time.time()
    for name in LOGS:
        if lance.exists(corpus, name):
            indexes.compact(lance.open_table(corpus, name))
    make_durable(corpus, LOGS, began)
    delete_versions(corpus, LOGS, SAFE_AGE)


def drop_results(corpus: Corpus) -> None:
    """Delete what Prefect's cache remembered, and what was read in pictures, long ago."""
    for folder in ("results", "readings"):
        for path in (corpus.private / folder).rglob("*"):
            if path.is_file() and time.time() - path.stat().st_mtime > RESULTS_AGE_SECONDS:
                path.unlink()
