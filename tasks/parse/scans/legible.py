"""Legible text: whether the characters of a page's text layer are what a reader sees on it."""

import re
import unicodedata
from itertools import pairwise
from typing import Literal

MAX_GARBLED = 0.3
"""Text of which a larger share cannot be read by anyone is no text."""
USELESS = 0.5
"""Share from which on such text is not worth keeping, even if there is no other."""
MIN_PAIRS = 100
"""Pairs of letters without which nothing can be said of a text's language."""
MIN_COMMON = 0.2
"""Smallest share of common pairs in a text, accents aside. Prose in Latin letters has 0.3 to 0.65, letters that stand for
others 0 to 0.2."""
MAX_ACCENTED = 0.5
"""Letters beyond ASCII that Latin-1 knows. Vietnamese, the most accented of all languages, has less of them, whereas other
scripts read as Latin-1 consist of them."""
MIN_SHARED = 0.3
"""Share of a text layer's words that OCR finds as well, from which on the layer tells what is on the page."""

_COMMON = set(
    "er en in an re te es on de at st nt ti ar al or is it he th ra la ou se le ed nd to ne me ro li ri as ma sa "
    "ta si ch co no ic io ur us el ve di un em am ka ke ak ni na ng ia aa ai ei ie da ha".split()
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def garbled_share(text: str) -> float:
    """Return the share of characters that no reader can make sense of, in [0, 1]; 0 for a text without characters.

    They are replacement, private-use, control and unassigned characters: what a font without a usable encoding leaves.
    """
    visible = [character for character in text if not character.isspace()]
    bad = sum(unicodedata.category(c) in ("Co", "Cc", "Cn", "Cs") or c == "\ufffd" for c in visible)
    return bad / len(visible) if visible else 0.0


def is_doubtful(text: str) -> bool:
    """Tell whether letters stand in it as in no language written in Latin letters, though most of it are such.

    So look fonts whose codes are shifted or shuffled, and other scripts taken for Latin-1. Lists of codes do, too: a doubt
    needs a look at the page. Texts in other scripts, formulas and short texts are in no doubt.
    """
    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if latin < MIN_PAIRS or latin * 2 < len(letters):
        return False
    accented = sum("\u0080" <= character < "\u0100" for character in letters)
    return accented > MAX_ACCENTED * latin or _common_share(text) < MIN_COMMON


def is_bad(text: str) -> bool:
    """Tell whether the text is garbled or doubtful."""
    return garbled_share(text) > MAX_GARBLED or is_doubtful(text)


def better_text(layer: str, seen: str, strength: float) -> Literal["layer", "doubtful layer", "scan", "none"]:
    """Return which text of a page to take: its text `layer`, or what OCR has `seen`, both perhaps empty.

    `strength` is the number of letters and digits that OCR read, each counted by its confidence. Beside a good layer, which
    has too little text for its page, OCR finds the rest of it. A bad one is kept if OCR finds less than half of its letters.
    """
    if not is_bad(layer):
        return "scan" if seen else "layer" if layer else "none"
    if garbled_share(layer) <= MAX_GARBLED and agrees(layer, seen):
        return "layer"
    if strength * 2 >= sum(map(str.isalnum, layer)) and seen:
        return "scan"
    return "doubtful layer" if garbled_share(layer) < USELESS else "none"


def _common_share(text: str) -> float:
    """Return the share of pairs of neighbouring letters that are frequent in many languages; 1 for too few pairs."""
    pairs = [a + b for a, b in pairwise(_plain(text)) if a.isalpha() and b.isalpha()]
    return sum(pair in _COMMON for pair in pairs) / len(pairs) if len(pairs) >= MIN_PAIRS else 1.0


def agrees(text: str, seen: str) -> bool:
    """Tell whether `seen`, what OCR reads on a page, shares words with the page's `text`: then its letters are right."""
    words, others = _words(text), _words(seen)
    return bool(words) and len(words & others) >= MIN_SHARED * len(words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    """Return `text` in small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
