"""Words of a text: as Unicode bounds them (UAX #29), with the marks that belong to their letters, and without what nobody sees.

Words end at apostrophes and hyphens, which languages use differently. A number with parts, such as 18.2.1, is one word; letters
with points, such as U.S., are one without these.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import chain

from tasks.language.function_words import LETTERS

VOWELS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed"
)
"""Accents that no letter took up, and the vowels of Hebrew and Arabic, which most texts leave out."""

UNSEEN = "\u00ad\u034f\u0640\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
"""Soft hyphens, zero-width spaces and joiners, marks of direction, and Arabic's lengthening."""

SOUTH_ASIAN = chain(range(0x900, 0x1D00), range(0xA800, 0xAC00))
MARKS = "".join(character for character in map(chr, SOUTH_ASIAN) if unicodedata.category(character)[0] == "M")
"""Marks that belong to the letters of India's and its neighbours' scripts: their vowels, among others."""

_RAISED = re.compile("(?<=[0-9])[\u2070\u00b9\u00b2\u00b3\u2074-\u207e]+")
_DROPPED = re.compile(f"[{UNSEEN}{VOWELS}]")
_WORD = re.compile(rf"[\w{MARKS}]+(?:(?<=\d)[.,]\d[\w{MARKS}]*)*|[.!?:;\n]")
_ACRONYM = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){2,}")
_PARTS = re.compile(r"(?<=\d)[.,](?=\d)")

SCRIPTS = ("Han", "Kana", "Khmer", "Lao", "Myanmar", "Thai", "Tibetan")

_LETTERS = "".join(LETTERS[script] for script in SCRIPTS) + "ー々"
_PART = re.compile(f"([{_LETTERS}]+)|[^{_LETTERS}]+")


def tokenize_words(text: str) -> list[str]:
    """Return the words of a text in their order, with the marks that end sentences, headings and lines between them.

    >>> tokenize_words("Version 18.2.1 of the mill's 10\N{SUPERSCRIPT SIX} litres.")
    ['Version', '18.2.1', 'of', 'the', 'mill', 's', '10', '6', 'litres', '.']
    >>> tokenize_words("the U.S.A. and a.m. today")
    ['the', 'USA', 'and', 'am', 'today']
    """
    plain = _ACRONYM.sub(lambda found: found[0].replace(".", ""), normalize_text(text))
    return _WORD.findall(plain.replace("_", " "))


def normalize_text(text: str) -> str:
    """Return a text in Unicode's form NFKC, without what nobody sees and without vowel marks.

    Digits that are raised behind a number stand apart from it.

    >>> normalize_text("Donau\N{SOFT HYPHEN}dampfer"), normalize_text("10\N{SUPERSCRIPT SIX} m\N{SUPERSCRIPT TWO}")
    ('Donaudampfer', '10 6 m2')
    """
    if text.isascii():
        return text
    apart = _RAISED.sub(r" \g<0>", text).replace("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "I")
    return _DROPPED.sub("", unicodedata.normalize("NFKC", apart))


def split_number_parts(word: str) -> list[str]:
    """Return the parts of a number; a word without any is its own.

    >>> split_number_parts("18.2.1"), split_number_parts("mill")
    (['18', '2', '1'], ['mill'])
    """
    return _PARTS.split(word)


def is_written_as_name(words: Sequence[str], at: int) -> bool:
    """Return whether a word is written as a name: in capitals unlike its neighbours, or with a capital within a sentence.

    >>> is_written_as_name(["of", "the", "WHO", "in", "2024"], 2), is_written_as_name(["WHO", "IS", "IT"], 0)
    (True, False)
    >>> is_written_as_name([".", "Will", "it"], 1)
    False
    """
    word = words[at]
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if len(word) > 1 and word.isupper():
        return not (_is_all_capitals(before) or _is_all_capitals(after)) or before.islower() or after.islower()
    return word[0].isupper() and before.islower()


def _is_all_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def is_unspaced_writing(word: str) -> bool:
    """Return whether all letters of a word are of such writing.

    >>> is_unspaced_writing("mill"), is_unspaced_writing("堤坝")
    (False, True)
    """
    return not word.isascii() and all(part.group(1) for part in _PART.finditer(word))


def split_letter_pairs(word: str) -> list[str]:
    """Return the pairs of neighbouring letters of a run of such writing; other words are returned whole.

    A single letter stays alone.

    >>> split_letter_pairs("mill"), split_letter_pairs("新的堤坝"), split_letter_pairs("usb接口")
    (['mill'], ['新的', '的堤', '堤坝'], ['usb', '接口'])
    """
    if word.isascii():
        return [word]
    found: list[str] = []
    for part in _PART.finditer(word):
        run = part.group(1)
        found.extend(pair_letters(run) if run else [part.group()])
    return found


def pair_letters(run: str) -> list[str]:
    """Return the pairs of neighbouring letters of a run; a single letter stays alone.

    >>> pair_letters("堤坝新"), pair_letters("坝")
    (['堤坝', '坝新'], ['坝'])
    """
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
