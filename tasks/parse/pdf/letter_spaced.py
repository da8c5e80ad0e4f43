"""Letter-spaced words: titles set with space between their letters, which come as words of one letter, joined to words."""

from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.geometry import union
from tasks.parse.layout.words import Word

FEWEST, MANY = 4, 6
"""Fewest letters of a spaced word or row of them: with spaces narrower than those of words, and with any."""
NARROW, WIDEST = 0.22, 0.5
"""Space between letters, in type sizes: one narrower than the space between words of most fonts, and the widest."""
EVEN = 0.05
"""Largest difference of the spaces between the letters of a word, in type sizes."""
BREAK = 0.2
"""Least by which a space between two words is wider than one between letters, in type sizes."""


def with_letters_joined(words: Sequence[Word]) -> list[Word]:
    """Return the words, rows of single letters that evenly follow each other joined; wider spaces part the words of a row."""
    found: list[Word] = []
    run: list[Word] = []
    for word in words:
        if run and not _may_follow(run[-1], word):
            found += _joined(run)
            run = []
        run.append(word)
    return found + _joined(run)


def _may_follow(before: Word, after: Word) -> bool:
    """Return whether two words are letters of one row, perhaps with a mark behind the second."""
    if not _is_letter(before) or not (_is_letter(after) or after.text in "?!:"):
        return False
    alike = (before.line, before.size, before.font, before.bold) == (after.line, after.size, after.font, after.bold)
    return alike and before.upright


def _is_letter(word: Word) -> bool:
    return len(word.text) == 1 and word.text.isalpha()


def _joined(run: Sequence[Word]) -> list[Word]:
    """Return the words of a run of letters, the run itself if it is not letter-spaced."""
    if len(run) < FEWEST:
        return list(run)
    size = run[0].size
    gaps = [(after.box[0] - before.box[2]) / size for before, after in pairwise(run)]
    least = min(gaps)
    inner = [gap for gap in gaps if gap < least + BREAK]
    wide = WIDEST if len(run) >= MANY else NARROW
    if not 0 < least <= wide or max(inner) - least > EVEN or 2 * len(inner) <= len(gaps):
        return list(run)
    words = [[run[0]]]
    for letter, gap in zip(run[1:], gaps, strict=True):
        if gap >= least + BREAK:
            words.append([])
        words[-1].append(letter)
    return [_word(letters) for letters in words]


def _word(letters: Sequence[Word]) -> Word:
    text = "".join(letter.text for letter in letters)
    return letters[0]._replace(box=union(letter.box for letter in letters), text=text)
