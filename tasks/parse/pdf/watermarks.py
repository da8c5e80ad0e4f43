"""Watermarks: large words across the text of a page, and small ones printed aslant again and again, are no part of its text."""

from collections import Counter
from collections.abc import Sequence

from tasks.parse.layout.geometry import centre, grown, holds
from tasks.parse.layout.lines import most, text_of
from tasks.parse.layout.words import Word, by_line

LARGE = 2.0
"""Least size of the type of a watermark, in sizes of the page's usual type."""
AGAIN = 3
"""How often small words aslant are on the page: the names of a chart's ticks differ."""
CORE = 0.25
"""Share of the height of a line, at its top and bottom, that its capitals leave free."""
FEWEST, LARGEST_SHARE = 100, 0.25
"""Fewest characters of a page that may have a watermark, and largest share of them in it: a poster's words are its text."""


def watermarks(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each line of a page that is a watermark."""
    if not words or not _may_have(words):
        return []
    size = most((word.size, len(word.text)) for word in words)
    lines = by_line(words)
    texts = Counter(text_of(line) for line in lines if _is_aslant(line[0]))
    marks = [line for line in lines if _is_mark(line, words, size, texts)]
    n_marked, n = (sum(len(word.text) for word in some) for some in ([word for line in marks for word in line], words))
    return marks if n >= FEWEST and n_marked <= LARGEST_SHARE * n else []


def _may_have(words: Sequence[Word]) -> bool:
    """Return whether there are words aslant, or larger than others: on most pages of text there are none to look at."""
    sizes, turns = {word.size for word in words}, {word.turn for word in words}
    return any(turn % 90 for turn in turns) or max(sizes) >= LARGE * min(sizes)


def _is_aslant(word: Word) -> bool:
    return word.turn % 90 != 0


def _is_mark(line: Sequence[Word], words: Sequence[Word], size: float, texts: Counter[str]) -> bool:
    if all(word.size >= LARGE * size for word in line):
        return _is_aslant(line[0]) or sum(_crossed(word, words) for word in line) > 1  # titles and initials stand beside text
    return _is_aslant(line[0]) and texts[text_of(line)] >= AGAIN


def _crossed(word: Word, words: Sequence[Word]) -> int:
    """Return how many words of smaller type have their middle within the letters of a word."""
    x0, y0, x1, y1 = word.box
    core = grown(word.box, 0, -CORE * (y1 - y0)) if word.turn in (0, 180) else grown(word.box, -CORE * (x1 - x0), 0)
    return sum(other.size * LARGE <= word.size and holds(core, centre(other.box)) for other in words)
