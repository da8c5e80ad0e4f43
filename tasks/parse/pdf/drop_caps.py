"""Drop caps: large letters at the start of a paragraph, beside its first lines, joined to the word that they begin."""

from collections.abc import Iterable, Sequence

from tasks.parse.layout.lines import most
from tasks.parse.layout.words import Word

LARGE = 1.8
"""Smallest type size of a drop cap, as a multiple of the text's: it is as high as two lines or more."""
ALONE = ("A", "I", "O")
"""Letters that are words too."""


def with_drop_caps(words: Sequence[Word]) -> list[Word]:
    """Return the words, drop caps in the place where they are read: in the first line beside them."""
    if not any(_is_letter(word) for word in words):
        return list(words)
    body = most((word.size, len(word.text)) for word in words)
    found = list(words)
    for cap in [word for word in words if _is_letter(word) and word.size >= LARGE * body]:
        first = _first_beside(cap, words, body)
        if first is not None and first in found:
            at = found.index(first)
            found[at : at + 1] = _joined(cap, first, words)
            found.remove(cap)
    return found


def _is_letter(word: Word) -> bool:
    return len(word.text) == 1 and word.text.isupper() and word.upright


def _first_beside(cap: Word, words: Iterable[Word], body: float) -> Word | None:
    """Return the first word of the first line beside the letter, None unless several lines of text begin there."""
    beside: dict[int, Word] = {}
    for word in words:
        middle = (word.box[1] + word.box[3]) / 2
        gap = word.box[0] - cap.box[2]
        if word.size < cap.size / LARGE and cap.box[1] <= middle <= cap.box[3] and -body < gap <= body:
            beside.setdefault(word.line, word)
    rows = sorted(beside.values(), key=lambda word: word.box[1])
    return rows[0] if len(rows) > 1 else None


def _joined(cap: Word, first: Word, words: Iterable[Word]) -> list[Word]:
    """Return one word, or two if the letter is a word and what follows it is one elsewhere on the page."""
    if cap.text in ALONE and any(word.text.casefold() == first.text.casefold() for word in words if word is not first):
        return [first._replace(text=cap.text, box=(*first.box[:2], *first.box[:1], first.box[3])), first]
    return [first._replace(text=cap.text + first.text)]
