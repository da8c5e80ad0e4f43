"""Accents printed as characters of their own, as TeX does with its old fonts, joined to the letters below or above them."""

import unicodedata
from collections.abc import Sequence

from tasks.parse.layout.geometry import Box, overlap

COMBINING = {
    "\u00a8": "\u0308",
    "\u00af": "\u0304",
    "\u00b4": "\u0301",
    "\u00b8": "\u0327",
    "\u02c6": "\u0302",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u02da": "\u030a",
    "\u02dc": "\u0303",
    "\u02dd": "\u030b",
}
"""Spacing accents with the combining ones. Those of ASCII are left out: they are printed for themselves."""
AT_ONE_PLACE = 0.5
"""Smallest share of the narrower of accent and letter that is in the other. An apostrophe stands beside its letter."""

Character = tuple[str, Box]


def has_accents(text: str) -> bool:
    """Return whether `text` has a spacing accent."""
    return not text.isascii() and any(accent in text for accent in COMBINING)


def with_accents(characters: Sequence[Character]) -> list[Character | None]:
    """Return the characters of a line, a letter with its accent in the place of the letter, None in the place of the accent."""
    found: list[Character | None] = list(characters)
    for at, (accent, place) in enumerate(characters):
        for other in (at + 1, at - 1) if accent in COMBINING else ():
            letter = found[other] if 0 <= other < len(found) else None
            if letter and overlap(place[0], place[2], letter[1][0], letter[1][2]) >= AT_ONE_PLACE:
                whole = unicodedata.normalize("NFC", letter[0] + COMBINING[accent])
                if len(whole) == 1:
                    found[other], found[at] = (whole, letter[1]), None
                    break
    return found
