"""Tables in LaTeX: columns as wide as their words where these fit, else of given widths. Pure."""

from collections.abc import Callable

from benchmarks.roundtrip.markup.look import Look, rules_of
from benchmarks.roundtrip.markup.tree import Cell, Element, Grid, cell_at, grid_of
from benchmarks.roundtrip.markup.widths import LONG, character, fit_widths, room_of, scale_for, widths_wanted

SIDES = {"left": "l", "center": "c", "right": "r"}
RAGGED = {"left": r"\raggedright", "center": r"\centering", "right": r"\raggedleft"}


class Setting:
    """How one table is set: `widths` of columns in points, none where the columns are as wide as their words."""

    def __init__(self, table: Element, look: Look, width: float) -> None:
        self.grid, self.rules, self.look = grid_of(table), rules_of(table, look), look
        self.scale = min(look.table_size, scale_for(self.grid, room_of(width, look)))
        room = room_of(width, look, self.scale)
        broken = any(cell.element.find(".//br") is not None for cell in self.grid.cells)
        self.long = self.grid.rows > LONG
        one_line = sum(widths_wanted(self.grid)) + 2 * self.grid.columns <= room
        free = not (broken or look.full_tables or self.long) and one_line
        em = look.size * self.scale * character(look)
        widths = [chars * em for chars in fit_widths(self.grid, room)]
        self.gap = min(em, (width - sum(widths)) / (2 * self.grid.columns) - 0.4)
        if look.full_tables:
            more = (width - 2 * self.gap * self.grid.columns - 3) / sum(widths)
            widths = [each * more for each in widths]
        self.widths = [] if free else widths

    def column(self, align: str, wide: float | None) -> str:
        """Return what the preamble says of a column."""
        return SIDES[align] if wide is None else f">{{{RAGGED[align]}\\arraybackslash}}p{{{wide:.1f}pt}}"

    def width_of(self, cell: Cell) -> float | None:
        """Return the width of a cell, with the gaps between the columns that it spans."""
        own = self.widths[cell.column : cell.column + cell.columns]
        return sum(own) + 2 * self.gap * (cell.columns - 1) if own else None


def latex_table(table: Element, look: Look, width: float, inner: Callable[[Element], str]) -> str:
    """Return a table; `inner` sets what stands in a cell, `width` is the room in points."""
    if not grid_of(table).columns:
        return ""
    setting = Setting(table, look, width)
    grid, bar = setting.grid, "|" if setting.rules == "grid" else ""
    columns = [setting.column("left", setting.widths[at] if setting.widths else None) for at in range(grid.columns)]
    spec = bar + bar.join(columns) + bar
    rows = [_row(setting, number, inner, bar) + _rule_below(setting, number) for number in range(grid.rows)]
    top = {"booktabs": r"\toprule ", "grid": r"\hline ", "half": r"\hline "}.get(setting.rules, "")
    head = top + "".join(rows[: grid.head_rows])
    body = "".join(rows[grid.head_rows :])
    size = look.size * setting.scale
    small = f"\\sized{{{size:.2f}}}{{{size * 1.2:.2f}}}\\setlength{{\\tabcolsep}}{{{setting.gap:.2f}pt}}"
    small += r"\parskip=0pt\parindent=0pt\renewcommand{\arraystretch}{1.15}"
    if setting.long:
        set_table = f"\\begin{{longtable}}[l]{{{spec}}}{head}\\endhead {body}\\end{{longtable}}"
    else:
        set_table = f"\\noindent\\begin{{tabular}}{{{spec}}}{head}{body}\\end{{tabular}}\\par"
    return f"\n\n\\vspace{{3pt}}{{{small} {set_table}}}\\vspace{{3pt}}\n\n"


def _row(setting: Setting, number: int, inner: Callable[[Element], str], bar: str) -> str:
    """Return a row; below a cell that is several rows high its columns stay empty.

    Where cells may take several lines and no rule parts them, rows stand apart: one sees where a row begins.
    """
    parts, column = [], 0
    while column < setting.grid.columns:
        cell = cell_at(setting.grid, number, column)
        if cell is None:
            parts.append("")
            column += 1
            continue
        parts.append(_cell(setting, cell, inner, bar) if cell.row == number else _under(cell, bar))
        column += cell.columns
    colour = ""
    if setting.rules == "zebra":
        band = number < setting.grid.head_rows or number % 2 == 1
        colour = f"\\rowcolor[HTML]{{{'C8D4E4' if number < setting.grid.head_rows else 'EEF1F5'}}}" if band else ""
    apart = r"\noalign{\vskip 2.5pt}" if setting.widths and setting.rules in ("none", "booktabs") else ""
    return f"{colour}{' & '.join(parts)}\\\\{apart}\n"


def _under(cell: Cell, bar: str) -> str:
    return f"\\multicolumn{{{cell.columns}}}{{{bar if cell.column == 0 else ''}l{bar}}}{{}}" if cell.columns > 1 else ""


def _cell(setting: Setting, cell: Cell, inner: Callable[[Element], str], bar: str) -> str:
    text = inner(cell.element).strip()
    if cell.head and text:
        text = f"\\textbf{{{text}}}"
    if cell.indent:
        text = f"\\hspace*{{{cell.indent * setting.look.size:.1f}pt}}{text}"
    if cell.rows > 1:
        wide = setting.width_of(cell)
        text = f"\\multirow[t]{{{cell.rows}}}{{{f'{wide:.1f}pt' if wide else '*'}}}{{{text}}}"
    wide = setting.width_of(cell)
    if cell.columns > 1 or cell.align != "left":
        left = bar if cell.column == 0 else ""
        text = f"\\multicolumn{{{cell.columns}}}{{{left}{setting.column(cell.align, wide)}{bar}}}{{{text}}}"
    return text


def _rule_below(setting: Setting, number: int) -> str:
    """Return the rule below a row: not through cells that go on."""
    grid, last = setting.grid, setting.grid.rows - 1
    if setting.rules == "booktabs":
        spans = [cell for cell in grid.cells if cell.row == number < grid.head_rows - 1 and cell.columns > 1]
        short = "".join(f"\\cmidrule(lr){{{cell.column + 1}-{cell.column + cell.columns}}}" for cell in spans)
        return (r"\midrule " if number == grid.head_rows - 1 < last else "") + short + (r"\bottomrule " if number == last else "")
    if setting.rules not in ("grid", "half"):
        return ""
    free = [column for column in range(grid.columns) if _ends(grid, number, column)]
    return r"\hline " if len(free) == grid.columns else "".join(f"\\cline{{{column + 1}-{column + 1}}}" for column in free)


def _ends(grid: Grid, row: int, column: int) -> bool:
    cell = cell_at(grid, row, column)
    return cell is None or cell.row + cell.rows == row + 1
