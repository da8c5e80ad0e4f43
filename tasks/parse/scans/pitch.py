"""Pitch: whether scanned words are in fixed-width type, whose words are as wide as their number of letters says."""

from collections import defaultdict
from collections.abc import Sequence

from tasks.parse.scans.words import ScannedWord

SIDES = 0.2
"""Width of the empty sides of a word's first and last letter together, by the width of a letter."""
MIN_WORD, MIN_LETTERS = 3, 8
"""Fewest letters of a word, and of the words of a line, from which its pitch can be told."""
MAX_ASTRAY = 0.2
"""Largest deviation of a word's width from what its letters say, by the width of a letter (root of the mean square of a line).

Of 1,600 lines of proportional type in 45 documents, half deviate by 0.47 and more; of 141 lines of fixed-width type, 98 in 100 by
less than 0.23. With the pitch, both are told apart in all lines of five and more words."""
NARROWEST, WIDEST = 0.56, 0.7
"""Width of a letter of fixed-width type, in type sizes. It is 0.6 in most; letters of text are 0.41 to 0.54 wide on average."""
MOSTLY = 0.6
"""Share of a paragraph's letters in lines of fixed-width type from which its short lines are taken for such too."""


def with_pitch(seen: Sequence[ScannedWord]) -> list[ScannedWord]:
    """Return words with those in lines of fixed-width type marked."""
    lines: dict[int, list[ScannedWord]] = defaultdict(list)
    for found in seen:
        lines[found.word.line].append(found)
    told = {number: _is_fixed(words) for number, words in lines.items()}
    letters: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for found in seen:
        if told[found.word.line] is not None:
            letters[found.word.block][bool(told[found.word.line])] += len(found.word.text)
    return [
        found._replace(word=found.word._replace(mono=_one(told[found.word.line], letters[found.word.block]))) for found in seen
    ]


def _one(told: bool | None, letters: Sequence[int]) -> bool:
    return told if told is not None else letters[1] > MOSTLY * sum(letters)


def _is_fixed(line: Sequence[ScannedWord]) -> bool | None:
    """Tell whether a line is in fixed-width type; None if it has too few letters."""
    words = [found.word for found in line if len(found.word.text) >= MIN_WORD]
    letters = sum(len(word.text) for word in words)
    if len(words) < 2 or letters < MIN_LETTERS:
        return None
    if not all(word.upright for word in words):
        return False
    pitch = sum(word.box[2] - word.box[0] for word in words) / (letters - SIDES * len(words))
    if not NARROWEST * words[0].size < pitch < WIDEST * words[0].size:
        return False
    astray = [((word.box[2] - word.box[0]) / pitch - len(word.text) + SIDES) ** 2 for word in words]
    return sum(astray) <= MAX_ASTRAY**2 * len(words)
