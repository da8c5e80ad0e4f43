"""Raised, lowered and struck characters as plain text: 10 to the 6th is not 106, and 45.6 with a mark not 45.61.

Digits and signs behind a letter become those that Unicode has for it, which full-text search takes for one word with it, as
people type it: CO₂ and CO2. Behind a digit, and where Unicode has none, they are written behind ^ or _: search folds 10⁶ into
106, and of 11 questions for powers of ten, with distractors, MiniLM ranked 10^6 right in 11, 10⁶ in 9.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby

SIGNS = "+-\N{MINUS SIGN}=()"
RAISED = dict(zip("0123456789" + SIGNS + "n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ", strict=True))
LOWERED = dict(zip("0123456789" + SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))
ORDINALS = frozenset("st nd rd th er re ère e ème o a os as º ª".split())
"""Endings in English, French, Spanish, Italian and Portuguese: written so where nothing can be raised, as in 19th and XXe."""
_NOT_ORDINAL = re.compile(r"[.,]\d+$|\d{3}$")
"""The end of a number behind which a single letter is the mark of a note: few people count to a hundred in words."""
MAX_RAISED = 24
"""Raised or lowered text of more characters is a line that stands off its place, not an exponent, an index or a mark."""
STRUCK = 2
"""The shift of text that is struck through, whether or not it is raised."""
MARKS = frozenset("tm sm ® © ™".split())


_FRACTION = re.compile("(\\d?)(?:\\^([0-9]+)|([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))[/\u2044]([\u2080-\u2089]+)")


def superscript(text: str, behind: str = "") -> str:
    """Return raised text as it is written behind what it belongs to, of which `behind` is the end.

    >>> superscript("6", "10"), superscript("-3", "10"), superscript("2", "km"), superscript("n+1")
    ('^6', '^(-3)', '²', 'ⁿ⁺¹')
    >>> superscript("th", "19"), superscript("a", "1"), superscript("a", "45.6")
    ('th', 'a', '^a')
    """
    return _written(text, behind, RAISED, "^")


def subscript(text: str, behind: str = "") -> str:
    """Return lowered text as it is written behind what it belongs to, of which `behind` is the end.

    >>> "H" + subscript("2", "H") + "O", "V" + subscript("max"), "x" + subscript("i, j"), "101" + subscript("2", "101")
    ('H₂O', 'V_max', 'x_(i, j)', '101_2')
    """
    return _written(text, behind, LOWERED, "_")


def struck(text: str) -> str:
    """Return text that is struck through as it is written: it no longer holds, but readers see it.

    >>> struck("40 ")
    '~~40~~ '
    """
    inner = text.strip()
    return text.replace(inner, f"~~{inner}~~", 1) if inner else text


def shifted_text(parts: Sequence[tuple[int, str]]) -> str:
    """Return pieces of text as one, with raised and lowered ones apart from what they follow, and struck ones marked.

    Each piece has its shift: 1 is raised, -1 is lowered, `STRUCK` is struck through. Where all words are shifted alike, none of
    them is raised.

    >>> shifted_text([(0, "10"), (1, "-"), (1, "6"), (0, " kg")]), shifted_text([(1, "all")]), shifted_text([(STRUCK, "all")])
    ('10^(-6) kg', 'all', '~~all~~')
    """
    if not any(shift for shift, _ in parts):
        return "".join(text for _, text in parts)
    shifts = {shift for shift, text in parts if text.strip()}
    if len(shifts) < 2 and STRUCK not in shifts:
        return "".join(text for _, text in parts)
    runs = [(shift, "".join(text for _, text in run)) for shift, run in groupby(parts, key=lambda part: part[0])]
    written = ""
    for shift, text in runs:
        if shift == STRUCK:
            written += struck(text)
        elif not shift or len(text.strip()) > MAX_RAISED:
            written += text
        else:
            written += (superscript if shift > 0 else subscript)(text, written)
    return with_fractions(written)


def with_fractions(text: str) -> str:
    """Return `text` with fractions of raised and lowered digits in ordinary ones, apart from a number before them.

    >>> with_fractions("2^1/₂ cups, ³/₄ full")
    '2 1/2 cups, 3/4 full'
    """
    return text if text.isascii() else _FRACTION.sub(_fraction, text)


def _fraction(found: re.Match[str]) -> str:
    above, below = (unicodedata.normalize("NFKC", part) for part in (found[2] or found[3], found[4]))
    return f"{found[1]} {above}/{below}" if found[1] else f"{above}/{below}"


def _written(text: str, behind: str, characters: dict[str, str], mark: str) -> str:
    inner = text.strip()
    if not any(map(str.isalnum, inner)) or inner.casefold() in MARKS:
        return text
    if inner.casefold() in ORDINALS and not (len(inner) == 1 and _NOT_ORDINAL.search(behind)):
        return text
    if all(letter in characters for letter in inner) and not behind[-1:].isdecimal():
        written = "".join(characters[letter] for letter in inner)
    else:
        written = mark + (inner if inner.isalnum() else f"({inner})")
    return text.replace(inner, written, 1)
