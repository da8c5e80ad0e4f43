"""Labels: bold lines in the text that the layout model takes for headings, such as the names of options, functions and fields."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.kinds.headings import text_of
from tasks.parse.kinds.set_as_text import faces_of_headings, text_type
from tasks.parse.kinds.terms import APART, LEAST, MOST
from tasks.parse.kinds.thresholds import NO_LARGER
from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.regions import PROSE, Region

SLACK = 0.1
"""Least difference of the spaces above and below a heading, in type sizes."""
FIELD_WORDS = 2
"""Most words of the name of a field, which ends with a colon."""
NOTES = frozenset(
    """note tip hint warning caution important attention danger hinweis tipp warnung achtung vorsicht remarque astuce nota consejo
    avertissement advertencia примечание внимание 注意 注 提示 警告""".split()
)
"""What stands alone above a note or a warning in a text."""
_OPTION = re.compile(r"^[-\u2013]{1,2}\w")
_CALL = re.compile(r"^[\w.:+-]+\(.*\)")


def without_labels(regions: Sequence[Region], body: float | None) -> list[Region]:
    """Return the regions of a page, in reading order, its headings that are labels in the text as paragraphs.

    They are no larger than the text and have no number, but for a word such as `Note`. A heading is nearer to the text below it
    than to that above it, begins no sentence in the middle, is no option, no call of a function, is not on the page twice, not
    even up to a colon, and does not name the field that stands below it, indented. The lines of scans, which have no fonts, are
    too coarse for the first of these. In the face of a larger heading, unlike that of the text, it may be anywhere, and twice.
    """
    if not body:
        return list(regions)
    small = [n for n, region in enumerate(regions) if _is_small(region, body)]
    usual = text_type(regions) if small else None
    faces = faces_of_headings(regions, usual) if usual else set[str]()
    names = Counter(_name(regions[n]) for n in small)
    shown = [n for n, region in enumerate(regions) if region.words]
    around = {n: (before, after) for before, n, after in zip([None, *shown], shown, [*shown[1:], None], strict=False)}
    labels = {n for n, region in enumerate(regions) if _is_note(region)}
    for n in small:
        region, (before, after) = regions[n], around[n]
        if _is_code(text_of(region)) or (after is not None and _names_a_field(region, regions[after], body)):
            labels.add(n)
        elif not faces.issuperset(word.font for word in region.words):
            nearer = before is not None and after is not None and _belongs_above(region, regions[before], regions[after])
            labels |= {n} if nearer or names[_name(region)] > 1 else set()
    return [replace(region, kind="paragraph") if n in labels else region for n, region in enumerate(regions)]


def _is_note(region: Region) -> bool:
    """Return whether a heading is what stands above a note, in whatever type."""
    return region.kind == "heading" and text_of(region).rstrip(":!").casefold() in NOTES


def _is_small(region: Region, body: float) -> bool:
    if region.kind != "heading" or not region.words:
        return False
    return max(word.size for word in region.words) <= NO_LARGER * body and not scheme_of(text_of(region))[0]


def _name(region: Region) -> str:
    """Return the text, or what stands before a colon in it."""
    return text_of(region).partition(":")[0].casefold()


def _is_code(text: str) -> bool:
    """Return whether a text is an option, a call of a function or another name, or the second half of a sentence.

    >>> [_is_code(text) for text in ("--version", "close()", "tornado.web", "Closing (and opening)")]
    [True, True, True, False]
    """
    return text[:1].islower() or bool(_OPTION.match(text) or _CALL.match(text))


def _names_a_field(head: Region, text: Region, body: float) -> bool:
    """Return whether a label such as `Returns:` stands close above what it names, which is indented. Lists have headings."""
    name = text_of(head)
    if not name.endswith((":", "\uff1a")) or len(name.split()) > FIELD_WORDS or text.kind == "list_item":
        return False
    above, below = _box(head), _box(text)
    return LEAST * body <= below[0] - above[0] <= MOST * body and below[1] - above[3] <= APART * body


def _belongs_above(head: Region, before: Region, after: Region) -> bool:
    """Return whether a line between two texts is no nearer to the lower one; one with a colon introduces a list."""
    if not all(word.font for word in head.words) or before.kind not in PROSE or after.kind not in PROSE:
        return False
    if after.kind == "list_item" and text_of(head).endswith(":"):
        return False
    box, upper, lower = _box(head), _box(before), _box(after)
    if not (_is_below(upper, box) and _is_below(box, lower)):
        return False
    return box[1] - upper[3] <= lower[1] - box[3] + SLACK * head.words[0].size


def _is_below(upper: Box, lower: Box) -> bool:
    return upper[3] <= lower[1] and min(upper[2], lower[2]) > max(upper[0], lower[0])


def _box(region: Region) -> Box:
    return union(word.box for word in region.words)
