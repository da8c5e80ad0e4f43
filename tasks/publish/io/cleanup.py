"""Clean up: drop what no kept generation needs: tags, old versions, staged files, drafts of dead runs."""

import json
import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from schemas.corpus import Corpus
from schemas.media_types import media_type_of
from schemas.tables.generations import VERSIONED
from tasks.publish.io.tags import delete_versions, restorable, tidy_tags
from tasks.publish.io.write import make_durable
from tasks.store import files, indexes, lance, published, table_tags
from tasks.store.published import Generation, tag_of

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


def drop_staged(corpus: Corpus) -> None:
    """Delete the staged files and the recipes that no restorable generation names, and what dead runs began to stage."""
    for path in unneeded(corpus):
        path.unlink()
    recipes = {whole for found in restorable(corpus) for whole, _, _ in contents_of(corpus, found)}
    for path in corpus.recipes("").parent.glob("*.json"):
        if path.stem not in recipes:
            path.unlink()


def unneeded(corpus: Corpus, without: str = "") -> list[Path]:
    """Return the staged files that no restorable generation names, if the document of the id `without` were none of it."""
    root = corpus.staging
    named = {name for found in restorable(corpus) for name in staged_names(corpus, found, without)}
    whole = [path for path in root.glob("*/*/*/*/*.arrow") if (*path.relative_to(root).parts[:3], path.stem) not in named]
    return whole + list(root.rglob(f"{files.TEMPORARY}*"))


def drop_results(corpus: Corpus) -> None:
    """Delete what Prefect's cache remembered, and what was read in pictures, long ago."""
    for folder in ("results", "readings"):
        for path in (corpus.private / folder).rglob("*"):
            if path.is_file() and time.time() - path.stat().st_mtime > RESULTS_AGE_SECONDS:
                path.unlink()


def staged_names(corpus: Corpus, found: Generation, without: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Yield (step, recipe, media type as a folder, digest) of every staged file that a generation is made of."""
    contents = contents_of(corpus, found, without)
    steps = {whole: _steps(corpus, whole) for whole in {whole for whole, _, _ in contents}}
    for whole, media_type, sha256 in contents:
        for step, recipe in steps[whole].items():
            yield step, recipe, media_type.replace("/", "-"), sha256


def contents_of(corpus: Corpus, found: Generation, without: str = "") -> set[tuple[str, str, str]]:
    """Return (recipe, media type, digest) of what a generation's documents and rejects were made of, but for one document."""
    others = f"document_id <> '{without}'"
    documents = published.read_columns(corpus, found, "documents", ["recipe", "media_type", "sha256"], others).to_pylist()
    rejects = published.read_columns(corpus, found, "rejects", ["recipe", "path", "sha256"], others).to_pylist()
    contents = {(row["recipe"], row["media_type"], row["sha256"]) for row in documents}
    return contents | {(row["recipe"], media_type_of(row["path"]) or "", row["sha256"]) for row in rejects}


def _steps(corpus: Corpus, whole: str) -> dict[str, str]:
    path = corpus.recipes(whole)
    steps: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return steps
