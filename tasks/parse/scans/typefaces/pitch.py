"""Pitch: whether scanned words are in fixed-width type, whose words are as wide as their number of letters says."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tasks.parse.layout.geometry import union
from tasks.parse.layout.words import Word
from tasks.parse.scans.words import ScannedWord

SIDES = 0.2
"""Width of the empty sides of a word's first and last letter together, by the width of a letter."""
SHORTEST, FEWEST = 3, 3
"""Fewest letters of a word, and fewest such words of a line, from which its pitch can be told."""
MAX_ASTRAY = 0.22
"""Largest deviation of the widths of words from what their letters say, by the width of a letter (root of the mean square).

In 45 typeset documents of the round trip, lines of fixed-width type deviate by 0.16 at most in 98 of 100 cases, of proportional
type by 0.4 and more in half of them; of the latter, those below have letters that are too narrow, but for 1 in 100."""
ENOUGH, ENOUGH_ALONE = 6, 10
"""Fewest letters, in words that are not short, of a line that may have the pitch of another; and of one that is a single word."""
MOST_ASTRAY, OFF_GRID = 0.5, 0.25
"""Largest deviation of such a word's width, since a bracket or full stop at its end is a third narrower than a letter; and of the
space between two from a whole number of letters: those of proportional type are half as wide as its letters."""
LONG_LINE, AGREED = 16, 0.015
"""Fewest letters of a line of few words whose own pitch counts if another line has it, and their largest relative difference.

In 235 pages this finds 57 lines of code, and takes three of 8000 other lines for some."""
LEADING = 2.5
"""Largest distance of two lines of a listing, by the width of a letter: 1.5 type sizes."""
MARKS, MARK = frozenset("()[]{}.,:;!|'\"`"), 0.15
"""Marks that are narrower than letters, and what they leave empty on each side besides that of a letter, by its width."""
NARROWEST, WIDEST = 0.56, 0.7
"""Width of a letter of fixed-width type, in type sizes. It is 0.6 in most; letters of text are 0.41 to 0.54 wide on average."""
TYPEWRITTEN = 0.5
"""Share of a page's letters in fixed-width type above which a typewriter, or a program, set all of it so."""
SOME, MOSTLY = 0.3, 0.5
"""Share of a paragraph's letters in lines of fixed-width type, from which such lines count, and its short lines with them."""


def with_pitch(seen: Sequence[ScannedWord]) -> list[ScannedWord]:
    """Return words with those in lines of fixed-width type marked. Short lines are as the rest of their paragraph."""
    lines: dict[int, list[Word]] = defaultdict(list)
    blocks: dict[int, list[Word]] = defaultdict(list)
    for found in seen:
        lines[found.word.line].append(found.word)
        blocks[found.word.block].append(found.word)
    told = _as_neighbours(lines, {found.word.line: found.base for found in seen}, _told(lines))
    shares = {number: _fixed_share(words, told) for number, words in blocks.items()}
    least = {None: MOSTLY, True: SOME, False: 2.0}
    fixed = [shares[word.block] > least[told[word.line]] for word, *_ in seen]
    return [found._replace(word=found.word._replace(mono=mono)) for found, mono in zip(seen, fixed, strict=True)]


def _told(lines: Mapping[int, Sequence[Word]]) -> dict[int, bool | None]:
    """Tell which lines are in fixed-width type; None for short ones, unless their words have the pitch of another line."""
    told = _agreed(lines, {number: _is_fixed(words) for number, words in lines.items()})
    pitches = {round(_pitch(_plain(words)), 1) for number, words in lines.items() if told[number]}
    pitches = pitches or _shared([words for number, words in lines.items() if told[number] is None])
    return {
        number: True if known is None and any(_fits(lines[number], pitch) for pitch in pitches) else known
        for number, known in told.items()
    }


def _agreed(lines: Mapping[int, Sequence[Word]], told: Mapping[int, bool | None]) -> dict[int, bool | None]:
    """Return what is told of lines, those in proportional type whose few words are by chance as wide as in type of a pitch too.

    No other line has their pitch, and the spaces between their words are no whole number of letters.
    """
    pitches = {number: _pitch(_plain(lines[number])) for number, known in told.items() if known}
    chance = {
        number
        for number, pitch in pitches.items()
        if not _is_on_grid(lines[number], pitch)
        and not any(abs(other - pitch) <= AGREED * pitch for line, other in pitches.items() if line != number)
    }
    return {number: known and number not in chance for number, known in told.items()}


def _shared(lines: Iterable[Sequence[Word]]) -> set[float]:
    """Return the pitch in which two long lines agree that are of few words, as those of code are; nothing if there are none."""
    found = sorted(pitch for words in lines if (pitch := _own_pitch(words)))
    return {round(a, 1) for a, b in pairwise(found) if b - a <= AGREED * a}


def _own_pitch(words: Sequence[Word]) -> float | None:
    """Return the pitch of several words, if they are as wide and as far apart as letters of it."""
    n_letters = sum(len(word.text) for word in words)
    if len(words) < 2 or n_letters < LONG_LINE:
        return None
    pitch = sum(map(_width, words)) / sum(len(word.text) - SIDES - _slack(word.text[0]) - _slack(word.text[-1]) for word in words)
    is_like = NARROWEST * words[0].size < pitch < WIDEST * words[0].size
    return pitch if is_like and _fits(words, pitch) else None


def _as_neighbours(
    lines: Mapping[int, Sequence[Word]], bases: Mapping[int, float], told: Mapping[int, bool | None]
) -> dict[int, bool | None]:
    """Return what is told of lines, those beside lines of a listing as these: short ones if one is next to them, else two."""
    found = dict(told)
    order = sorted(lines, key=lambda number: bases[number])
    for down in (order, order[::-1]):
        for at, number in enumerate(down):
            if not found[number]:
                sides = (_next_to(number, down[:at][::-1], lines), _next_to(number, down[at + 1 :], lines))
                listed = [bool(side is not None and found[side] and _is_close(number, side, lines, bases)) for side in sides]
                found[number] = all(listed) or (found[number] is None and any(listed)) or found[number]
    return found


def _next_to(number: int, others: Iterable[int], lines: Mapping[int, Sequence[Word]]) -> int | None:
    """Return the first of the `others` that has words above or below those of a line."""
    x0, _, x1, _ = union(word.box for word in lines[number])
    return next((other for other in others if any(x0 < word.box[2] and word.box[0] < x1 for word in lines[other])), None)


def _is_close(number: int, listed: int, lines: Mapping[int, Sequence[Word]], bases: Mapping[int, float]) -> bool:
    """Return whether a line is as near to another as those of a listing are, and begins in one of its places for letters."""
    pitch = _pitch(_plain(lines[listed]) or lines[listed])
    places = (lines[number][0].box[0] - lines[listed][0].box[0]) / pitch
    return pitch < abs(bases[number] - bases[listed]) <= LEADING * pitch and abs(places - round(places)) <= OFF_GRID


def _fits(words: Sequence[Word], pitch: float) -> bool:
    """Return whether words, in which several letters are needed, are as wide and as far apart as in type of a pitch."""
    n_letters = sum(len(word.text) for word in words if len(word.text) >= SHORTEST)
    if n_letters < (ENOUGH if len(words) > 1 else ENOUGH_ALONE) or not all(word.upright for word in words):
        return False
    return _is_on_grid(words, pitch) and all(
        abs(_width(word) / pitch - len(word.text) + SIDES + _slack(word.text[0]) + _slack(word.text[-1])) <= MOST_ASTRAY
        for word in words
    )


def _is_on_grid(words: Sequence[Word], pitch: float) -> bool:
    """Return whether the spaces between words are whole numbers of letters."""
    gaps = [
        (after.box[0] - before.box[2]) / pitch - SIDES - _slack(before.text[-1]) - _slack(after.text[0])
        for before, after in pairwise(words)
    ]
    return all(abs(gap - round(gap)) <= OFF_GRID for gap in gaps)


def _slack(character: str) -> float:
    """Return how much of its place a mark leaves empty besides the side of a letter, by the width of a letter."""
    return MARK if character in MARKS else 0.0


def is_mostly_fixed(words: Sequence[Word]) -> bool:
    """Return whether a scanned page is typewritten: fixed-width type is then no sign of code."""
    return sum(len(word.text) for word in words if word.mono) > TYPEWRITTEN * sum(len(word.text) for word in words)


def _fixed_share(block: Sequence[Word], told: Mapping[int, bool | None]) -> float:
    """Return the share of a paragraph's letters that are in lines of fixed-width type. Short lines are told together."""
    letters = [sum(len(word.text) for word in block if told[word.line] is value) for value in (False, True)]
    return letters[1] / sum(letters) if any(letters) else float(bool(_is_fixed(block)))


def _is_fixed(words: Sequence[Word]) -> bool | None:
    """Return whether words are in fixed-width type; None if they are too few."""
    plain = _plain(words)
    if len(plain) < FEWEST:
        return None
    pitch = _pitch(plain)
    if not NARROWEST * plain[0].size < pitch < WIDEST * plain[0].size or not all(word.upright for word in plain):
        return False
    astray = [(_width(word) / pitch - len(word.text) + SIDES) ** 2 for word in plain]
    return sum(astray) <= MAX_ASTRAY**2 * len(plain)


def _plain(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if len(word.text) >= SHORTEST and _has_letters_at_ends(word.text)]


def _pitch(plain: Sequence[Word]) -> float:
    return sum(_width(word) for word in plain) / sum(len(word.text) - SIDES for word in plain)


def _width(word: Word) -> float:
    return word.box[2] - word.box[0]


def _has_letters_at_ends(text: str) -> bool:
    """Return whether a word begins and ends with a letter or digit: the sides of brackets and full stops differ."""
    return text[0].isalnum() and text[-1].isalnum()
