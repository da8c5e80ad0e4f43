"""The order in which the characters of one line are read, some of them from right to left."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

Order = list[tuple[int, str]]
"""Indices of characters in reading order, each with its text: a bracket may be the mirror of what the PDF has."""
LAM, ALEFS = "\u0644", "\u0627\u0623\u0625\u0622\u0671"
_OPENING, _CLOSING = "([{\u00ab\u2039", ")]}\u00bb\u203a"
_MIRROR = dict(zip(_OPENING + _CLOSING, _CLOSING + _OPENING, strict=True))
_ENDS = ".,;:!?\u060c\u061b\u061f"
_LABELLED = re.compile(r"\s(?:[.):]\d+(?:\.\d+)*|[\u2022\u25e6\u25aa\u25cf\u25cb\u25a0])$")
"""The number or bullet of a heading or an item on its right."""
NARROW = 0.02
"""Largest width, in type sizes, of a letter that has no place of its own: it is the second one of a ligature."""
SPACE = 0.25
"""Smallest gap, in type sizes, that is a space where the PDF has none."""


class Mark(NamedTuple):
    """A character, its left and right edge in points, and its type size."""

    text: str
    left: float
    right: float
    size: float


def reading_order(marks: Sequence[Mark], leftwards: bool) -> Order | None:
    """Return the characters of a line as they are read, None if they are in order. `leftwards` says that most of the page is.

    A line is read from right to left if most of its letters are, or most of the page's unless all of it is of other scripts and
    ends as a sentence does on its right.
    """
    kinds = [_kind(mark.text) for mark in marks]
    right, left = kinds.count("R"), kinds.count("L")
    if not right and (not leftwards or not left or not _is_reversed(marks)):
        return None
    places = _from_the_left(marks)
    if leftwards or right > left:
        order = _leftward(places, marks, kinds)
    else:
        order = _rightward(places, marks, kinds)
    return _with_brackets(order, marks, kinds)


def _kind(text: str) -> str:
    """Return L or R for letters, N for digits, S for what may stand between two of them, T beside them, M for marks, else O."""
    kind = unicodedata.bidirectional(text[:1])
    return {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "N", "ES": "S", "CS": "S", "ET": "T", "NSM": "M"}.get(kind, "O")


def _is_reversed(marks: Sequence[Mark]) -> bool:
    """Return whether a line of other scripts has its end on the left, or its number on the right."""
    shown = "".join(mark.text for mark in sorted(marks, key=lambda mark: mark.left + mark.right)).strip()
    return bool(_LABELLED.search(shown)) or ends_of(shown) == (True, False)


def ends_of(shown: str) -> tuple[bool, bool]:
    """Return whether a line, as it stands on the page, has the end of a sentence on its left and on its right.

    >>> ends_of(".the end"), ends_of("the end."), ends_of("...")
    ((True, False), (False, True), (False, False))
    """
    inner = shown.strip(_ENDS)
    return (shown[:1] in _ENDS, shown[-1:] in _ENDS) if inner and shown else (False, False)


def _from_the_left(marks: Sequence[Mark]) -> list[list[int]]:
    """Return groups of indices from left to right: a character with the marks on it, or the letters of a ligature."""
    based = [n for n, mark in enumerate(marks) if _kind(mark.text) != "M"]
    based.sort(key=lambda n: (marks[n].left + marks[n].right, -n))
    groups = _with_ligatures(based, marks)
    letters = [group for group in groups if _kind(marks[group[0]].text) == "R"] or groups
    for n, mark in enumerate(marks):
        if _kind(mark.text) == "M" and not letters:
            groups.append([n])
        elif _kind(mark.text) == "M":
            min(letters, key=lambda group: _distance(marks[group[0]], mark)).append(n)
    return groups


def _distance(letter: Mark, mark: Mark) -> float:
    """Return how far a mark is from where it stands on a letter; one without width is painted before its letter."""
    if mark.right - mark.left <= NARROW * mark.size:
        return abs(letter.left - mark.left)
    middle = (mark.left + mark.right) / 2
    return max(letter.left - middle, middle - letter.right, 0.0)


def _with_ligatures(based: Sequence[int], marks: Sequence[Mark]) -> list[list[int]]:
    """Return groups, an alef of no width at the right of its lam in one with it: the PDF has one glyph for both.

    In other fonts such an alef is at the left of its lam. Between two, it is as elsewhere in the line.
    """
    texts = ["", *(marks[n].text for n in based), ""]
    narrow = [mark.text in ALEFS and mark.right - mark.left <= NARROW * mark.size for mark in (marks[n] for n in based)]
    beside = [(texts[n] == LAM, texts[n + 2] == LAM) if found else (False, False) for n, found in enumerate(narrow)]
    joins = {(True, False)} | ({(True, True)} if (True, False) in beside else set())
    groups: list[list[int]] = []
    for n, sides in zip(based, beside, strict=True):
        if sides in joins:
            groups[-1].append(n)
        else:
            groups.append([n])
    return groups


def _leftward(places: Sequence[list[int]], marks: Sequence[Mark], kinds: Sequence[str]) -> Order:
    """Return the order of a line from right to left, with runs from left to right in it."""
    runs = _runs([kinds[group[0]] for group in places], [marks[group[0]].text for group in places])
    order: list[int] = []
    end = len(places)
    for start, stop in reversed(runs):
        order += [n for group in reversed(places[stop:end]) for n in group]
        order += [n for group in places[start:stop] for n in group]
        end = start
    order += [n for group in reversed(places[:end]) for n in group]
    return [(n, marks[n].text) for n in order]


def _runs(kinds: Sequence[str], texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the runs, from left to right, of letters and digits that are read in that order, as slices."""
    runs: list[tuple[int, int]] = []
    kinds = ["N" if kind == "T" and "N" in kinds[max(0, n - 1) : n + 2] else kind for n, kind in enumerate(kinds)]
    for n, kind in enumerate(kinds):
        if kind not in "LN":
            continue
        if runs and _goes_on(kinds, texts, runs[-1], n):
            runs[-1] = runs[-1][0], n + 1
        else:
            runs.append((n, n + 1))
    return [_balanced(run, texts, runs[k + 1][0] if k + 1 < len(runs) else len(texts)) for k, run in enumerate(runs)]


def _goes_on(kinds: Sequence[str], texts: Sequence[str], run: tuple[int, int], n: int) -> bool:
    """Return whether a run goes on at place n. Of two numbers, only one sign such as a decimal point is between.

    It does not go on after a bracket that has no other in it.
    """
    between = kinds[run[1] : n]
    if "R" in between:
        return False
    shown = "".join(texts[run[1] : n])
    if "L" not in (*kinds[run[0] : run[1]], kinds[n]):
        return not between or (len(between) == 1 and between[0] == "S")
    if any(text in _MIRROR for text in shown):
        end = next((k for k in range(n, len(kinds)) if kinds[k] == "R"), len(kinds))
        return sum(text in _MIRROR for text in texts[run[0] : end]) % 2 == 0
    return not (kinds[n] == "N" and len(shown) > 1 and shown[0].isspace() and shown[-1] in ".):")


def _balanced(run: tuple[int, int], texts: Sequence[str], end: int) -> tuple[int, int]:
    """Return a run with the bracket after it that closes one in it."""
    start, stop = run
    inside = "".join(texts[start:stop])
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        if inside.count(opening) > inside.count(closing) and stop < end and texts[stop] == closing:
            return start, stop + 1
    return run


def _rightward(places: Sequence[list[int]], marks: Sequence[Mark], kinds: Sequence[str]) -> Order:
    """Return the order of a line from left to right, with runs from right to left in it."""
    strong = [k for k, group in enumerate(places) if kinds[group[0]] in "LR"]
    cut: list[tuple[int, int]] = []
    for k in (k for k in strong if kinds[places[k][0]] == "R"):
        if cut and not any(cut[-1][1] <= other < k for other in strong):
            cut[-1] = cut[-1][0], k + 1
        else:
            cut.append((k, k + 1))
    order: Order = []
    at = 0
    for start, stop in cut:
        order += [(n, marks[n].text) for group in places[at:start] for n in group]
        order += _leftward(places[start:stop], marks, kinds)
        at = stop
    return order + [(n, marks[n].text) for group in places[at:] for n in group]


def _with_brackets(order: Order, marks: Sequence[Mark], kinds: Sequence[str]) -> Order:
    """Turn brackets whose place between words shows that the PDF has their mirror, as some programs write it."""
    texts = [" ", *(text for _, text in order), " "]
    turned = []
    for (n, text), before, after in zip(order, texts, texts[2:], strict=False):
        opens = (before.isspace() or before in _OPENING) and not after.isspace() and after not in _ENDS
        closes = not before.isspace() and (after.isspace() or after in _ENDS)
        wrong = (text in _CLOSING and opens and before not in _CLOSING) or (text in _OPENING and closes and after not in _OPENING)
        turned.append((n, _MIRROR[text] if wrong else text))
    return turned
