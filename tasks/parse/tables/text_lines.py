"""Lines of a table: its words by height, whatever lines the PDF has."""

from collections.abc import Sequence

from tasks.parse.layout.geometry import overlap
from tasks.parse.layout.words import Word


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each height, top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word[0][1] + word[0][3]):
        if lines and _is_beside(word, lines[-1][0]):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _is_beside(word: Word, other: Word) -> bool:
    """Tell whether words stand at one height: a comma by itself is lower than most, but on the line that they stand on."""
    if word.base is not None and word.base == other.base:
        return True
    return overlap(word.box[1], word.box[3], other.box[1], other.box[3]) > 0.5
