"""Headed: tables that the layout model takes for text, shown by a bold head of several labels with figures under them."""

from collections.abc import Sequence

from tasks.parse.tables.spaced.pieces import Line, Piece, is_bold
from tasks.parse.tables.thresholds import NEAR

LABELS = 3
"""Fewest labels of a head."""
OFF = 0.3
"""Largest distance of a cell's edge or middle from that of its label, in type sizes."""


def headed_runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the heads with the rows of figures below them that have a piece at the edge or the middle of each label.

    Lines of text below bold titles beside each other, as in cards, are no rows.
    """
    found: list[list[Line]] = []
    n = 0
    while n < len(lines):
        run = [lines[n]]
        if len(lines[n]) >= LABELS and is_bold(lines[n]):
            while n + len(run) < len(lines) and _is_row(lines[n + len(run)], run):
                run.append(lines[n + len(run)])
        if len(run) > 1:
            found.append(run)
        n += len(run)
    return found


def _is_row(line: Line, run: Sequence[Line]) -> bool:
    head, size = run[0], run[0][0].size
    if min(piece.box[1] for piece in line) - max(piece.box[3] for piece in run[-1]) > NEAR * size or is_bold(line):
        return False
    figures = sum(piece.is_figure() for piece in line[1:])
    return (
        len(line) == len(head)
        and 2 * figures >= len(line[1:])
        and all(_is_under(piece, label) for piece, label in zip(line, head, strict=True))
    )


def _is_under(piece: Piece, label: Piece) -> bool:
    (a, _, b, _), (c, _, d, _) = piece.box, label.box
    return min(abs(a - c), abs(b - d), abs(a + b - c - d) / 2) < OFF * label.size
