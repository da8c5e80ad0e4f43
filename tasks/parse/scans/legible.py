"""Legible text: whether the characters of a page's text layer are those that a reader sees."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Literal

MAX_GARBLED = 0.3
"""Text with a larger share of unreadable characters counts as garbled."""
USELESS = 0.5
"""Text with at least this share of unreadable characters is dropped, even if there is no other text."""
MIN_PAIRS = 100
"""Fewest pairs of letters from which the language of a text can be judged."""
MIN_COMMON = 0.2
"""Smallest share of common letter pairs in a text, without accents. Prose in Latin letters has 0.3 to 0.65, wrongly encoded
text 0 to 0.2."""
MAX_ACCENTED = 0.5
"""Largest share of Latin-1 letters outside ASCII. Vietnamese, which has the most accents, has fewer; other scripts that are
decoded as Latin-1 consist of them."""
MIN_SHARED = 0.3
"""A text layer is right if OCR also finds at least this share of its words."""

_COMMON = set(
    "er en in an re te es on de at st nt ti ar al or is it he th ra la ou se le ed nd to ne me ro li ri as ma sa "
    "ta si ch co no ic io ur us el ve di un em am ka ke ak ni na ng ia aa ai ei ie da ha".split()
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_OTHERS = re.compile(r"[^\x00-\x7f]+")


def garbled_share(text: str) -> float:
    """Return the share of unreadable characters, in [0, 1]; 0 for a text without characters.

    They are replacement, private-use, control and unassigned characters: the result of a font without a usable encoding.
    """
    visible = {character: n for character, n in Counter(text).items() if not character.isspace()}
    bad = sum(n for character, n in visible.items() if is_garbled(character))
    return bad / sum(visible.values()) if visible else 0.0


@lru_cache(maxsize=4096)
def is_garbled(character: str) -> bool:
    """Return whether a character is none that a reader sees: replacement, private-use, control or unassigned."""
    return unicodedata.category(character) in ("Co", "Cc", "Cn", "Cs") or character == "\ufffd"


def is_doubtful(text: str) -> bool:
    """Return whether a text in Latin letters has letter pairs as in no language that uses them.

    The cause may be a font with shifted or shuffled codes, or another script decoded as Latin-1. Lists of codes look the same, so
    a doubtful page needs a check by OCR. Texts in other scripts, formulas and short texts are never doubtful.
    """
    letters = {character: n for character, n in Counter(text).items() if character.isalpha()}
    latin = sum(n for character, n in letters.items() if _is_latin(character))
    if latin < MIN_PAIRS or latin * 2 < sum(letters.values()):
        return False
    accented = sum(n for character, n in letters.items() if "\u0080" <= character < "\u0100")
    return accented > MAX_ACCENTED * latin or _common_share(text) < MIN_COMMON


def is_bad(text: str) -> bool:
    """Return whether the text is garbled or doubtful."""
    return garbled_share(text) > MAX_GARBLED or is_doubtful(text)


def better_text(layer: str, seen: str, strength: float) -> Literal["layer", "doubtful layer", "scan", "none"]:
    """Return which text of a page to use: its text `layer`, or what OCR has `seen`. Both may be empty.

    `strength` is the number of letters and digits that OCR read, weighted by confidence. A good layer is here because it has
    too little text for its page; OCR finds the rest. A bad layer is kept if OCR finds less than half as many letters.
    """
    if not is_bad(layer):
        return "scan" if seen else "layer" if layer else "none"
    if garbled_share(layer) <= MAX_GARBLED and agrees(layer, seen):
        return "layer"
    if strength * 2 >= sum(map(str.isalnum, layer)) and seen:
        return "scan"
    return "doubtful layer" if garbled_share(layer) < USELESS else "none"


def _common_share(text: str) -> float:
    """Return the share of pairs of neighbouring Latin letters that are frequent in many languages; 1 if there are too few."""
    pairs = {a + b: n for (a, b), n in Counter(pairwise(without_accents(text))).items() if _is_latin(a) and _is_latin(b)}
    n_pairs = sum(pairs.values())
    return sum(n for pair, n in pairs.items() if pair in _COMMON) / n_pairs if n_pairs >= MIN_PAIRS else 1.0


def _is_latin(character: str) -> bool:
    return character < "\u0250" and character.isalpha()


def agrees(text: str, seen: str) -> bool:
    """Return whether `seen`, what OCR reads on a page, shares words with the page's `text`, whose letters are then right."""
    words, others = _words(text), _words(seen)
    return bool(words) and len(words & others) >= MIN_SHARED * len(words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(without_accents(text)))


def without_accents(text: str) -> str:
    """Return a text in small letters without accents."""
    small = text.lower()
    return small if small.isascii() else _OTHERS.sub(_without_combining, unicodedata.normalize("NFD", small))


def _without_combining(characters: re.Match[str]) -> str:
    return "".join(c for c in characters[0] if not unicodedata.combining(c))
