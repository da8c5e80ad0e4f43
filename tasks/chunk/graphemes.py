"""Graphemes: where a text may be cut without splitting what a reader sees as one character."""

import unicodedata

ZWJ = "\u200d"
JOINS_LEFT = frozenset([ZWJ, "\u200c", "\u0e33", "\u0eb3", "\uff9e", "\uff9f"])
JOINS_RIGHT = frozenset([ZWJ, "\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", "\u0d4e", *map(chr, range(0x600, 0x606))])
"""Characters that stay with the one before or after them, although their Unicode category does not say so."""
UNKNOWN = "Cn"
"""The category of characters that are younger than Python's data: they may be marks, so that nothing is cut before them."""
LONGEST_FLAGS = 512
"""In a longer row of flags one may be split, because finding its start would take quadratic time."""


def is_grapheme_break(text: str, at: int) -> bool:
    r"""Return whether `text` may be cut before index `at`.

    An allowed cut is never inside an extended grapheme cluster. A few cuts that Unicode allows are refused.

    >>> is_grapheme_break("e\u0301a", 1), is_grapheme_break("e\u0301a", 2)
    (False, True)
    """
    if at <= 0 or at >= len(text):
        return True
    left, right = text[at - 1], text[at]
    if left < "\u0300" and right < "\u0300":
        return not (left == "\r" and right == "\n")
    return not (
        _is_extend_character(right)
        or left in JOINS_RIGHT
        or _is_prepend_character(left)
        or _splits_hangul_syllable(left, right)
        or _splits_flag(text, at)
        or _splits_conjunct(text, at)
    )


def find_nearest_break(text: str, at: int, low: int, high: int) -> int:
    """Return where `text` may be cut: the last index in (low, at], else the first in (at, high), else `at` itself."""
    before = next((here for here in range(at, low, -1) if is_grapheme_break(text, here)), None)
    if before is not None:
        return before
    return next((here for here in range(at + 1, high) if is_grapheme_break(text, here)), at)


def _is_extend_character(right: str) -> bool:
    tone_or_tag = "\U0001f3fb" <= right <= "\U0001f3ff" or "\U000e0020" <= right <= "\U000e007f"
    return right in JOINS_LEFT or tone_or_tag or unicodedata.category(right).startswith(("M", UNKNOWN))


def _is_prepend_character(left: str) -> bool:
    return left >= "\U000110bd" and (unicodedata.category(left) in ("Cf", UNKNOWN) or "\U000111c2" <= left <= "\U00011f02")


def _splits_hangul_syllable(left: str, right: str) -> bool:
    if "\u1160" <= right <= "\u11ff" or "\ud7b0" <= right <= "\ud7fb":
        return True
    leads = "\u1100" <= left <= "\u115f" or "\ua960" <= left <= "\ua97c"
    return leads and ("\u1100" <= right <= "\u115f" or "\ua960" <= right <= "\ua97c" or "\uac00" <= right <= "\ud7a3")


def _splits_flag(text: str, at: int) -> bool:
    n, here = 0, at
    while here > max(0, at - LONGEST_FLAGS) and "\U0001f1e6" <= text[here - 1] <= "\U0001f1ff":
        n, here = n + 1, here - 1
    return n % 2 == 1 and "\U0001f1e6" <= text[at] <= "\U0001f1ff"


def _splits_conjunct(text: str, at: int) -> bool:
    here = at - 1
    while here > 0 and unicodedata.category(text[here]) == "Mn":
        if unicodedata.combining(text[here]) == 9:
            return unicodedata.category(text[at]) == "Lo"
        here -= 1
    return False
