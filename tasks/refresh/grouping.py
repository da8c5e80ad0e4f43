"""Grouping: which contents go through a step together, because a call costs more than they do."""

from collections.abc import Sequence

from schemas.media_types import FORMATS
from schemas.references import Content

SMALL_BYTES = 64 * 1024
"""A larger file costs more than the call for it."""

TOGETHER = 32
"""Contents in a call at most: enough to make the call cheap, few enough to share them out among the workers."""


def is_small(content: Content) -> bool:
    """Tell whether a content costs less than the call for it: a small file of a light format."""
    return FORMATS[content.media_type].light and content.size <= SMALL_BYTES


def grouped(contents: Sequence[Content], n_workers: int) -> list[list[Content]]:
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
