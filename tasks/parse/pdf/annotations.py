"""Annotations: values of form fields and texts of notes, put in the place of the words that show them."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds, overlap, union
from tasks.parse.layout.words import Word, words_in

CHECKED, UNCHECKED = "\u2612", "\u2610"
FIELD_TYPE = 0.7
"""Largest type size of a value, as a share of the height of its field."""
USUAL_SIZE = 10.0
USUAL_WIDTH = 0.55
"""Width of a letter of a value, in type sizes, where its field has room for it."""
BESIDE = 1.5
"""Largest distance of a check box from its label, in type sizes; one whose label asks for it may be farther to the right."""
ASKS = (":", "?", "..", "\u2026", "__")
"""Ends of labels that ask for what stands to their right."""
NO_BREAK = "\u00a0"


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
    return _with_labels(found, [word for word in found if word.line >= first and word.text in (CHECKED, UNCHECKED)])


def _with_labels(words: Sequence[Word], marks: Sequence[Word]) -> list[Word]:
    """Return the words with the mark of each check box in one word with its label, whatever is seen around it."""
    found = list(words)
    for mark in marks:
        row = [word for word in found if word is not mark and word.upright and overlap(*word.box[1::2], *mark.box[1::2]) > 0.5]
        before = max((word for word in row if word.box[0] < mark.box[0]), key=lambda word: word.box[2], default=None)
        after = min((word for word in row if word.box[0] > mark.box[0]), key=lambda word: word.box[0], default=None)
        label = _label(mark, before, after)
        if label:
            parts = (mark, label) if label is after else (label, mark)
            box = union(part.box for part in parts) if _gap(*parts) <= BESIDE * label.size else label.box
            found[found.index(label)] = label._replace(box=box, text=NO_BREAK.join(part.text for part in parts))
            found.remove(mark)
    return found


def _label(mark: Word, before: Word | None, after: Word | None) -> Word | None:
    """Return the nearest word beside a mark, or one far to the left that asks for it if no further mark follows; else None."""
    near = [word for word in (after, before) if word and not {CHECKED, UNCHECKED} & set(word.text)]
    gaps = {id(word): _gap(mark, word) if word is after else _gap(word, mark) for word in near}
    nearest = min((word for word in near if gaps[id(word)] <= BESIDE * word.size), key=lambda word: gaps[id(word)], default=None)
    if nearest or not before or not before.text.endswith(ASKS) or (after and after.text in (CHECKED, UNCHECKED)):
        return nearest
    return before


def _gap(left: Word, right: Word) -> float:
    return right.box[0] - left.box[2]


def _laid_out(value: FieldValue, like: Sequence[Word], number: int) -> Iterator[Word]:
    """Yield the words of a value side by side in its field, each as wide as its letters, or its share of the room."""
    x0, y0, x1, y1 = value.box
    tokens = value.text.split()
    size = min(like[0].size if like else USUAL_SIZE, FIELD_TYPE * (y1 - y0))
    ends = list(accumulate(len(token) + 1 for token in tokens))
    letter = min((x1 - x0) / ends[-1], USUAL_WIDTH * size)
    for start, end, token in zip([0, *ends], ends, tokens, strict=False):
        left, right = (x0 + letter * at for at in (start, end - 1))
        box = value.box if token in (CHECKED, UNCHECKED) else (left, y0, max(right, left + 1), y1)
        yield Word(box, token, number, number, size)


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
