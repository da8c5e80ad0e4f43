"""Cuts: splits table regions that contain paragraphs into the tables above and below them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, share, union
from tasks.parse.layout.regions import FRAMED, PROSE, Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import COLUMN_SPACE, Word, words_in
from tasks.parse.tables.spaced.pieces import lines_in, pieces_of
from tasks.parse.tables.text_lines import text_lines

WIDE, LONG = 0.6, 8
"""Smallest share of the region's width, and fewest words, of a line that may belong to a paragraph."""
CLOSE = 1.6
"""Largest distance between lines of one paragraph, in type sizes."""

FLUSH, OTHER = 1.0, 0.3
"""Largest distance of a word from the edge of the column that it starts, in points, and least difference of the space before it
from the usual one, by that: words of a paragraph are seldom so near, and not after another space.
"""

TAIL = 2
"""Fewest lines of text below the last row of a table."""

FEWEST = 3
"""Fewest lines of a table that may begin or end with a heading."""
TITLE = 1.3
"""Smallest type of a heading in a table's region, by that of the table: a scan measures no size so wrongly."""
SEEN = 0.7
"""Least share of a line that is in a heading."""

SENTENCES = (*PROSE, "footnote")


class _RunStarts(NamedTuple):
    box: Box
    words: list[Word]
    starts: list[float]
    """The left edges of its runs, from left to right."""
    kind: str
    """The kind that the layout model gave it inside the table; "" for none."""

    @property
    def size(self) -> float:
        return self.words[0].size


def cut_at_prose(region: Region, words: Sequence[Word], others: Sequence[Region]) -> list[Box]:
    """Return the boxes of the tables in a table's region: the whole region if no paragraph crosses its columns.

    A paragraph has at least two lines, or the layout model found it inside the table (`others`).
    """
    inside = [word for word in words_in(words, region.box) if word.upright]
    lines = [_line(words, others) for words in text_lines(inside)]
    second = [line.starts[1] for line in lines if len(line.starts) > 1]
    if not second:
        return [region.box]
    prose = [_is_seen(line, region.box) or _is_across(line, region.box, median(second)) for line in lines]
    prose = _whole(lines, _without_lone(lines, prose))
    if not any(prose):
        return [region.box]
    parts = [[lines[n] for n in numbers] for is_prose, numbers in _groups(prose) if not is_prose]
    kept = [part for part in parts if sum(len(line.starts) > 1 for line in part) > 1]
    x0, _, x1, _ = region.box
    return [(x0, min(line.box[1] for line in part), x1, max(line.box[3] for line in part)) for part in kept]


def without_tail(box: Box, words: Sequence[Word], rules: Rules) -> Box:
    """Return the box of a table without text below its last row: lines without columns, the first from the left over the columns.

    Where a rule stands below them they are the table's own.
    """
    lines = lines_in(words, rules, box)
    several = [n for n, line in enumerate(lines) if len(line) > 1]
    if len(several) < 2 or len(lines) - several[-1] <= TAIL:
        return box
    edge = median(lines[n][1].box[0] for n in several)
    for n in range(several[-1] + 1, len(lines) - TAIL + 1):
        piece = lines[n][0]
        if piece.box[0] < box[0] + piece.size and piece.box[2] > edge + 2 * piece.size and len(piece.words) > 1:
            below = [rule for rule in rules.horizontals if piece.box[1] < rule.at < box[3] + piece.size]
            inside = [rule for rule in below if rule.end > box[0] and rule.start < box[2]]
            return box if inside else (box[0], box[1], box[2], max(one.box[3] for one in lines[n - 1]) + 0.5)
    return box


def without_headings(box: Box, words: Sequence[Word], headings: Sequence[Box]) -> Box:
    """Return the box of a table without its first line, and its last, where the layout model sees one piece as a heading."""
    for end in (0, -1):
        lines = text_lines(words_in(words, box))
        line = lines[end] if len(lines) >= FEWEST else []
        if (
            not line
            or len(pieces_of(line, ())) > 1
            or not any(share(union(w.box for w in line), other) > SEEN for other in headings)
        ):
            continue
        rest = union(word.box for other in lines if other is not line for word in other)
        box = (box[0], rest[1] - 0.5, box[2], box[3]) if end == 0 else (box[0], box[1], box[2], rest[3] + 0.5)
    return box


def apart_from_title(region: Region, words: Sequence[Word], text: Sequence[Region]) -> list[Region]:
    """Return the heading that a scanned table's region begins with, and the table below it; the region alone if there is none.

    A heading is one or two lines of one piece, in type that is much larger than the table's, which is not `text` to the model.
    """
    inside = words_in(words, region.box) if region.kind == "table" and region.role != FRAMED else []
    lines = text_lines([word for word in inside if word.upright])
    if len(lines) < FEWEST or any(word.font for word in inside):
        return [region]
    sizes = [min(word.size for word in line) for line in lines]
    usual = median(word.size for line in lines for word in line)
    n = next((n for n, size in enumerate(sizes) if size < TITLE * usual), 0)
    title = [word for line in lines[:n] for word in line]
    if not 0 < n <= TAIL or any(len(run_starts(line)) > 1 for line in lines[:n]):
        return [region]
    x0, _, x1, y1 = region.box
    box = union(word.box for word in title)
    if any(share(box, other.box) > 0 for other in text):
        return [region]
    return [Region(box, "heading", role="section-header"), replace(region, box=(x0, box[3] + 0.5, x1, y1))]


def _line(words: list[Word], others: Sequence[Region]) -> _RunStarts:
    box = union(word.box for word in words)
    kind = next((other.kind for other in others if share(box, other.box) > 0.5), "")
    return _RunStarts(box, sorted(words, key=lambda word: word.box[0]), run_starts(words), kind)


def run_starts(line: Sequence[Word]) -> list[float]:
    """Return where the runs of a line begin, left to right: after leader dots, or white space too wide for a sentence."""
    ordered = sorted(line, key=lambda word: word.box[0])
    starts, end, led = [ordered[0].box[0]], ordered[0].box[2], False
    for word in ordered[1:]:
        dots = not word.text.strip(".\u2026\u00b7")
        if not dots and (led or word.box[0] - end > COLUMN_SPACE * word.size):
            starts.append(word.box[0])
        led = dots
        end = max(end, word.box[2])
    return starts


def _is_across(line: _RunStarts, box: Box, edge: float) -> bool:
    """Return whether a line starts at the left and crosses the edge of the second column, where it has no cell."""
    x0, _, x1, _ = line.box
    across = x0 < box[0] + 4 * line.size and x1 > edge + 2 * line.size and not has_cell(line.words, edge)
    return len(line.starts) == 1 and len(line.words) >= LONG and across and x1 - x0 > WIDE * (box[2] - box[0])


def has_cell(line: Sequence[Word], edge: float) -> bool:
    """Return whether a word of a line, from left to right, starts at an edge after a space that differs from the others."""
    gaps = [(b.box[0] - a.box[2], b) for a, b in pairwise(line)]
    usual = median(gap for gap, _ in gaps) if gaps else 0.0
    return any(abs(word.box[0] - edge) <= FLUSH and abs(gap - usual) > OTHER * usual for gap, word in gaps)


def _is_seen(line: _RunStarts, box: Box) -> bool:
    """Return whether the layout model took a line at the left for a paragraph, and it looks like one."""
    sentence = len(line.words) >= LONG or line.words[-1].text[-1] in ".:"
    return line.kind in SENTENCES and len(line.starts) == 1 and line.box[0] < box[0] + 4 * line.size and sentence


def _without_lone(lines: Sequence[_RunStarts], prose: list[bool]) -> list[bool]:
    alone = {numbers[0] for is_prose, numbers in _groups(prose) if is_prose and len(numbers) == 1}
    return [is_prose and (n not in alone or lines[n].kind in SENTENCES) for n, is_prose in enumerate(prose)]


def _whole(lines: Sequence[_RunStarts], prose: Sequence[bool]) -> list[bool]:
    """Extend prose by what belongs to it: last lines, long lines and headings next to it, and lines between two paragraphs.

    Rows of columns are excluded.
    """
    found = list(prose)
    single = [len(line.starts) == 1 for line in lines]
    for n in range(1, len(lines)):
        close = lines[n].box[3] - lines[n - 1].box[3] < CLOSE * lines[n].size
        found[n] = found[n] or (found[n - 1] and single[n] and (close or _leads(lines[n])))
    for n in reversed(range(len(lines) - 1)):
        found[n] = found[n] or (found[n + 1] and single[n] and _leads(lines[n]))
    seen = [n for n in range(len(lines)) if found[n]]
    for before, after in pairwise(seen):
        if all(single[before:after]):
            found[before:after] = [True] * (after - before)
    return found


def _leads(line: _RunStarts) -> bool:
    return len(line.words) >= LONG or line.kind in ("heading", "title", "caption")


def _groups(prose: Sequence[bool]) -> list[tuple[bool, list[int]]]:
    return [(is_prose, list(group)) for is_prose, group in groupby(range(len(prose)), key=lambda n: prose[n])]
