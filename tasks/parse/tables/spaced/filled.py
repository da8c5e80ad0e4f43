"""Filled: lines of a form that no rules part, each a bold label and what was filled in beside it."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.pieces import GAP
from tasks.parse.tables.thresholds import FLUSH

SAID = 4
"""Fewest words, in the median, that a text has beside a name: what is filled in a form has fewer."""


def are_filled(lines: Sequence[Sequence[Word]], rules: Rules) -> bool:
    """Return whether each line is a bold label and a value of a few words that is not bold, all starting at the same two places.

    A value may start later, where a label takes its place. `rules` across are only under values.
    """
    ordered = [sorted(line, key=lambda word: word.box[0]) for line in lines]
    labels = [list(takewhile(lambda word: word.bold, line)) for line in ordered]
    values = [line[len(label) :] for line, label in zip(ordered, labels, strict=True)]
    if not lines or not all(labels) or not all(values) or any(word.bold for value in values for word in value):
        return False
    left, right = (median(side[0].box[0] for side in sides) for sides in (labels, values))
    if any(abs(label[0].box[0] - left) > FLUSH or not _is_name(label[0].text) for label in labels):
        return False
    if not all(_is_placed(label, value, right) for label, value in zip(labels, values, strict=True)):
        return False
    ruled = any(rule.start < right - FLUSH and rule.end > left for rule in rules.horizontals)
    return not ruled and median(map(len, values)) < SAID


def _is_name(text: str) -> bool:
    """Return whether a text begins like a label: with a letter that is not small, unlike names in code."""
    return text[0].isalpha() and not text[0].islower()


def _is_placed(label: Sequence[Word], value: Sequence[Word], right: float) -> bool:
    """Return whether a value of one piece starts where others do, after a gap, or right behind a label that reaches there."""
    start, end, size = value[0].box[0], label[-1].box[2], label[0].size
    if any(after.box[0] - word.box[2] > GAP * size for word, after in pairwise(value)):
        return False
    return (abs(start - right) <= FLUSH and start - end > GAP * size) or (end > right - GAP * size and start < end + GAP * size)
