"""Tables in the OpenDocument format, ruled ones and those that only put things side by side. Pure."""

from collections.abc import Sequence

from benchmarks.roundtrip.markup.look import rules_of
from benchmarks.roundtrip.markup.office_styles import flow, keep_style, paragraph
from benchmarks.roundtrip.markup.tree import Cell, Element, Grid, cell_at, grid_of
from benchmarks.roundtrip.markup.walk import Markup
from benchmarks.roundtrip.markup.widths import LONG, character, fit_widths, room_of, scale_for

THIN, THICK = "0.5pt solid #333333", "1pt solid #000000"
ALIGNS = {"left": "start", "center": "center", "right": "end"}


def office_table(markup: Markup, table: Element) -> str:
    """Return a table with the rules of its class or of the style, its columns as wide as they need to be or as the page."""
    grid, look = grid_of(table), markup.look
    if not grid.columns:
        return ""
    scale = min(look.table_size, scale_for(grid, room_of(markup.width, look)))
    room = room_of(markup.width, look, scale)
    em = look.size * scale * character(look)
    widths = [(chars + 2) * em for chars in fit_widths(grid, room)]
    if look.full_tables:
        widths = [width * markup.width / sum(widths) for width in widths]
    rules = rules_of(table, look)
    rows = [_row(markup, grid, number, rules, scale) for number in range(grid.rows)]
    head = f"<table:table-header-rows>{''.join(rows[: grid.head_rows])}</table:table-header-rows>" if grid.head_rows else ""
    return frame_table(markup, widths, head + "".join(rows[grid.head_rows :]), grid.rows > LONG)


def frame_table(markup: Markup, widths: Sequence[float], rows: str, breaks: bool = False) -> str:
    """Return a table of these widths (points) and rows; `breaks` tells whether it may go on on the next page."""
    whole = f'style:width="{sum(widths):.1f}pt" table:align="left" fo:margin-top="4pt" fo:margin-bottom="6pt"'
    split = "true" if breaks else "false"
    style = keep_style(markup, "table", f'<style:table-properties {whole} style:may-break-between-rows="{split}"/>')
    columns = "".join(_column(markup, width) for width in widths)
    return f'<table:table table:style-name="{style}">{columns}{rows}</table:table>'


def layout(markup: Markup, widths: Sequence[float], cells: Sequence[str], look: str = "", gap: float = 0) -> str:
    """Return things side by side: a cell each, of a `look` with room inside it, gaps of so many points between them."""
    plain = 'fo:border="none" fo:padding="0pt"'
    inside = f'{look} fo:padding="4pt"' if look else plain
    boxed = keep_style(markup, "table-cell", f"<style:table-cell-properties {inside}/>")
    bare = keep_style(markup, "table-cell", f"<style:table-cell-properties {plain}/>")
    nothing = f'<text:p text:style-name="{paragraph(markup, scale=0.3)}"/>'
    empty = f'<table:table-cell table:style-name="{bare}">{nothing}</table:table-cell>'
    filled = [f'<table:table-cell table:style-name="{boxed}">{cell or nothing}</table:table-cell>' for cell in cells]
    spread = [width for each in widths for width in (each, gap)][:-1] if gap else list(widths)
    return frame_table(markup, spread, f"<table:table-row>{(empty if gap else '').join(filled)}</table:table-row>")


def _column(markup: Markup, width: float) -> str:
    style = keep_style(markup, "table-column", f'<style:table-column-properties style:column-width="{width:.1f}pt"/>')
    return f'<table:table-column table:style-name="{style}"/>'


def _row(markup: Markup, grid: Grid, number: int, rules: str, scale: float) -> str:
    parts, column = "", 0
    while column < grid.columns:
        cell = cell_at(grid, number, column)
        if cell is None or cell.row != number:
            parts += "<table:covered-table-cell/>" if cell else "<table:table-cell><text:p/></table:table-cell>"
            column += 1
            continue
        parts += _cell(markup, cell, grid, rules, scale) + "<table:covered-table-cell/>" * (cell.columns - 1)
        column += cell.columns
    style = keep_style(markup, "table-row", '<style:table-row-properties fo:keep-together="always"/>')
    return f'<table:table-row table:style-name="{style}">{parts}</table:table-row>'


def _cell(markup: Markup, cell: Cell, grid: Grid, rules: str, scale: float) -> str:
    facts: dict[str, str | float] = {
        "align": ALIGNS[cell.align],
        "left": cell.indent * markup.look.size,
        "scale": scale,
        "bold": int(cell.head),
    }
    side = markup.look.size * 0.4
    inset = f'fo:padding="2pt" fo:padding-left="{side:.1f}pt" fo:padding-right="{side:.1f}pt"'
    look = f"{inset} {_rules(cell, grid, rules)}"
    style = keep_style(markup, "table-cell", f"<style:table-cell-properties {look}/>")
    spans = f'table:number-columns-spanned="{cell.columns}" table:number-rows-spanned="{cell.rows}"'
    name = paragraph(markup, **facts)
    inner = flow(markup, cell.element, name) or f'<text:p text:style-name="{name}"/>'
    return f'<table:table-cell table:style-name="{style}" {spans}>{inner}</table:table-cell>'


def _rules(cell: Cell, grid: Grid, rules: str) -> str:
    """Return the borders and the band of a cell."""
    last = cell.row + cell.rows
    if rules == "grid":
        return f'fo:border="{THIN}"'
    if rules == "half":
        return f'fo:border-left="none" fo:border-right="none" fo:border-top="{THIN}" fo:border-bottom="{THIN}"'
    if rules == "zebra":
        colour = "#c8d4e4" if cell.row < grid.head_rows else "#eef1f5" if cell.row % 2 else ""
        return 'fo:border="none"' + (f' fo:background-color="{colour}"' if colour else "")
    if rules == "booktabs":
        top = THICK if cell.row == 0 else "none"
        inside = cell.row < grid.head_rows - 1 and cell.columns > 1
        bottom = THICK if last == grid.rows else THIN if last == grid.head_rows or inside else "none"
        return f'fo:border-left="none" fo:border-right="none" fo:border-top="{top}" fo:border-bottom="{bottom}"'
    return 'fo:border="none"'
