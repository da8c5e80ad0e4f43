"""Prose: makes continuous text from the characters of a PDF."""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Sequence

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
_MARKED = re.compile(r"[-\u2010\u2011/\\_@\d]|\w[.:]\w")
"""Marks of words that no program breaks but at hyphens of their own: paths, addresses, compounds with figures."""
_SUSPENDED = frozenset("and or und oder bzw. og och".split())
"""Words after which a compound goes on whose first part is left open, as in pre- and post-war; no syllable is written so."""
_OF_SELF = ("hood", "ish", "less", "same")
"""What makes one word with self; English writes all else with a hyphen behind it, as in self-evident."""
_LAST_LETTERS, _FIRST_LETTERS = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
SOFT_HYPHEN = "\u00ad"
_HYPHENS = "-\u2010" + SOFT_HYPHEN
_DASHES = _HYPHENS + "\u2013"


def clean(text: str) -> str:
    r"""Return `text` in NFC, with ligatures spelled out, spaces for control characters, no soft hyphens and lone surrogates.

    >>> clean("e\u0301 \ufb01t\x00"), clean("two\x03words")
    ('é fit', 'two words')
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _CONTROL.sub(" ", _NOTHING.sub("", text.translate(_LETTERS))))


def join_lines(lines: Sequence[str], spelled: Container[str] = ()) -> str:
    r"""Return the lines of a paragraph as one; a word hyphenated at a line end is joined.

    `spelled` are words that are known to be written with a hyphen, as `spelled_in` returns them.

    >>> join_lines(["a hyphen-", "ated word,", "Anglo-", "Saxon from 1901-", "1905"])
    'a hyphenated word, Anglo-Saxon from 1901-1905'
    """
    joined = ""
    for line in (_SPACES.sub(" ", line).strip() for line in lines):
        joined = _continued(joined, line, spelled) if joined and line else joined or line
    return clean(joined[:-1] + "-" if joined.endswith(SOFT_HYPHEN) else joined)


def spelled_in(words: Iterable[str]) -> frozenset[str]:
    """Return the words that have a hyphen within them, in lower case and without the marks around them.

    >>> sorted(spelled_in(["Blood-feeding", "(re-use)", "hyphen-"]))
    ['blood-feeding', 're-use']
    """
    return frozenset(word.strip("-.,;:!?()[]\"'").casefold() for word in words if "-" in word[1:-1])


def joint(text: str, line: str, spelled: Container[str] = ()) -> tuple[int, str]:
    """Return how many characters `text` loses at its end when `line` follows, and what separates them.

    A hyphen stays if the word is written with it: if it is `spelled` so elsewhere, behind a figure, a single letter or capitals,
    and in a word with another mark in it, such as a path. Behind an open part, as in pre- and post-war, stands a space.

    >>> joint("a hyphen-", "ated"), joint("Anglo-", "Saxon"), joint("two", "words"), joint("of-the-", "art"), joint("SHA-", "2")
    ((1, ''), (0, ''), (0, ' '), (0, ''), (0, ''))
    >>> joint("2019-", "2023"), joint("held n-", "tridecanal"), joint("a T-", "shaped pier"), joint("pre-", "and post-war")
    ((0, ''), (0, ''), (0, ''), (0, ' '))
    >>> joint("self-", "evident"), joint("self-", "ish,")
    ((0, ''), (1, ''))
    """
    if len(text) > 1 and text[-1] in _DASHES and line[0].isalnum():
        if text[-1] == SOFT_HYPHEN:
            return 1, ""
        if unicodedata.category(text[-2])[0] in "LMN":
            return _at_dash(text, line, spelled)
    return 0, "" if _is_wide(text[-1]) and _is_wide(line[0]) else " "


def _at_dash(text: str, line: str, spelled: Container[str]) -> tuple[int, str]:
    dash, before, after = text[-1], text.rpartition(" ")[2][:-1], line.partition(" ")[0]
    if dash not in _HYPHENS:
        return 0, "" if before[-1].isdecimal() and after[0].isdecimal() else " "
    if after in _SUSPENDED:
        return 0, " "
    return int(after[0].islower() and not before[-1].isdigit() and not _has_own(before, after, dash, spelled)), ""


def _has_own(before: str, after: str, dash: str, spelled: Container[str]) -> bool:
    """Return whether the hyphen between two parts of a word is its own, rather than one of the line's end.

    Programs that break words themselves may write U+2010, so that what else is in such a word says nothing.
    """
    letters = _LAST_LETTERS.search(before)
    if letters and (len(letters[0]) == 1 or letters[0].isupper()):
        return True
    if letters and letters[0].casefold() == "self" and not after.startswith(_OF_SELF):
        return True
    first = _FIRST_LETTERS.match(after)
    if letters and first and f"{letters[0]}-{first[0]}".casefold() in spelled:
        return True
    return dash == "-" and bool(_MARKED.search(before) or "@" in after)


def _continued(text: str, line: str, spelled: Container[str]) -> str:
    n_dropped, between = joint(text, line, spelled)
    return text[: len(text) - n_dropped] + between + line


def _is_wide(character: str) -> bool:
    """Return whether it belongs to a script without spaces between words."""
    return unicodedata.east_asian_width(character) in "WF" and not "\uac00" <= character <= "\ud7a3"


def is_right_to_left(text: str) -> bool:
    """Return whether most letters of `text` belong to a script written from right to left."""
    if text.isascii():
        return False
    kinds: Counter[str] = Counter()
    for character, n in Counter(text).items():
        kinds[unicodedata.bidirectional(character)] += n
    return kinds["R"] + kinds["AL"] > kinds["L"]
