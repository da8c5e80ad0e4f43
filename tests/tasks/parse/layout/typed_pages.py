"""Lines of type on a page of 600 by 800 points, as words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.words import Word

PAGE: Box = (0.0, 0.0, 600.0, 800.0)
PROSE = "the wheel turns slowly in spring when the water of the upper pond is low and cold,"


class Typed(NamedTuple):
    """One line of type: its text, cut at spaces, and where its first word begins."""

    text: str
    y: float
    x: float = 60.0
    size: float = 10.0
    mono: bool = False
    bold: bool = False
    math: bool = False


def words_of(lines: Iterable[Typed]) -> list[Word]:
    """Set the lines with half a size of type a character; a tab in the text is a wide gap."""
    words = []
    for number, line in enumerate(lines):
        x = line.x
        for part in line.text.split(" "):
            x += 3 * line.size * part.count("\t")
            text = part.strip("\t")
            width = len(text) * line.size / 2
            box = (x, line.y, x + width, line.y + line.size)
            words.append(Word(box, text, number, number, line.size, line.mono, 0, line.bold, line.math))
            x += width + line.size / 4
    return words


def prose(n: int, y: float, x: float = 60.0) -> list[Typed]:
    """Return a paragraph of `n` lines from `y` on."""
    return [Typed(PROSE, y + 13 * k, x) for k in range(n)]


def shown(regions: Sequence[object]) -> list[str]:
    """Return the kinds of regions."""
    return [getattr(region, "kind", "") for region in regions]
