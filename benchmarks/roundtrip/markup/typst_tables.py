"""Tables in Typst's language. Pure."""

from collections.abc import Callable

from benchmarks.roundtrip.markup.look import Look, rules_of
from benchmarks.roundtrip.markup.tree import Cell, Element, Grid, grid_of, holes
from benchmarks.roundtrip.markup.widths import LONG, fit_widths, room_of, scale_for

RULES = {
    "grid": "stroke: 0.5pt",
    "booktabs": "stroke: none",
    "none": "stroke: none",
    "half": "stroke: (x: none, y: 0.4pt)",
    "zebra": 'stroke: none, fill: (x, y) => if y < HEAD { rgb("#c8d4e4") } else if calc.odd(y) { rgb("#eef1f5") }',
}


def typst_table(table: Element, look: Look, width: float, inner: Callable[[Element], str]) -> str:
    """Return a table; `inner` sets what stands in a cell, `width` is the room in points."""
    grid = grid_of(table)
    if not grid.columns:
        return ""
    rules = rules_of(table, look)
    scale = scale_for(grid, room_of(width, look))
    rows = [_row(grid, number, rules, look, inner) for number in range(grid.rows)]
    head = f"table.header({''.join(rows[: grid.head_rows])})," if grid.head_rows else ""
    lines = ((0, 1.0), (grid.head_rows, 0.5), (grid.rows, 1.0)) if rules == "booktabs" else ()
    ruled = "".join(f"table.hline(y: {y}, stroke: {stroke}pt)," for y, stroke in lines)
    body = "".join(rows[grid.head_rows :])
    shares = fit_widths(grid, room_of(width, look, look.table_size))
    columns = f"({', '.join(f'{share:.1f}fr' for share in shares)},)" if look.full_tables else grid.columns
    settings = f"columns: {columns}, align: start + top, {RULES[rules].replace('HEAD', str(grid.head_rows))}"
    space = 5 if rules in ("none", "booktabs") else 4
    inset = f"inset: (x: {space}pt, y: {look.size * 0.3:.1f}pt)"
    set_table = f"#table({settings}, {inset}, {head}{body}{ruled})"
    breakable = "true" if grid.rows > LONG else "false"
    size = look.size * min(scale, look.table_size)
    small = f"#set text(size: {size:.2f}pt, hyphenate: false); #set par(justify: false, leading: 0.5em, first-line-indent: 0pt)"
    return f"\n\n#block(breakable: {breakable})[{small}\n{set_table}]\n\n"


def _row(grid: Grid, number: int, rules: str, look: Look, inner: Callable[[Element], str]) -> str:
    """Return the cells of a row, and the short rules below labels that span columns in a head without others."""
    cells = [_cell(cell, look, inner) for cell in grid.cells if cell.row == number]
    empty = [f"table.cell(x: {column}, y: {row})[]," for row, column in holes(grid) if row == number]
    short = ""
    if rules == "booktabs" and number < grid.head_rows - 1:
        spans = [cell for cell in grid.cells if cell.row == number and cell.columns > 1]
        lines = (
            f"table.hline(y: {number + 1}, start: {cell.column}, end: {cell.column + cell.columns}, stroke: 0.4pt),"
            for cell in spans
        )
        short = "".join(lines)
    return "".join([*cells, *empty, short])


def _cell(cell: Cell, look: Look, inner: Callable[[Element], str]) -> str:
    settings = [f"x: {cell.column}, y: {cell.row}"]
    if cell.columns > 1:
        settings.append(f"colspan: {cell.columns}")
    if cell.rows > 1:
        settings.append(f"rowspan: {cell.rows}")
    if cell.align != "left":
        settings.append(f"align: {cell.align} + top")
    text = inner(cell.element).strip()
    pad = f"#pad(left: {cell.indent * look.size:.1f}pt)[{text}]" if cell.indent else text
    return f"table.cell({', '.join(settings)})[{f'#strong[{pad}]' if cell.head and text else pad}],"
