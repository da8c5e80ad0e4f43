"""Signs: the bullets, ticks and arrows that fonts of signs show for letters, and the letter that Word sets as a bullet."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.words import Word
from tasks.parse.symbols import in_font

_FONT = re.compile(r"(?:[A-Z]{6}\+)?(wingdings|webdings|zapfdingbats)[ -]?([23]?)", re.IGNORECASE)
_CIRCLE = "\u25cb"
LEVEL = 0.5
"""Largest difference between the heights of words that stand on one line, in points."""


def with_signs(words: Sequence[Word]) -> list[Word]:
    """Return words as readers see them: those in fonts of signs, and an o that begins a line in type that the rest has not."""
    fonts = {font: name for font in {word.font for word in words} if (name := name_sign_font(font))}
    found = [_signed(word, fonts.get(word.font, "")) for word in words] if fonts else list(words)
    for n, (word, after) in enumerate(pairwise(words)):
        begins = n == 0 or words[n - 1].line != word.line
        if word.text == "o" and word.mono and not after.mono and begins and _follows(word, after):
            found[n] = word._replace(text=_CIRCLE, mono=False)
    return found


def name_sign_font(font: str) -> str:
    """Return the name of a font of signs as `in_font` takes it; "" for another font.

    >>> name_sign_font("ABCDEF+Wingdings-Regular"), name_sign_font("Wingdings3"), name_sign_font("Arial")
    ('wingdings', 'wingdings 3', '')
    """
    found = _FONT.match(font)
    return f"{found[1].lower()} {found[2]}".strip() if found else ""


def _signed(word: Word, font: str) -> Word:
    """Return a word in a font of signs; one that Unicode lacks stays as it is."""
    text = in_font(font, word.text) if font else ""
    return word._replace(text=text, shifts="") if text else word


def _follows(word: Word, after: Word) -> bool:
    same = word.base is not None and after.base is not None and abs(word.base - after.base) < LEVEL
    return same and after.box[0] > word.box[2]
