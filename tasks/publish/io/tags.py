"""Tags: they protect the versions of published generations from clean-up.

On every table, the tag `g<N>` is on the version that the row of generation N names. A purge replaces the rows of all kept
generations at once: until it has moved `g<N>`, the tag `p<N>` is on the version that the new row names. Other tags with such
names come from runs that died.
"""

import re
from collections.abc import Iterable
from datetime import timedelta

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.store import lance, published
from tasks.store.integrity import manifests
from tasks.store.published import Generation, name_generation_tag, name_provisional_tag

PAGEMILL_TAGS = re.compile(r"[gp]\d+")
"""The names of Pagemill's tags. Other tags are never deleted."""

Tags = dict[str, dict[str, int]]
"""The version of each tag, by table."""


def list_restorable_generations(corpus: Corpus) -> list[Generation]:
    """Return the generations whose versions still have tags on every table, oldest first."""
    return _filter_restorable_generations(corpus, _read_all_tags(corpus))


def _filter_restorable_generations(corpus: Corpus, tags: Tags) -> list[Generation]:
    return [found for found in published.read_all_generations(corpus) if _has_tags_on_all_tables(found, tags)]


def _read_all_tags(corpus: Corpus) -> Tags:
    return {name: lance.list_tags(corpus, name) for name in VERSIONED if lance.does_table_exist(corpus, name)}


def _has_tags_on_all_tables(found: Generation, tags: Tags) -> bool:
    names = (name_generation_tag(found.generation), name_provisional_tag(found.generation))
    return all(any(known.get(tag) == found.versions[name] for tag in names) for name, known in tags.items())


def repair_generation_tags(corpus: Corpus) -> list[Generation]:
    """Set `g<N>` for every generation N that can be restored, delete the other tags that dead runs left; return the generations.

    All tags are set before any is deleted, so a kill in between loses nothing. They are read once: in a store each is a request.
    """
    tags = ensure_live_tags(corpus)
    generations = _filter_restorable_generations(corpus, tags)
    kept = {name_generation_tag(found.generation): found.versions for found in generations}
    for name, known in tags.items():
        for tag, versions in kept.items():
            if known.get(tag) != versions[name]:
                lance.set_tag(corpus, name, tag, versions[name])
    for name, known in tags.items():
        for tag in known:
            if PAGEMILL_TAGS.fullmatch(tag) and tag not in kept:
                lance.delete_tag(corpus, name, tag)
    return generations


def delete_unneeded_manifests(corpus: Corpus, kept: Iterable[Generation]) -> None:
    """Delete the manifests of all generations but those that are `kept`, and those that dead runs left.

    It is done before their tags go, so that no manifest speaks of a generation that clean-up has begun to take.
    """
    manifests.delete_manifests(corpus, [(found.generation, found.versions) for found in kept])


def ensure_live_tags(corpus: Corpus) -> Tags:
    """Make sure that the live generation has its tag on every table: without it, clean-up would delete its versions.

    Return the tags as they are then.

    Raises:
        CorpusError: nothing is published, or a version of the generation cannot be opened.
    """
    live, tags = published.read_live_generation(corpus), _read_all_tags(corpus)
    for name, known in tags.items():
        if not _has_tags_on_all_tables(live, {name: known}):
            lance.open_table(corpus, name, live.versions[name])
            lance.set_tag(corpus, name, name_generation_tag(live.generation), live.versions[name])
            known[name_generation_tag(live.generation)] = live.versions[name]
    return tags


def delete_untagged_versions(corpus: Corpus, names: Iterable[str], older_than: timedelta, unfinished: bool = False) -> None:
    """Delete versions that are older than `older_than` and have no tag. All code that deletes versions must call this.

    With `unfinished`, also delete the files of writers that died; see `lance.delete_old_versions`.

    Raises:
        CorpusError: a version of the live generation is already lost; nothing is deleted.
    """
    ensure_live_tags(corpus)
    for name in names:
        if lance.does_table_exist(corpus, name):
            lance.delete_old_versions(corpus, name, older_than, unfinished)
