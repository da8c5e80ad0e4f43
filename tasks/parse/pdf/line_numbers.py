"""Line numbers: those that pleadings, preprints and editions print in the margin beside lines of text are no part of it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest, nsmallest
from itertools import pairwise
from statistics import median

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.words import Word, by_line

STEPS = (1, 2, 5, 10)
ALIGNED = 1.5
"""Largest distance between the edges of numbers below each other, in points."""
OUTER = 0.02
"""Largest share of a page's words that may be as far out as its margin: a running header, or a page number."""
APART = 0.6
"""Least distance of numbers from the text, in type sizes: a number that begins a line is nearer."""
FEWEST, MANY = 4, 20
"""Fewest numbers of consecutive lines; so many need not stand at the heights of lines, as on paper that is ruled before."""
LEAST_WORDS, LEAST_CHARS = 4, 12
"""Length of half of the lines of text, in words, or in characters of scripts without spaces: cells of tables are shorter."""
CONTINUED = 0.25
"""Least share of lines that begin in the middle of a sentence, with a small letter: items of a list do not."""

FULL = 0.75
"""Least length of half of the lines of a text, by that of the longest. A list has shorter ones."""


def line_numbers(words: Sequence[Word]) -> list[Word]:
    """Return the words that number lines of a page's text, each or every second, fifth or tenth line, in its margins."""
    candidates = [word for word in words if word.text.isdecimal() and len(word.text) < 5 and word.upright]
    if not candidates:
        return []
    chosen = set(map(id, candidates))
    others = [word for word in words if id(word) not in chosen]
    found: list[Word] = []
    for outer in _in_margins(candidates, others):
        runs: list[list[Word]] = [_run(column) for edge in (0, 2) for column in _columns(outer, edge)]
        longest: list[Word] = max((run for run in runs if _numbers_lines(run, others)), key=len, default=[])
        found += longest
    return found


def _in_margins(candidates: Sequence[Word], others: Sequence[Word]) -> list[list[Word]]:
    """Return the numbers left and right of nearly all other words."""
    few = int(OUTER * len(others))
    lefts, rights = [word.box[0] for word in others], [word.box[2] for word in others]
    left, right = nsmallest(few + 1, lefts)[-1:], nlargest(few + 1, rights)[-1:]
    return [
        [word for word in candidates for edge in left if word.box[2] < edge - APART * word.size],
        [word for word in candidates for edge in right if word.box[0] > edge + APART * word.size],
    ]


def _columns(numbers: Iterable[Word], edge: int) -> list[list[Word]]:
    """Return numbers with a common left (0) or right (2) edge."""
    columns: list[list[Word]] = []
    for word in sorted(numbers, key=lambda word: word.box[edge]):
        if columns and word.box[edge] - columns[-1][-1].box[edge] <= ALIGNED:
            columns[-1].append(word)
        else:
            columns.append([word])
    return columns


def _run(column: Sequence[Word]) -> list[Word]:
    """Return the most numbers below each other that rise by one step."""
    ordered = sorted(column, key=lambda word: word.box[1])
    best: list[Word] = []
    for step in STEPS:
        run: list[Word] = []
        for word in ordered:
            run = [*run, word] if run and int(word.text) - int(run[-1].text) == step else [word]
            best = run if len(run) > len(best) and _fits(run, step) else best
    return best


def _fits(run: Sequence[Word], step: int) -> bool:
    return step == 1 or all(int(word.text) % step == 0 for word in run)


def _numbers_lines(run: Sequence[Word], others: Sequence[Word]) -> bool:
    step = int(run[1].text) - int(run[0].text) if len(run) > 1 else int(run[0].text)
    if step not in STEPS or (step == 1 and len(run) < FEWEST) or (len(run) == 1 and step not in STEPS[2:]):
        return False
    top, bottom = (run[0].box[1], run[-1].box[3]) if len(run) > 1 else (float("-inf"), float("inf"))
    reach = (run[1].box[1] - run[0].box[1]) if len(run) > 1 else 0.0
    lines = _lines(others, top - reach, bottom + reach)
    if not _is_prose([texts for _, texts in lines]) or (step == 1 and not _are_full([box for box, _ in lines])):
        return False
    rows = _rows([box for box, _ in lines], run)
    places = [_place(word, rows) for word in run]
    if step == 1:
        return len(run) >= MANY or sum(place is not None for place in places) >= 0.8 * len(run)
    if None in places:
        return False
    known = [place for place in places if place is not None]
    return all(b - a == step for a, b in pairwise(known)) and (len(run) > 1 or known[0] == step - 1)


def _lines(words: Iterable[Word], top: float, bottom: float) -> list[tuple[Box, list[str]]]:
    """Return the lines between two heights."""
    lines = by_line(word for word in words if word.upright and top < (word.box[1] + word.box[3]) / 2 < bottom)
    return [(union(word.box for word in line), [word.text for word in line]) for line in lines]


def _is_prose(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether half of the lines are long, and enough go on with a sentence where the script shows it."""
    if not lines:
        return False
    long = median(map(len, lines)) >= LEAST_WORDS
    cased = [line[0][0] for line in lines if line[0][0].lower() != line[0][0].upper()]
    if len(cased) * 2 < len(lines):
        return long or median(sum(map(len, line)) for line in lines) >= LEAST_CHARS
    return long and sum(letter.islower() for letter in cased) >= CONTINUED * len(lines)


def _are_full(boxes: Sequence[Box]) -> bool:
    """Return whether half of the lines reach nearly as far as the longest, as lines of paragraphs do."""
    widths = [box[2] - box[0] for box in boxes]
    return median(widths) >= FULL * max(widths)


def _rows(boxes: Sequence[Box], run: Sequence[Word]) -> list[tuple[float, float]]:
    """Return top and bottom of each row of lines, of those nearest to the numbers where the page has columns."""
    left = run[0].box[2] <= min(box[0] for box in boxes)
    edge: Callable[[Box], float] = (lambda box: box[0]) if left else (lambda box: -box[2])
    usual = Counter(round(edge(box) / 10) for box in boxes)
    nearest = min(place for place, n in usual.items() if n * 4 >= max(usual.values())) * 10
    width = max(box[2] - box[0] for box in boxes)
    rows: list[tuple[float, float]] = []
    for box in sorted(boxes, key=lambda box: box[1] + box[3]):
        if edge(box) > nearest + width / 2:
            continue
        if not rows or (box[1] + box[3]) / 2 > rows[-1][1]:
            rows.append((box[1], box[3]))
    return rows


def _place(number: Word, rows: Sequence[tuple[float, float]]) -> int | None:
    """Return the index of the row at whose height a number stands."""
    middle = (number.box[1] + number.box[3]) / 2
    n = bisect_left(rows, middle, key=lambda row: row[1])
    return n if n < len(rows) and rows[n][0] <= middle else None
