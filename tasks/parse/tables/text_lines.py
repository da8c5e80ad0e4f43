"""Lines of a table: its words by height, whatever lines the PDF has."""

from collections.abc import Sequence

from tasks.parse.layout.geometry import overlap
from tasks.parse.layout.words import Word


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each height, top to bottom. A comma by itself is low, but on the line that the others stand on."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word[0][1] + word[0][3]):
        first = lines[-1][0] if lines else None
        if first and (
            (word.base == first.base and word.base is not None)
            or overlap(word.box[1], word.box[3], first.box[1], first.box[3]) > 0.5
        ):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines
