"""Annotations: values of form fields and texts of notes, put in the place of the words that show them."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds
from tasks.parse.layout.words import Word, words_in

CHECKED, UNCHECKED = "\u2612", "\u2610"
FIELD_TYPE = 0.7
"""Largest type size of a value, as a share of the height of its field."""
USUAL_SIZE = 10.0


class FieldValue(NamedTuple):
    """What a form field says, and its box. A check box or radio button says CHECKED or UNCHECKED."""

    box: Box
    text: str


class Note(NamedTuple):
    """The text of a note and its box: that of its mark, or of the text itself if it is `written` on the page."""

    box: Box
    text: str
    written: bool


def with_values(words: Sequence[Word], values: Sequence[FieldValue]) -> list[Word]:
    """Return the words of a page; where a field shows anything but its value, the words of its value are in their place.

    A field may show only part of a long text, all options of a list, or a letter of a font of symbols for a tick.
    """
    found, first = list(words), 1 + max((max(word.line, word.block) for word in words), default=0)
    for number, value in enumerate(values, first):
        shown = words_in(found, value.box)
        if "".join(word.text for word in shown) != "".join(value.text.split()):
            taken = set(shown)
            found = [word for word in found if word not in taken]
            found += _laid_out(value, shown or found, number)
    return found


def _laid_out(value: FieldValue, like: Sequence[Word], number: int) -> Iterator[Word]:
    """Yield the words of a value side by side in its field, each as wide as its share of the letters."""
    x0, y0, x1, y1 = value.box
    tokens = value.text.split()
    size = min(like[0].size if like else USUAL_SIZE, FIELD_TYPE * (y1 - y0))
    ends = list(accumulate(len(token) + 1 for token in tokens))
    for start, end, token in zip([0, *ends], ends, tokens, strict=False):
        left, right = (x0 + (x1 - x0) * at / ends[-1] for at in (start, end - 1))
        yield Word((left, y0, max(right, left + 1), y1), token, number, number, size)


def without_notes(words: Sequence[Word], notes: Sequence[Note]) -> list[Word]:
    """Return the words without those of notes that are written on the page."""
    written = [note for note in notes if note.written]
    return [word for word in words if not any(_shows(note, word) for note in written)]


def _shows(note: Note, word: Word) -> bool:
    return holds(note.box, centre(word.box)) and word.text in note.text


def news(notes: Sequence[Note], words: Sequence[Word]) -> list[Note]:
    """Return the notes that say more than the page: some programs keep the words that are marked as the text of the mark."""
    text = "".join(word.text for word in words)
    return [note for note in notes if note.written or "".join(note.text.split()) not in text]
