"""Glyphs without characters: letters that a page shows, and its text layer does not name."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby

from tasks.parse.layout.geometry import Box, overlap
from tasks.parse.layout.words import Word
from tasks.parse.scans.legible import is_garbled
from tasks.parse.scans.words import OcrWord

MOST = 4
"""Most letters that one glyph shows: no ligature has more."""
SURE = 0.6
"""Smallest confidence of a word that OCR reads in place of one of which no letter is known. Nonsense has up to 0.5."""


def unnamed_in(words: Sequence[Word]) -> list[Word]:
    """Return the words with letters that have no character; a sign alone only in a font of letters."""
    broken = [word for word in words if word.upright and any(map(is_garbled, word.text))]
    fonts = {word.font for word in words if sum(map(str.isalnum, word.text)) > 1} if broken else set()
    return [word for word in broken if len(word.text) > 1 or word.font in fonts]


def mended(text: str, seen: str) -> str | None:
    r"""Return a word with the letters that its glyphs show, by what OCR has `seen` there; None if the two do not agree.

    What the text layer names stays as it is. A word of which it names no letter is what was seen.

    >>> mended("o\ufffdce,", "office."), mended("\ufffd\ufffd", "we"), mended("o\ufffdce", "of ice cream")
    ('office,', 'we', None)
    """
    runs = [(unnamed, "".join(run)) for unnamed, run in groupby(text, is_garbled)]
    pattern = "".join(_pattern(run, unnamed) for unnamed, run in runs)
    found = re.fullmatch(pattern, _plain(seen), re.IGNORECASE)
    if not found:
        return None
    letters = iter(found.groups())
    return "".join(next(letters) if unnamed else run for unnamed, run in runs)


def seen_at(box: Box, words: Sequence[OcrWord], points: float) -> tuple[str, float]:
    """Return what OCR read where `box` is, and its least confidence; ("", 0) if nothing. A pixel is `points` wide."""
    found = []
    for word in words:
        x0, y0, x1, y1 = (edge * points for edge in word.box)
        if overlap(x0, x1, box[0], box[2]) > 0.5 and overlap(y0, y1, box[1], box[3]) > 0.5:
            found.append((x0, word))
    ordered = [word for _, word in sorted(found, key=lambda pair: pair[0])]
    return "".join(word.text for word in ordered), min((word.confidence for word in ordered), default=0.0)


def with_letters(words: Sequence[Word], read: Sequence[OcrWord], points: float) -> list[Word]:
    """Return the words of a page, those with unnamed letters as `read` by OCR, where that agrees with what is named."""
    letters = {id(word): _letters(word, *seen_at(word.box, read, points)) for word in unnamed_in(words)}
    return [word._replace(text=text) if (text := letters.get(id(word))) else word for word in words]


def _letters(word: Word, seen: str, confidence: float) -> str | None:
    """Return the text of a word by what was `seen`: letters or figures seen surely, if the text layer names none of its own."""
    named = any(character.isalnum() for character in word.text)
    sure = confidence >= SURE and any(map(str.isalnum, seen))
    return mended(word.text, seen) if seen and (named or sure) else None


def _pattern(run: str, unnamed: bool) -> str:
    """Return what a run of characters matches: unnamed ones a group; of others letters and digits count, signs may differ."""
    if unnamed:
        return f"(.{{{len(run)},{MOST * len(run)}}}?)"
    return "".join(re.escape(c) if c.isalnum() else ".?" for c in _plain(run))


def _plain(text: str) -> str:
    """Return `text` with ligatures as letters."""
    return unicodedata.normalize("NFKC", text)
