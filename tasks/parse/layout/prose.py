"""Prose: makes continuous text from the characters of a PDF."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_NOTHING = re.compile("[\x00\u00ad\u200b\u2060\ufeff]")
_CONTROL = re.compile("[\x01-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters stand where a font has no space of its own."""
_SPACES = re.compile(r"\s+")
_LETTERS = {
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    0xF0B7: "\u2022",
    0xF0A7: "\u25aa",
}
_MARKED = re.compile(r"[-\u2010/\\_\d]")
SOFT_HYPHEN = "\u00ad"
_HYPHENS = "-\u2010" + SOFT_HYPHEN


def clean(text: str) -> str:
    r"""Return `text` in NFC, with ligatures spelled out, spaces for control characters, no soft hyphens and lone surrogates.

    >>> clean("e\u0301 \ufb01t\x00"), clean("two\x03words")
    ('é fit', 'two words')
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _CONTROL.sub(" ", _NOTHING.sub("", text.translate(_LETTERS))))


def join_lines(lines: Sequence[str]) -> str:
    r"""Return the lines of a paragraph as one; a word hyphenated at a line end is joined.

    >>> join_lines(["a hyphen-", "ated word,", "Anglo-", "Saxon"])
    'a hyphenated word, Anglo-Saxon'
    """
    joined = ""
    for line in (_SPACES.sub(" ", line).strip() for line in lines):
        joined = _continued(joined, line) if joined and line else joined or line
    return clean(joined[:-1] + "-" if joined.endswith(SOFT_HYPHEN) else joined)


def joint(text: str, line: str) -> tuple[int, str]:
    """Return how many characters `text` loses at its end when `line` follows, and what separates them.

    A word with a hyphen or another mark in it, such as a path, is broken at hyphens of its own, and so is one before a figure.

    >>> joint("a hyphen-", "ated"), joint("Anglo-", "Saxon"), joint("two", "words"), joint("of-the-", "art"), joint("SHA-", "2")
    ((1, ''), (0, ''), (0, ' '), (0, ''), (0, ''))
    """
    hyphenated = len(text) > 1 and text[-1] in _HYPHENS and text[-2].isalpha()
    if hyphenated and line[0].isalnum():
        own = text[-1] == "-" and _MARKED.search(text.rpartition(" ")[2][:-1])
        return int(line[0].islower() and not own), ""
    return 0, "" if _is_wide(text[-1]) and _is_wide(line[0]) else " "


def _continued(text: str, line: str) -> str:
    n_dropped, between = joint(text, line)
    return text[: len(text) - n_dropped] + between + line


def _is_wide(character: str) -> bool:
    """Tell whether it belongs to a script without spaces between words."""
    return unicodedata.east_asian_width(character) in "WF" and not "\uac00" <= character <= "\ud7a3"


def is_right_to_left(text: str) -> bool:
    """Tell whether most letters of `text` belong to a script written from right to left."""
    if text.isascii():
        return False
    kinds: Counter[str] = Counter()
    for character, n in Counter(text).items():
        kinds[unicodedata.bidirectional(character)] += n
    return kinds["R"] + kinds["AL"] > kinds["L"]
