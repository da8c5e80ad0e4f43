"""Numbers of lists and headings in Open Document text, which their styles give and the text does not hold."""

from collections.abc import Iterable
from typing import NamedTuple

from tasks.parse.office.open_document import STYLES, TEXT, local_name
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.web.numerals import numeral

_FORMATS = {
    "1": "decimal",
    "01, 02, 03, ...": "decimalZero",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
}
OUTLINE = ""
"""The name of the style that numbers headings."""
LEVELS = 10


class LevelStyle(NamedTuple):
    """How items of a level are numbered: the kind of numerals, what stands around them, the first, and how many levels show."""

    kind: str
    before: str
    after: str
    start: int
    n_shown: int


class OpenNumbering:
    """Counts the items of lists and the headings of one document."""

    def __init__(self, styles: Iterable[XmlElement]) -> None:
        """`styles` are those of lists, and that of the outline."""
        self._styles = {_name_of(style): _read_levels(style) for style in styles}
        self._counts: dict[str, list[int | None]] = {}

    def restart(self, style: str) -> None:
        """Begin a list anew."""
        self._counts[style] = [None] * LEVELS

    def label(self, style: str, level: int, start: int | None = None) -> str:
        """Return the label of the next item of `level`, counted from 1, with a space behind it; "" if it has no number."""
        levels = self._styles.get(style, {})
        found = levels.get(level)
        if found is None or not 1 <= level <= LEVELS:
            return ""
        counts = self._counts.setdefault(style, [None] * LEVELS)
        before = counts[level - 1]
        counts[level - 1] = start if start is not None else found.start if before is None else before + 1
        counts[level:] = [None] * (LEVELS - level)
        first = max(1, level - found.n_shown + 1)
        shown = [_numeral(levels.get(n), counts[n - 1]) for n in range(first, level + 1)]
        return f"{found.before}{'.'.join(filter(None, shown))}{found.after} " if shown[-1] else ""


def _numeral(style: LevelStyle | None, count: int | None) -> str:
    """Return a number as its level shows it, the first one if there was none; "" of a level that shows none."""
    if style is None or not style.kind:
        return ""
    return numeral(style.start if count is None else count, _FORMATS.get(style.kind, "decimal"))


def _name_of(style: XmlElement) -> str:
    return OUTLINE if local_name(style) == "outline-style" else style.get(f"{STYLES}name") or ""


def _read_levels(style: XmlElement) -> dict[int, LevelStyle]:
    return {number(node.get(f"{TEXT}level"), 1): _read_level(node) for node in style}


def _read_level(node: XmlElement) -> LevelStyle:
    """Return the style of a level; that of a bullet has no numerals."""
    before, after = (node.get(f"{STYLES}num-{side}") or "" for side in ("prefix", "suffix"))
    start, n_shown = (number(node.get(f"{TEXT}{name}"), 1) for name in ("start-value", "display-levels"))
    return LevelStyle(node.get(f"{STYLES}num-format") or "", before, after, start, max(1, n_shown))
