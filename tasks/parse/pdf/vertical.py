"""Vertical writing: Chinese and Japanese in columns from right to left, each read from top to bottom.

Programs place its characters one by one, or in a font for vertical writing: both look like the rows of a table.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, grown, holds, overlap, union
from tasks.parse.layout.lines import most
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

LETTER = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
ALONE = re.compile(r"[\u2014-\u2026\u3000-\u30ff\ufe10-\ufe4f\uff00-\uffef\u3007]|\w\w?|\W")
"""What may stand in a column beside letters: punctuation, and up to two figures or Latin letters side by side."""
SAME_COLUMN = 0.35
"""Largest distance between the middles of characters in a column, in type sizes."""
IN_CORNER = 0.6
"""Largest distance of a mark or a figure from the middle of the column, in type sizes."""
DENSE = 1.45
"""Largest distance from one character of a column to the next, in type sizes: rows of tables are farther apart."""
WIDER = 1.1
"""Least distance from one column to the next, by that from one character to the next; at equal distances lines run across."""
FARTHEST = 4.0
"""Largest distance from one column to the next, in type sizes."""
FEWEST = 5
"""Fewest characters of a column that shows that a page has them."""
INDENT = 0.7
"""Least indent of a column that begins a paragraph, in type sizes."""
ROOM = 1.5
"""Least space below a column that ends one, in type sizes."""
HEADING = 1.2
"""Least size of the type of a heading, in usual sizes."""
ENDS = "\u3002\uff0e\uff01\uff1f.!?\u300d\u300f\uff09"


class Column(NamedTuple):
    """Words below each other that are read as one."""

    box: Box
    text: str
    size: float
    words: tuple[Word, ...]

    @property
    def x(self) -> float:
        """Return the x of its middle."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def pitch(self) -> float:
        """Return the distance from one character to the next, in points."""
        return (self.box[3] - self.box[1]) / len(self.text)


def vertical_regions(words: list[Word]) -> tuple[list[Region], list[Word]]:
    """Return the paragraphs and headings of a page that are written in columns, in reading order, and the other words.

    The box of a region is that of all columns that are read together, so that these stay in their order.
    """
    if not LETTER.search("".join([word.text for word in words])):
        return [], words
    members = [word for word in words if ALONE.fullmatch(word.text) or _is_tall(word)]
    if sum(bool(LETTER.search(word.text)) for word in members) < FEWEST:
        return [], words
    columns = _columns(members)
    sure = [column for column in columns if len(column.text) >= FEWEST and LETTER.search(column.text)]
    sure = [column for column in sure if any(_is_beside(column, other) for other in sure)]
    if len(sure) < 2:  # a tall cell of a table is one
        return [], words
    size = most((column.size, len(column.text)) for column in sure)
    tiers = _tiers(sure)
    for column in columns:
        tier = next((tier for tier in tiers if column not in sure and _belongs(column, tier, size)), None)
        if tier is not None:
            tier.append(column)
    taken = {id(word) for tier in tiers for column in tier for word in column.words}
    return [region for tier in tiers for region in _regions(tier, size)], [word for word in words if id(word) not in taken]


def _is_tall(word: Word) -> bool:
    """Return whether a word is a piece of a column in a font for vertical writing."""
    x0, y0, x1, y1 = word.box
    return len(word.text) > 1 and bool(LETTER.search(word.text)) and y1 - y0 > (x1 - x0) * len(word.text) / 2


def _columns(members: Iterable[Word]) -> list[Column]:
    """Return runs of words of one middle that follow each other closely, from top to bottom."""
    runs: list[list[Word]] = []
    for word in sorted(members, key=lambda word: word.box[1] + word.box[3]):
        run = next((run for run in reversed(runs) if _follows(run, word)), None)
        if run is None:
            runs.append([word])
        else:
            run.append(word)
    return [_column(run) for run in runs]


def _follows(run: Sequence[Word], word: Word) -> bool:
    """Return whether a word is the next one of a run. Marks of horizontal fonts stand in a corner of their places."""
    above = run[-1]
    size = max(above.size, word.size)
    letter = next((other for other in reversed(run) if LETTER.search(other.text)), above)
    x, other_x = centre(letter.box)[0], centre(word.box)[0]
    reach = SAME_COLUMN if LETTER.search(word.text) and LETTER.search(letter.text) else IN_CORNER
    halves = (len(above.text) * _tall(above) + len(word.text) * _tall(word)) / 2
    return abs(x - other_x) <= reach * size and 0 < _down(above, word) <= DENSE * size * max(1.0, halves)


def _down(above: Word, below: Word) -> float:
    """Return how far a word stands below another, measured where the font places them: ink may be anywhere there."""
    if above.base is not None and below.base is not None:
        return below.base - above.base
    return centre(below.box)[1] - centre(above.box)[1]


def _tall(word: Word) -> float:
    return 1.0 if _is_tall(word) else 1 / len(word.text)


def _column(run: Sequence[Word]) -> Column:
    size = most((word.size, len(word.text)) for word in run)
    return Column(union(word.box for word in run), "".join(map(_text, run)), size, tuple(run))


def _text(word: Word) -> str:
    """Return the text of a word, its marks for vertical writing as the usual ones."""
    return "".join(unicodedata.normalize("NFKC", c) if "\ufe10" <= c <= "\ufe4f" else c for c in word.text)


def _is_beside(column: Column, other: Column) -> bool:
    """Return whether two columns stand side by side, farther from each other than their characters are."""
    size = max(column.size, other.size)
    apart = abs(column.x - other.x)
    level = overlap(column.box[1], column.box[3], other.box[1], other.box[3]) > 0.5
    return level and WIDER * max(column.pitch, other.pitch) <= apart <= FARTHEST * size


def _tiers(columns: Sequence[Column]) -> list[list[Column]]:
    """Return columns in tiers, from the top: those of one share heights."""
    tiers: list[list[Column]] = []
    end = float("-inf")
    for column in sorted(columns, key=lambda column: column.box[1]):
        if column.box[1] > end - column.size / 2:
            tiers.append([])
        tiers[-1].append(column)
        end = max(end, column.box[3])
    return tiers


def _belongs(column: Column, tier: Sequence[Column], size: float) -> bool:
    """Return whether a short column stands among, above or below those of a tier, or beside them where the next would."""
    area = grown(union(other.box for other in tier), FARTHEST * size, size)
    if not holds(area, centre(column.box)):
        return False
    top, bottom = min(other.box[1] for other in tier), max(other.box[3] for other in tier)
    within = any(abs(column.x - other.x) <= SAME_COLUMN * size for other in tier)
    return within or (bool(LETTER.search(column.text)) and top - size <= column.box[1] and column.box[3] <= bottom + size)


def _regions(tier: Sequence[Column], size: float) -> Iterator[Region]:
    """Yield the paragraphs of a tier, from the right; each is one word, which has no spaces."""
    box = union(column.box for column in tier)
    ordered = sorted(tier, key=lambda column: (-round(column.x / size), column.box[1]))
    starts = [0, *(n for n, (a, b) in enumerate(pairwise(ordered), 1) if _begins(a, b, box, size)), len(ordered)]
    for start, end in pairwise(starts):
        part = ordered[start:end]
        first = part[0].words[0]
        whole = first._replace(box=union(column.box for column in part), text="".join(column.text for column in part), turn=0)
        kind = "heading" if all(column.size >= HEADING * size for column in part) else "paragraph"
        yield Region(box, kind, words=[whole._replace(size=part[0].size, shifts="")])


def _begins(before: Column, column: Column, box: Box, size: float) -> bool:
    """Return whether a column begins a paragraph: it is indented or of another size, or the one before ends early."""
    if (column.size >= HEADING * size) != (before.size >= HEADING * size):
        return True
    if abs(column.x - before.x) <= SAME_COLUMN * size:
        return False
    indented = box[1] + INDENT * size <= column.box[1] <= box[1] + 3 * size and before.box[1] < column.box[1] - INDENT * size
    return indented or (before.box[3] < box[3] - ROOM * size and before.text.endswith(tuple(ENDS)))
