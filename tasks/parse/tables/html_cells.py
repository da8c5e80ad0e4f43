"""Cells of a table read back from its HTML."""

from html.parser import HTMLParser

from tasks.parse.tables.cells import Cell, extent


def cells_of(html: str) -> list[Cell]:
    """Return the cells of an HTML table, with empty ones, row by row, as `tasks.parse.tables.cells.as_html` writes it.

    >>> cells_of('<table><tr><th colspan="2">a &amp; b</th></tr><tr><td></td><td>c</td></tr></table>')[0]
    Cell(row=0, column=0, text='a & b', rows=1, columns=2)
    """
    reader = _CellParser()
    reader.feed(html)
    reader.close()
    return reader.cells


def grid_of(html: str) -> list[list[str]]:
    """Return the texts by row and column; a cell with spans has its text in its first place and "" in the others.

    >>> grid_of('<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>')
    [['a', 'b'], ['', 'c']]
    """
    cells = cells_of(html)
    texts = {(cell.row, cell.column): cell.text for cell in cells}
    n_rows, n_columns = extent(cells)
    return [[texts.get((row, column), "") for column in range(n_columns)] for row in range(n_rows)]


class _CellParser(HTMLParser):
    """Collects cells. A place that a cell of an earlier row covers is skipped."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[Cell] = []
        self._row = -1
        self._taken: set[tuple[int, int]] = set()
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._row += 1
        elif tag in ("td", "th"):
            self._add({name: int(value) for name, value in attrs if value and value.isdigit()})
        elif tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.cells[-1] = self.cells[-1]._replace(text=self.cells[-1].text + data)

    def _add(self, spans: dict[str, int]) -> None:
        column = 0
        while (self._row, column) in self._taken:
            column += 1
        cell = Cell(self._row, column, "", spans.get("rowspan", 1), spans.get("colspan", 1))
        self._taken |= {(self._row + down, column + right) for down in range(cell.rows) for right in range(cell.columns)}
        self.cells.append(cell)
        self._open = True
