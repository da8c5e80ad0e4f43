"""Unspaced writing: what is compared where no blanks stand between words, as in Chinese, Japanese and Thai."""

import re

from tasks.language.function_words import LETTERS

SCRIPTS = ("Han", "Kana", "Khmer", "Lao", "Myanmar", "Thai", "Tibetan")

_LETTERS = "".join(LETTERS[script] for script in SCRIPTS) + "ー々"
_PART = re.compile(f"([{_LETTERS}]+)|[^{_LETTERS}]+")


def is_unspaced(word: str) -> bool:
    """Return whether all letters of a word are of such writing.

    >>> is_unspaced("mill"), is_unspaced("堤坝")
    (False, True)
    """
    return not word.isascii() and all(part.group(1) for part in _PART.finditer(word))


def letter_pairs(word: str) -> list[str]:
    """Return the pairs of neighbouring letters of a run of such writing; other words are returned whole.

    A single letter stays alone.

    >>> letter_pairs("mill"), letter_pairs("新的堤坝"), letter_pairs("usb接口")
    (['mill'], ['新的', '的堤', '堤坝'], ['usb', '接口'])
    """
    if word.isascii():
        return [word]
    found: list[str] = []
    for part in _PART.finditer(word):
        run = part.group(1)
        found.extend([run[i : i + 2] for i in range(len(run) - 1)] if run and len(run) > 1 else [part.group()])
    return found
