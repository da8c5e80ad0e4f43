"""Column edges that are missing in the layout model's grid, found in the white space of the rows."""

from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.geometry import centre
from tasks.parse.layout.words import COLUMN_SPACE, Word

CURRENCIES = frozenset("$€£¥")
Gap = tuple[float, float]


def missing_edges(lines: Sequence[Sequence[Word]], verticals: Sequence[float]) -> list[float]:
    """Return where wide gaps are below each other in half of the rows, at least three, without an edge in them."""
    gaps = [gaps for line in lines if (gaps := _gaps(sorted(line, key=lambda word: word.box[0])))]
    uncut = sorted(gap for line in gaps for gap in line if not any(gap[0] <= x <= gap[1] for x in verticals))
    found: list[list[Gap]] = []
    for gap in uncut:
        if found and gap[0] < min(end for _, end in found[-1]):
            found[-1].append(gap)
        else:
            found.append([gap])
    often = [group for group in found if len(group) >= max(3, len(gaps) / 2)]
    return [(max(start for start, _ in group) + min(end for _, end in group)) / 2 for group in often]


def _gaps(ordered: Sequence[Word]) -> list[Gap]:
    """Return the gaps between the runs of a line; a currency sign is part of the figure after it."""
    return [
        (before.box[2], after.box[0])
        for before, after in pairwise(ordered)
        if before.text not in CURRENCIES and after.box[0] - before.box[2] > COLUMN_SPACE * before.size
    ]


def columns_of(ordered: Sequence[Word], edges: Sequence[float]) -> list[int]:
    """Return the number of the column of each word of a line; a currency sign, often far left, has that of its figure."""
    found = [sum(edge < centre(word.box)[0] for edge in edges) for word in ordered]
    for n in reversed(range(len(ordered) - 1)):
        if ordered[n].text in CURRENCIES:
            found[n] = found[n + 1]
    return found
