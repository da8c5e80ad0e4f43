"""Breaks: where rows begin among the lines of a table, decided for all lines at once by the least cost.

Lines of one cell stand closer than rows, but how close differs from table to table. Every distance that divides the lines'
distances into near and far ones is tried, and that one is taken under which lines and rows contradict each other least.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, median

from tasks.parse.layout.geometry import centre
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.pieces import Line

_STANDS = re.compile(r"[^\W_]")
_BELOW = re.compile(r"[gjpqyQ\u00e7,;()\[\]{}|/\\$@_]")
BELOW, MIDDLE = 0.2, 0.25
"""How far letters reach below the line, and how far above it a dash is, in type sizes."""
LONGEST = 80
"""Most lines of a row."""
DEAREST = 40.0
"""Largest cost of a row that is tried with more lines: some sixteen joined against their distances."""
SAME = 0.06
"""Largest difference between distances of lines that count as equal, in type sizes."""
ROUNDED = 0.1
"""Largest difference between distances of lines that rounding to pixels may make, in type sizes."""
NEARLY = 0.9
"""Least share of the variance between the best two kinds of distances that others must have to be tried as well."""
ALIKE = 0.2
"""Largest relative difference of a line's type size from the usual one in which it is only another font, such as that of code."""
LEVEL = 0.12
"""Largest distance of the baselines of one line, in type sizes."""
TOUCHING = 0.85
"""Distance of lines, in type sizes, below which they are beside each other in one row: one is in the middle of another's cell."""
AGAINST_DISTANCE = 2.5
"""What it costs to part near lines, or to join far ones."""
AGAINST_ROWS = 1.2
"""What it costs to join lines where no distance shows which are near."""
NEAR = 1.3
"""What it costs to part lines, where several others are farther apart."""
ALL_NEAR = 2.0
"""What it costs that no line is far from the one before it."""
NONE_FAR = 1e6
JoinCost = Callable[[int, int], float]
"""What it costs that line `n` goes on in the row that begins with line `first`: `cost(first, n)`."""


def pitches(lines: Sequence[Line]) -> list[float]:
    """Return the distance of each line's baseline from that of the line before it in type sizes; 0 for the first."""
    at = [baseline([word for piece in line for word in piece.words]) for line in lines]
    sizes = [max(piece.size for piece in line) for line in lines]
    usual = median(sizes) if sizes else 1.0
    sizes = [usual if abs(size - usual) <= ALIKE * usual else size for size in sizes]
    return [0.0] + [(b - a) / max(sizes[n], sizes[n + 1], 1.0) for n, (a, b) in enumerate(pairwise(at))]


def levelled(lines: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """Return lines of words with those joined that stand on one baseline: words in another font may seem to be beside them."""
    found: list[list[Word]] = []
    for line in lines:
        if found and abs(baseline(line) - baseline(found[-1])) < LEVEL * line[0].size:
            found[-1] += line
        else:
            found.append(list(line))
    return found


def baseline(words: Sequence[Word]) -> float:
    """Return the height of the line that words stand on, measured where the PDF does not say it.

    Boxes of words end with their ink: some letters reach below the line.
    """
    said = [word.base for word in words if word.base is not None]
    if said:
        return median(said)
    on = [word.box[3] for word in words if _STANDS.search(word.text) and not _reaches_below(word)]
    if on:
        return median(on)
    under = [word.box[3] - BELOW * word.size for word in words if _STANDS.search(word.text)]
    return median(under) if under else median(centre(word.box)[1] + MIDDLE * word.size for word in words)


def _reaches_below(word: Word) -> bool:
    """Return whether letters of a word reach below its line: in italics, f may be one of them."""
    return bool(_BELOW.search(word.text)) or ("f" in word.text and "Italic" in word.font)


def row_starts(
    distances: Sequence[float],
    forced: Sequence[bool],
    join: JoinCost,
    limits: Sequence[float],
    within: float = 0.0,
    few: float = 1.0,
) -> tuple[list[int], float]:
    """Return the first line of each row, and the distance from which lines are far.

    Lines in `forced` begin a row. `limits` are the distances to try. `within` is the distance of lines of one cell where it is
    known: lines that near may all be. That none is far counts against them unless one that must begin a row is, but for the
    first, which is below a rule. Far lines are no more than exceptions if they are as `few` or fewer.
    """
    far = max((limit for limit in limits if sum(limit <= distance < NONE_FAR for distance in distances) > few), default=0.0)
    part = [NEAR * (distance < far) for distance in distances]
    tried = [(_least(distances, forced, join, part, limit), limit) for limit in limits]
    farthest = max((distance for n, distance in enumerate(distances) if n or not forced[0]), default=0.0)
    all_near = ALL_NEAR * (farthest > within + SAME)
    ((_, starts), limit) = min(tried, key=lambda found: found[0][0] + all_near * (0 < farthest < found[1] < NONE_FAR))
    return starts, limit


def limits_of(distances: Sequence[float], ruled: bool, exact: bool = True) -> list[float]:
    """Return the distances between near and far that are worth trying: none near, those in gaps; all near between rules.

    Unless distances are `exact`, near and far ones may leave no gap that rounding to pixels could not make.
    """
    ordered = sorted(distances)
    gaps = [(a + b) / 2 for a, b in pairwise(ordered) if b - a > ROUNDED]
    return [0.0, *(gaps or ([] if exact else _between_kinds(ordered))), *([NONE_FAR] if ruled else [])]


def _between_kinds(ordered: Sequence[float]) -> list[float]:
    """Return where distances part into two kinds that vary least, or nearly, and whose means differ more than by rounding."""
    splits = [n for n in range(1, len(ordered)) if ordered[n] > ordered[n - 1]]
    steps = {n: fmean(ordered[n:]) - fmean(ordered[:n]) for n in splits}
    clear = {n: n * (len(ordered) - n) * step**2 for n, step in steps.items()}
    best = [n for n in splits if steps[n] > ROUNDED and clear[n] > NEARLY * max(clear.values())]
    return [(ordered[n - 1] + ordered[n]) / 2 for n in best]


def _least(
    distances: Sequence[float], forced: Sequence[bool], join: JoinCost, part: Sequence[float], limit: float
) -> tuple[float, list[int]]:
    """Return the least cost of all ways to make rows under a limit, and the first lines of these rows."""
    count = len(distances)
    best = [0.0] + [float("inf")] * count
    came = [0] * (count + 1)
    for first in range(count):
        cost = best[first]
        if first and not forced[first]:
            cost += part[first] + AGAINST_DISTANCE * (distances[first] < limit)
        for after in range(first + 1, min(count, first + LONGEST) + 1):
            if after > first + 1:
                n = after - 1
                if forced[n]:
                    break
                cost += join(first, n) + (AGAINST_DISTANCE if limit else AGAINST_ROWS) * (distances[n] >= limit)
            if cost < best[after]:
                best[after], came[after] = cost, first
            if cost > best[first] + DEAREST:
                break
    starts = []
    at = count
    while at:
        at = came[at]
        starts.append(at)
    return best[count], starts[::-1]
