"""Tables: words in a grid of rules, as cells, HTML and Markdown."""

import html
from bisect import bisect_left
from collections.abc import Sequence

from tasks.transforms.geometry import centre
from tasks.transforms.layout import Grid
from tasks.transforms.prose import join_lines
from tasks.transforms.words import Word, rows_of

Cells = list[list[str]]


def cells_of(words: Sequence[Word], grid: Grid) -> Cells:
    """Return the text of the grid's cells, row by row; every word is in one, and rows and columns without words are left out."""
    inside: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        x, y = centre(word.box)
        place = bisect_left(grid.horizontals, y), bisect_left(grid.verticals, x)
        inside.setdefault(place, []).append(word)
    rows, columns = (sorted(set(numbers)) for numbers in zip(*inside, strict=True)) if inside else ([], [])
    return [[_text(inside.get((row, column), ())) for column in columns] for row in rows]


def _text(words: Sequence[Word]) -> str:
    return join_lines([row.text for row in rows_of(words)])


def as_html(cells: Cells) -> str:
    """Return the cells as an HTML table without spans."""
    rows = ("".join(f"<td>{html.escape(cell, quote=False)}</td>" for cell in row) for row in cells)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def as_pipes(cells: Cells) -> str:
    r"""Return the cells as a Markdown table whose first row is the header.

    >>> print(as_pipes([["a", "b|c"], ["1", ""]]))
    | a | b\|c |
    | --- | --- |
    | 1 |  |
    """
    lines = ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in cells]
    rule = f"|{' --- |' * len(cells[0])}" if cells else ""
    return "\n".join([*lines[:1], rule, *lines[1:]])
