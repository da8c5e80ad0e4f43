"""Lines of words in a figure, with their positions in its picture, in pixels from the top left."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schemas.records import FigureWord
from tasks.parse.layout.geometry import Box, area, as_struct, common, overlap, union
from tasks.parse.layout.prose import clean
from tasks.parse.layout.words import RAISED, Word

SPACE, WIDEST_SPACE = 0.75, 1.0
"""Usual and largest gap between two words of a line, in type sizes."""
FEW = 0.1
"""Largest share of upright lines in a sideways figure."""
COVERED = 0.5
"""A line that OCR read is already known if known lines cover at least this share of it."""
SAME_SIZE = 1.15
"""Type sizes with a smaller ratio are the same."""
_THOUSANDS = re.compile(r"\d{1,3}( \d{3})+")
_DIGITS = re.compile(r"\W?\W?\d[\d.,]*\W?")


class FigureLine(NamedTuple):
    """Adjacent words, their type size, and their rotation to the left in degrees."""

    text: str
    box: Box
    size: float
    turn: int = 0

    @property
    def x(self) -> float:
        """Return the x of its middle, from the left."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        """Return the y of its middle, from the top."""
        return (self.box[1] + self.box[3]) / 2


def words_on(words: Sequence[Word], scale: float, corner: tuple[int, int]) -> list[FigureWord]:
    """Return `words` as values of `schemas.staged.FIGURE_WORD`, on a picture with `scale` pixels per point.

    `corner` is the picture's top left, in pixels of the page.
    """
    return [_word_on(word, scale, corner) for word in words]


def _word_on(word: Word, scale: float, corner: tuple[int, int]) -> FigureWord:
    left, top = corner
    x0, y0, x1, y1 = (value * scale for value in word.box)
    end = len(word.shifts.rstrip(RAISED))
    text = f"{word.text[:end]}^{word.text[end:]}" if 0 < end < len(word.text) else word.text
    box = as_struct((x0 - left, y0 - top, x1 - left, y1 - top))
    return {"text": clean(text), **box, "size": word.size * scale, "turn": word.turn, "line": word.line}


def lines_on(words: Iterable[FigureWord], scale: float = 1.0) -> list[FigureLine]:
    """Return the lines of values of `schemas.staged.FIGURE_WORD`, enlarged by `scale`."""
    by_line: dict[tuple[int, int], list[FigureLine]] = defaultdict(list)
    for word in words:
        box = word["x0"] * scale, word["y0"] * scale, word["x1"] * scale, word["y1"] * scale
        by_line[word["line"], word["turn"]].append(FigureLine(word["text"], box, word["size"] * scale, word["turn"]))
    return lines_of(by_line.values())


def lines_of(found: Iterable[Sequence[FigureLine]]) -> list[FigureLine]:
    """Return lines from lists of words. The ticks of an axis become separate lines even if they were found in one line."""
    return [_joined(part) for line in found for part in _parts(line)]


def side_by_side(lines: Sequence[FigureLine]) -> list[FigureLine]:
    """Return the lines, with lines joined that are beside each other with only a space between them."""
    found: list[FigureLine] = []
    for line in sorted(lines, key=lambda line: line.box[0]):
        before = next((n for n, other in enumerate(found) if _goes_on(other, line)), None)
        if before is None:
            found.append(line)
        else:
            found[before] = _joined([found[before], line])
    return sorted(found, key=lambda line: line.box[1])


def _goes_on(before: FigureLine, after: FigureLine) -> bool:
    near = -SPACE / 2 <= (after.box[0] - before.box[2]) / after.size <= SPACE
    level = overlap(before.box[1], before.box[3], after.box[1], after.box[3]) > 0.5
    return near and level and same_size(before, after) and not (_DIGITS.fullmatch(before.text) or _DIGITS.fullmatch(after.text))


def _parts(line: Sequence[FigureLine]) -> Iterator[list[FigureLine]]:
    """Cut a line at gaps wider than a space, or at every space if it contains only numbers."""
    part = [line[0]]
    for word in line[1:]:
        if _gap(part[-1], word) > WIDEST_SPACE * max(word.size, part[-1].size):
            yield from _numbers(part)
            part = []
        part.append(word)
    yield from _numbers(part)


def _numbers(part: list[FigureLine]) -> list[list[FigureLine]]:
    alone = all(_DIGITS.fullmatch(word.text) for word in part) and not _THOUSANDS.fullmatch(" ".join(word.text for word in part))
    return [[word] for word in part] if alone else [part]


def _gap(before: FigureLine, after: FigureLine) -> float:
    """Return the gap between two consecutive words on a line that runs to the right, up or down; else 0."""
    gaps = {0: after.box[0] - before.box[2], 90: before.box[1] - after.box[3], 270: after.box[1] - before.box[3]}
    return gaps.get(after.turn, 0.0)


def _joined(words: Sequence[FigureLine]) -> FigureLine:
    box, size = union(word.box for word in words), max(word.size for word in words)
    return FigureLine(" ".join(word.text for word in words), box, size, words[0].turn)


def text_of(lines: Iterable[FigureLine]) -> str:
    """Return the text of the lines, one below the other."""
    return clean("\n".join(line.text for line in lines))


def same_size(a: FigureLine, b: FigureLine) -> bool:
    """Return whether two lines have the same type size."""
    return max(a.size, b.size) <= SAME_SIZE * min(a.size, b.size)


def turned_upright(lines: Sequence[FigureLine], size: tuple[float, float]) -> tuple[list[FigureLine], tuple[float, float]]:
    """Return lines and size of a figure (width, height) turned by 90 degrees until most lines are upright, if hardly any is."""
    turns = Counter(line.turn for line in lines)
    turn = max(turns, key=lambda turn: turns[turn]) if turns[0] <= FEW * len(lines) else 0
    found = list(lines)
    for _ in range(turn // 90 if turn % 90 == 0 else 0):
        found = [_clockwise(line, size[1]) for line in found]
        size = size[1], size[0]
    return found, size


def _clockwise(line: FigureLine, height: float) -> FigureLine:
    x0, y0, x1, y1 = line.box
    return line._replace(box=(height - y1, x0, height - y0, x1), turn=(line.turn - 90) % 360)


def unsaid(read: Sequence[FigureLine], known: Sequence[FigureLine]) -> list[FigureLine]:
    """Return the lines that OCR read where there is no known line."""
    return [line for line in read if sum(area(common(line.box, other.box)) for other in known) < COVERED * area(line.box)]
