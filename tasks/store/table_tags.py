"""Versions of a table: the tags that hold them, and cleaning up those that no tag holds."""

from datetime import timedelta

from schemas.corpus import Corpus
from tasks.store.lance import open_table
from tasks.store.loading import import_lance


def list_tags(corpus: Corpus, name: str) -> dict[str, int]:
    """Return the version that each tag of a table holds."""
    return {tag: int(held["version"]) for tag, held in open_table(corpus, name).tags.list().items()}


def set_tag(corpus: Corpus, name: str, tag: str, version: int) -> None:
    """Let a tag hold a version of a table, whatever it held before."""
    tags = open_table(corpus, name).tags
    if tag in tags.list():
        tags.update(tag, version)
    else:
        tags.create(tag, version)


def delete_tag(corpus: Corpus, name: str, tag: str) -> None:
    """Let a tag go; what it alone held is cleaned up one day."""
    open_table(corpus, name).tags.delete(tag)


def delete_old_versions(corpus: Corpus, name: str, older_than: timedelta, unfinished: bool = False) -> None:
    """Delete the versions of a table older than `older_than` that no tag holds.

    With `unfinished`, also files of writers that died before they committed, which Lance keeps for a week else: only while
    nobody can be writing. Of tables with published versions, `tasks.publish.io.tags.delete_versions` alone may call this.
    """
    dataset = import_lance().dataset(str(corpus.table(name)))
    dataset.cleanup_old_versions(older_than=older_than, error_if_tagged_old_versions=False, delete_unverified=unfinished)
