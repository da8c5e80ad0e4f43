"""Inner headings: headings that the layout model puts into one region with the text around them, or takes for text.

It knows the lines by their places more than by their type, least of all in scripts without spaces between words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from schemas.tables.elements import HEADINGS
from tasks.parse.kinds.headings import in_capitals
from tasks.parse.kinds.set_as_text import TextType, text_type
from tasks.parse.kinds.thresholds import NO_LARGER, SMALLER
from tasks.parse.layout.geometry import union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import TextLine, has_leaders, is_labelled, lines_of
from tasks.parse.layout.regions import PROSE, Region
from tasks.parse.layout.words import Word

LARGE = 1.12
"""Smallest type of a heading that its size tells, as a multiple of the text's."""
MUCH_LARGER = 1.3
"""Smallest type, as a multiple of the text's, of a heading without a number that looks like another of the page."""
MOST_LINES, MOST_CHARACTERS = 3, 160
"""Most lines of a heading, and most characters, since some scripts have no spaces to count words by."""
ENDS = (".", "!", ";", ",", "\u3002", "\uff01", "\uff1b", "\uff0c")
"""What a sentence ends with."""
Look = tuple[float, bool, int]
"""Size in steps of half a point, weight and ink, of the first word of a line."""


def with_inner_headings(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, in reading order, those in which headings and text are mixed cut between their lines.

    A line of a paragraph is a heading if it is larger than the text, and numbered or in a look that another heading of the page
    has; if it is numbered and bold in such a look; or if it has a number such as 4.2 and is bold, in another font or in
    capitals. Lines of a heading that are set as the text is are a paragraph. Scans, whose type is not known for certain, stay as
    they are.
    """
    usual = text_type(regions)
    if usual is None or not usual.fonts:
        return list(regions)
    known = {_look(region.words[0]) for region in regions if region.kind in HEADINGS and region.words}
    return [part for region in regions for part in _parts(region, usual, known)]


def _parts(region: Region, usual: TextType, known: set[Look]) -> Iterator[Region]:
    if region.kind not in HEADINGS and region.kind not in PROSE:
        yield region
        return
    lines = lines_of(region.words)
    upright = all(word.upright for word in region.words)
    if region.kind in HEADINGS:
        marks, other = [not _is_text(line, usual) for line in lines], "paragraph"
    else:
        marks, other = _marks(lines, usual, known), region.kind
    runs = list(_runs(marks, lines)) if any(marks) else []
    mixed = len(runs) > 1 or (region.kind in PROSE and bool(runs))
    if not mixed or not upright or any(line.wide and not is_labelled(line) for line in lines):
        yield region
        return
    for mark, run in runs:
        mine = {word for line in run for word in line.words}
        words = [word for word in region.words if word in mine]
        yield replace(region, box=union(word.box for word in words), kind="heading" if mark else other, words=words)


def _runs(marks: Sequence[bool], lines: Sequence[TextLine]) -> Iterator[tuple[bool, list[TextLine]]]:
    """Yield lines that are of one heading or of the text between headings. A second number such as 1.3 begins another heading."""
    run: list[TextLine] = []
    for n, (mark, line) in enumerate(zip(marks, lines, strict=True)):
        numbered = scheme_of(line.text)[1] > 1 and any(scheme_of(above.text)[0] == "decimal" for above in run)
        if run and (mark != marks[n - 1] or (mark and numbered)):
            yield marks[n - 1], run
            run = []
        run.append(line)
    yield marks[-1], run


def _marks(lines: Sequence[TextLine], usual: TextType, known: set[Look]) -> list[bool]:
    """Tell which lines of a paragraph are headings. A heading that goes on in the next line does so in its look.

    A paragraph that is all large and has no number is a motto as often as a heading: it stays what the layout model says, unless
    it is one line that looks as another heading of the page does.
    """
    marks = [_stands_out(line, usual, known) for line in lines]
    for n, (above, below) in enumerate(pairwise(lines)):
        if marks[n] and _look(above.words[0]) == _look(below.words[0]):
            marks[n + 1] = True
    for mark, group in groupby(range(len(lines)), key=lambda n: marks[n]):
        run = list(group)
        if mark and (len(run) > MOST_LINES or sum(len(lines[n].text) for n in run) > MOST_CHARACTERS):
            marks[run[0] : run[-1] + 1] = [False] * len(run)
    like_others = len(lines) == 1 and _look(lines[0].words[0]) in known
    alone = all(marks) and not like_others and not any(scheme_of(line.text)[0] for line in lines)
    return [mark and not alone for mark in marks]


def _stands_out(line: TextLine, usual: TextType, known: set[Look]) -> bool:
    scheme, depth = scheme_of(line.text)
    look = _look(line.words[0])
    if line.mono or has_leaders(line) or len({word.ink for word in line.words}) > 1:
        return False
    if min(word.size for word in line.words if not word.mono) >= LARGE * usual.size:
        return bool(scheme) or (look in known and line.size >= MUCH_LARGER * usual.size)
    if scheme != "decimal" or line.size < SMALLER * usual.size:
        return False
    return (look[1] and (depth > 1 or look in known)) or (depth > 1 and _is_other(line, usual))


def _is_other(line: TextLine, usual: TextType) -> bool:
    """Return whether a line is in other fonts than the text, or in capitals, and is no sentence."""
    other = not any(word.mono or word.math or word.font in usual.fonts for word in line.words)
    return (other or in_capitals(line.text)) and not line.text.endswith(ENDS)


def _is_text(line: TextLine, usual: TextType) -> bool:
    """Return whether a line is set as the text is."""
    in_type = all(not word.bold and word.ink == usual.ink and (word.mono or word.font in usual.fonts) for word in line.words)
    return in_type and max(word.size for word in line.words) <= NO_LARGER * usual.size and not scheme_of(line.text)[0]


def _look(word: Word) -> Look:
    return round(word.size * 2) / 2, word.bold, word.ink
