"""Lines: a text as lines without tabs, and how far a run or an indented body of them goes."""

from collections.abc import Sequence
from unicodedata import east_asian_width

TAB = 8
_BLANKS = str.maketrans("\f\v", "  ")


def rst_lines(text: str, starts: Sequence[int]) -> list[str]:
    """Return the lines that begin at `starts`, the last of which is the end: tabs as spaces, no white space at their ends."""
    ends = starts[1:]
    return [text[start:end].translate(_BLANKS).rstrip().expandtabs(TAB) for start, end in zip(starts, ends, strict=False)]


def indent_of(line: str) -> int:
    """Return the number of characters before the first that is no white space."""
    return len(line) - len(line.lstrip())


def width_of(text: str) -> int:
    """Return the number of columns: wide characters of East Asia take two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def run_end(lines: Sequence[str], at: int, indent: int) -> int:
    """Return the end of the run of lines after line `at` that are not blank and indented by at least `indent`."""
    end = at + 1
    while end < len(lines) and lines[end] and indent_of(lines[end]) >= indent:
        end += 1
    return end


def body_end(lines: Sequence[str], at: int, indent: int) -> int:
    """Return the end of what belongs to line `at`: lines indented by more than `indent`, and blank lines between them."""
    end = here = at + 1
    while here < len(lines) and (not lines[here] or indent_of(lines[here]) > indent):
        here += 1
        end = here if lines[here - 1] else end
    return end


def next_full(lines: Sequence[str], at: int) -> int:
    """Return the first line from `at` on that is not blank."""
    while at < len(lines) and not lines[at]:
        at += 1
    return at
