"""How wide the columns of a table want to be and can be, in characters of its type. Pure."""

from collections.abc import Sequence

from benchmarks.roundtrip.markup.look import Look, is_serif
from benchmarks.roundtrip.markup.tree import Cell, Element, Grid, classes, grid_of, lines_of

GAP = 2.0
"""Characters between columns."""
CARD = 22
"""Characters of a line of the body that a card, or a column of a list of contents, takes at least."""
BOLD = 1.15
"""Width of bold type by that of plain type."""
LINES = 4
"""Lines of a cell at most: a table that needs more is set smaller."""
LONG = 22
"""A table of more rows may break over pages; it gets the whole width."""
LEAST_SCALE = 0.6
"""A table is set in type of 60 % of the body's at least: smaller print is not found."""


def widths_wanted(grid: Grid) -> list[float]:
    """Return for each column the characters of its longest line; what a spanning cell needs more is shared by its columns."""
    return _spread(grid, [_longest(cell, lines_of(cell.element)) for cell in grid.cells])


def widths_needed(grid: Grid) -> list[float]:
    """Return for each column the characters that it takes at least: its longest word, and no cell of more than LINES lines."""
    cells = [(cell, lines_of(cell.element)) for cell in grid.cells]
    least = [max(_longest(cell, " ".join(lines).split()), _longest(cell, lines) / LINES) for cell, lines in cells]
    return _spread(grid, least)


def _longest(cell: Cell, texts: Sequence[str]) -> float:
    """Return the width of the longest of texts in a cell, with its indent; bold ones are wider."""
    bold = BOLD if cell.head or cell.element.find(".//b") is not None else 1
    return max(map(_length, texts), default=0) * bold + 2 * cell.indent


def _spread(grid: Grid, lengths: Sequence[float]) -> list[float]:
    columns = [1.0] * grid.columns
    for cell, length in zip(grid.cells, lengths, strict=True):
        if cell.columns == 1:
            columns[cell.column] = max(columns[cell.column], length)
    for cell, length in zip(grid.cells, lengths, strict=True):
        own = slice(cell.column, cell.column + cell.columns)
        lack = length - sum(columns[own]) - GAP * (cell.columns - 1)
        if cell.columns > 1 and lack > 0:
            columns[own] = [width + lack / cell.columns for width in columns[own]]
    return columns


def _length(text: str) -> float:
    """Return the length of a text in characters; those of Chinese and Japanese count twice."""
    return sum(2 if ord(character) > 0x2E80 else 1 for character in text)


def fit_widths(grid: Grid, room: float) -> list[float]:
    """Return widths in characters that, with gaps between them, fill at most `room`; a word is broken only where that must be.

    Columns that want little get it; the others share what is left.
    """
    free = room - GAP * grid.columns
    wish, least = widths_wanted(grid), widths_needed(grid)
    if sum(wish) <= free:
        return wish
    widths = list(least)
    spare = free - sum(least)
    lack = [want - have for want, have in zip(wish, least, strict=True)]
    if spare <= 0:
        return [width * free / sum(least) for width in least]
    for done, column in enumerate(sorted(range(grid.columns), key=lambda at: lack[at])):
        given = min(lack[column], spare / (grid.columns - done))
        widths[column] += given
        spare -= given
    return widths


def scale_for(grid: Grid, room: float) -> float:
    """Return how much smaller than the body a table must be set, so that no word is wider than its column: at most 1."""
    return min(1.0, room / (sum(widths_needed(grid)) + GAP * grid.columns))


def character(look: Look) -> float:
    """Return the width of a character in em: those of figures, which tables are full of."""
    return 0.64 if "DejaVu" in look.family else 0.52 if is_serif(look.family) else 0.57


def room_of(width: float, look: Look, scale: float = 1.0) -> float:
    """Return how many characters of type of `scale` times the body's size go into `width` points."""
    return width / (look.size * scale * character(look))


def columns_for(body: Element, look: Look) -> int:
    """Return in how many columns a body can be set: one if it has arrangements of its own or a table that a column cannot hold.

    Raises:
        ValueError: a table is too wide for the page even in small type.
    """
    grids = [(table, grid_of(table)) for table in body.iter("table")]
    for table, grid in grids:
        beside = any("columns-2" in classes(above) for above in table.iterancestors("section"))
        room = room_of(_room(table, look) / (2.1 if beside else 1), look)
        if scale_for(grid, room) < LEAST_SCALE:
            raise ValueError(f"a table of {grid.columns} columns is too wide for its page")
    arranged = any(classes(section) - {"contents", "dots", "plain", "form"} for section in body.iter("section"))
    narrow = room_of((look.width() - look.gap * (look.columns - 1)) / look.columns, look)
    wide = any(sum(widths_wanted(grid)) > narrow * 1.6 or scale_for(grid, narrow) < 0.75 for _, grid in grids)
    long = any(grid.rows > LONG for _, grid in grids)
    return 1 if arranged or wide or long else look.columns


def _room(table: Element, look: Look) -> float:
    turned = any("sideways" in classes(above) for above in table.iterancestors("section"))
    return look.height() if turned else look.width()
