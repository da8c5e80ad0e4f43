"""Tags: they keep the versions of published generations from being cleaned up.

`g<N>` holds what generation N's row names, on every table. While a purge replaces the rows of all kept generations at once,
`p<N>` holds what the row will name, until `g<N>` has moved there. Whatever else bears such a name is left of a run that died.
"""

import re
from collections.abc import Iterable
from datetime import timedelta

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.store import lance, published, table_tags
from tasks.store.published import Generation, provisional_tag_of, tag_of

PAGEMILL_TAGS = re.compile(r"[gp]\d+")
"""Tags of other names are not Pagemill's, and stay."""

Tags = dict[str, dict[str, int]]
"""By table, the version that each tag holds."""


def restorable(corpus: Corpus) -> list[Generation]:
    """Return the generations whose versions are still tagged on every table, oldest first."""
    tags = _all_tags(corpus)
    return [found for found in published.all_generations(corpus) if _tagged(found, tags)]


def _all_tags(corpus: Corpus) -> Tags:
    return {name: table_tags.tags_of(corpus, name) for name in VERSIONED if lance.exists(corpus, name)}


def _tagged(found: Generation, tags: Tags) -> bool:
    names = (tag_of(found.generation), provisional_tag_of(found.generation))
    return all(any(known.get(tag) == found.versions[name] for tag in names) for name, known in tags.items())


def tidy_tags(corpus: Corpus) -> None:
    """Let `g<N>` hold what generation N's row names, for each that can be restored, and drop all that dead runs left.

    First every version is held, then tags go: killed in between, nothing is lost.
    """
    hold_live(corpus)
    kept = {tag_of(found.generation): found.versions for found in restorable(corpus)}
    tags = _all_tags(corpus)
    for name, known in tags.items():
        for tag, versions in kept.items():
            if known.get(tag) != versions[name]:
                table_tags.set_tag(corpus, name, tag, versions[name])
    for name, known in tags.items():
        for tag in known:
            if PAGEMILL_TAGS.fullmatch(tag) and tag not in kept:
                table_tags.drop_tag(corpus, name, tag)


def hold_live(corpus: Corpus) -> None:
    """Make sure that tags hold the live generation on every table; clean-up would delete its versions else.

    Raises:
        CorpusError: nothing is published there, or a version of it cannot be opened.
    """
    live = published.live(corpus)
    for name, known in _all_tags(corpus).items():
        if not _tagged(live, {name: known}):
            lance.open_table(corpus, name, live.versions[name])
            table_tags.set_tag(corpus, name, tag_of(live.generation), live.versions[name])


def delete_versions(corpus: Corpus, names: Iterable[str], older_than: timedelta, unfinished: bool = False) -> None:
    """Delete the versions of tables that are older than `older_than` and that no tag holds: the only way that leads there.

    With `unfinished`, also the files of writers that died; see `table_tags.clean_up`.

    Raises:
        CorpusError: what the live generation names is lost already; nothing is deleted.
    """
    hold_live(corpus)
    for name in names:
        if lance.exists(corpus, name):
            table_tags.clean_up(corpus, name, older_than, unfinished)
