"""Shares: the parts of a group of texts that several devices compute side by side."""

from collections.abc import Sequence

PARTS_EACH = 4
"""Parts for each device. The device that is done first takes the next part, so a slow one keeps few others waiting."""


def in_parts(lengths: Sequence[int], n_devices: int) -> list[list[int]]:
    """Return indices of `lengths`, longest first, in at most `n_devices` * PARTS_EACH parts of about equally many tokens.

    A part holds texts of like length, which need little padding.

    >>> in_parts([2, 8, 2, 4], 1)
    [[1], [3], [0, 2]]
    """
    share = sum(lengths) / (n_devices * PARTS_EACH)
    parts: list[list[int]] = []
    tokens = before = 0.0
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if not parts or tokens >= before + share:
            parts.append([])
            before = tokens
        parts[-1].append(index)
        tokens += lengths[index]
    return parts
