"""Grouping: which contents go through the steps together, or share a call: a task run or a call costs more than they do."""

from collections.abc import Sequence

from schemas.media_types import find_format
from schemas.references import Content

SMALL_BYTES = 64 * 1024
"""A larger file costs more than the call for it."""

TOGETHER = 32
"""Contents in a call at most: enough to make the call cheap, few enough to share them out among the workers."""


BATCH_WEIGHT, HEAVY = 256, 16
"""Least weight of a batch's contents together; a file of a light format weighs 1, any other HEAVY."""

MOST_BATCHES = 64
"""Batches grow with the plan, so that a refresh of any size has some hundreds of task runs at most."""


SHARES = 4
"""Batches for each place on other machines: the last ones to be done keep few of them waiting."""


def split_into_batches(contents: Sequence[Content], n_places: int = 0) -> list[list[Content]]:
    """Return `contents` in their order, in batches of about equal weight.

    `n_places` is how many batches other machines can have under way together; 0 if there are none: then all share one pool.
    """
    weights = [1 if find_format(content.media_type).light else HEAVY for content in contents]
    most = max(BATCH_WEIGHT, -(-sum(weights) // max(MOST_BATCHES, SHARES * n_places)))
    if n_places:
        most = max(HEAVY, min(most, -(-sum(weights) // (SHARES * n_places))))
    batches: list[list[Content]] = []
    weight = most
    for content, own in zip(contents, weights, strict=True):
        if weight + own > most:
            batches.append([])
            weight = 0
        batches[-1].append(content)
        weight += own
    return batches


def is_small(content: Content) -> bool:
    """Return whether a content costs less than the call for it: a small file of a light format."""
    return find_format(content.media_type).light and content.size <= SMALL_BYTES


def group_small(contents: Sequence[Content], n_workers: int) -> list[list[Content]]:
    """Return `contents` in groups of one call each, in their order: small ones together, in at least two groups a worker."""
    small = sum(map(is_small, contents))
    most = max(1, min(TOGETHER, -(-small // (2 * n_workers))))
    groups: list[list[Content]] = []
    joins = False
    for content in contents:
        if joins and is_small(content) and len(groups[-1]) < most:
            groups[-1].append(content)
        else:
            groups.append([content])
        joins = is_small(content)
    return groups
