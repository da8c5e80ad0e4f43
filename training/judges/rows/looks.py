"""Looks: a grid as HTML, as statistical offices, companies and journals print tables, without rules between most rows."""

from collections.abc import Sequence
from html import escape

from benchmarks.roundtrip.drawn.pen import Pen
from training.judges.rows.drawn import BREAK, BULLET
from training.judges.rows.grids import SECTION, TOTAL, Grid, Row

FAMILIES = (
    "Liberation Serif", "Liberation Sans", "Liberation Sans Narrow", "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Condensed",
    "EB Garamond", "Lato", "Carlito", "Noto Sans", "Noto Serif",
)  # fmt: skip
PAGES = ((595, 842), (612, 792), (612, 792), (842, 595))
"""Widths and heights of pages, in points."""


def set_page(grids: Sequence[Grid], pen: Pen, number: int) -> tuple[str, str]:
    """Return the rule for page `number`, and a section that fills it: tables with headings and prose around them."""
    g = pen.rng
    family, size, margin = pen.one(FAMILIES), g.uniform(7.5, 11.5), g.randint(36, 80)
    width, height = pen.one(PAGES)
    if max(grid.n_columns for grid in grids) > 7 and pen.chance(0.6):
        width, height = max(width, height), min(width, height)
    body = ""
    for grid in grids:
        body += f"<h2>{escape(pen.title())}</h2>" if pen.chance(0.5) else ""
        body += pen.prose(1, 1) if pen.chance(0.75) else ""
        body += _table(grid, pen, size, family)
    body += pen.prose(1, 2) if pen.chance(0.7) else ""
    rule = f"@page p{number} {{ size: {width}pt {height}pt; margin: {margin}pt }}"
    style = f"page: p{number}; break-after: page; font: {size:.1f}pt '{family}'; line-height: {g.uniform(1.1, 1.45):.2f}"
    return rule, f'<section style="{style}">{body}</section>'


class _Look:
    """What is the same for all cells of one table."""

    def __init__(self, grid: Grid, pen: Pen, size: float) -> None:
        g = pen.rng
        self.size = max(6.0, size * g.uniform(0.75, 1.0))
        self.leading = g.choice([g.uniform(1.0, 1.2), g.uniform(1.0, 1.2), g.uniform(1.0, 1.4), g.uniform(1.3, 2.0)])
        self.pad = g.choice([0, 0, 0, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 4, 6])
        self.head_pad = self.pad if pen.chance(0.6) else g.choice([0, 0.5, 1, 2, 4])
        self.gutter = g.uniform(2.5, 8)
        self.valign = pen.one(("top", "top", "bottom", "bottom", "middle"))
        self.head_valign = pen.one(("bottom", "bottom", "bottom", "middle", "middle", "top"))
        self.tall_valign = pen.one(("middle", "middle", "top", "bottom"))
        self.align = pen.one(("right", "right", "right", "center", "left"))
        self.head_align = pen.one((self.align, "center", "center", "right", "left"))
        self.span_align = pen.one(("center", "center", "center", self.head_align))
        self.stub_align = pen.one(("left", "left", "center"))
        self.head_rule, self.span_rule, self.row_rules = pen.chance(0.65), pen.chance(0.6), pen.chance(0.06)
        self.head_style = pen.one(("", "font-weight:bold;")) + pen.one(("", "", "", "background:#ddd;"))
        self.section_style = pen.one(("font-weight:bold;", "", "font-style:italic;", "font-weight:bold;"))
        self.centred_sections, self.bold_totals, self.bands = pen.chance(0.12), pen.chance(0.5), pen.chance(0.07)
        self.section_gap = self.size * g.uniform(0.2, 0.9) if pen.chance(0.3) else 0.0
        self.every = g.choice([0, 0, 0, 0, 0, 3, 4, 5])
        self.indent = g.uniform(0.6, 2) if pen.chance(0.8) else 0.0
        self.hanging, self.dots = pen.chance(0.12), pen.chance(0.15)
        self.bullet = g.choice([0, 0, g.uniform(0.8, 2.5)])
        self.longest = [max([4, *(len(row.cells[n].text) for row in grid.body)]) for n in range(grid.n_columns)]
        self.texts = {n for n in range(1, grid.n_columns) if _is_of_texts([row.cells[n].text for row in grid.body])}


def _is_of_texts(texts: Sequence[str]) -> bool:
    return 2 * sum(len(text) > 6 and any(map(str.isalpha, text)) for text in texts) > len(texts)


def _table(grid: Grid, pen: Pen, size: float, family: str) -> str:
    g = pen.rng
    look = _Look(grid, pen, size)
    if grid.n_columns > 6:
        look.size = max(5.5, min(look.size, 8.5))
    few = grid.n_columns < 4
    width = f"width:{g.uniform(35 if few else 55, 100):.0f}%;" if pen.chance(0.8) else ""
    edges = ("border-top:.8pt solid;" if pen.chance(0.65) else "") + ("border-bottom:.8pt solid;" if pen.chance(0.6) else "")
    gap, align, weight = g.choice([0, 1, 2, 4, 8, 12]), pen.one(("left", "left", "center")), pen.one(("bold", "normal"))
    above = "".join(
        f'<p style="margin:0 0 {gap if n == len(grid.title) - 1 else 0}pt;font-size:{look.size * g.uniform(0.95, 1.2):.1f}pt;'
        f'font-weight:{"normal" if n else weight};text-align:{align}">{escape(text)}</p>'
        for n, text in enumerate(grid.title)
    )
    small = g.choice([1, 0.9, 0.85, 0.8])
    below = "".join(
        f'<p style="margin:{0 if n else gap}pt 0 0;font-size:{look.size * small:.1f}pt">{escape(text)}</p>'
        for n, text in enumerate(grid.notes)
    )
    inner = (
        f"{_columns(look, pen) if pen.chance(0.65) else ''}<thead>{_head(grid, look)}</thead><tbody>{_body(grid, look)}</tbody>"
    )
    style = f"border-collapse:collapse;{width}font-size:{look.size:.1f}pt;{edges}"
    family = family if pen.chance(0.75) else pen.one(FAMILIES)
    box = f"margin:{g.randint(4, 14)}pt 0;font-family:'{family}';line-height:{look.leading:.2f}"
    return f'<div style="{box}">{above}<table style="{style}">{inner}</table>{below}</div>'


def _columns(look: _Look, pen: Pen) -> str:
    """Return the widths of columns: by their longest texts, those of text and the first one narrower, so that they wrap."""
    g = pen.rng
    tight = g.choice([0.35, 0.5, 0.7, 0.9, 1.1])
    wanted = []
    for n, longest in enumerate(look.longest):
        if n == 0:
            wanted.append(min(max(6, longest * 0.55), 30) * tight)
        elif n in look.texts:
            wanted.append(min(max(5, longest * 0.5), 34) * g.uniform(0.6, 1.2))
        else:
            wanted.append(min(max(4, longest * 0.6), 22) * g.uniform(0.9, 1.2))
    columns = "".join(f'<col style="width:{100 * width / sum(wanted):.1f}%">' for width in wanted)
    return f"<colgroup>{columns}</colgroup>"


def _head(grid: Grid, look: _Look) -> str:
    found = ""
    for n, row in enumerate(grid.head):
        covered = {
            column + k
            for above, labels in enumerate(grid.head[:n])
            for column, label in labels.items()
            if above + label.rows > n
            for k in range(label.columns)
        }
        found += "<tr>"
        column = 0
        while column < grid.n_columns:
            if column in covered:
                column += 1
                continue
            label = row.get(column)
            rows, columns = (label.rows, label.columns) if label else (1, 1)
            last = n + rows == len(grid.head)
            align = look.stub_align if not column else look.span_align if columns > 1 else look.head_align
            rule = "border-bottom:.6pt solid;" if last and look.head_rule else ""
            rule = "border-bottom:.4pt solid;" if columns > 1 and not last and look.span_rule else rule
            padding = f"padding:{look.head_pad / 2:.2f}pt {look.gutter / 2:.1f}pt;"
            style = f"{look.head_style}vertical-align:{look.head_valign};text-align:{align};{padding}{rule}"
            text = _text(label.text, 0) if label else ""
            found += f'<th rowspan="{rows}" colspan="{columns}" style="{style}">{text}</th>'
            column += columns
        found += "</tr>"
    return found


def _body(grid: Grid, look: _Look) -> str:
    found = ""
    for n, row in enumerate(grid.body):
        top = look.pad / 2 + (look.section_gap if row.kind == SECTION and n else 0)
        top += look.size * 0.7 if look.every and n and n % look.every == 0 and row.kind != SECTION else 0
        style = f"padding:{top:.2f}pt {look.gutter / 2:.1f}pt {look.pad / 2:.2f}pt;"
        style += "background:#e8eef4;" if look.bands and n % 2 else ""
        style += "border-bottom:.3pt solid #888;" if look.row_rules else ""
        style += "font-weight:bold;" if row.kind == TOTAL and look.bold_totals else ""
        style += look.section_style if row.kind == SECTION else ""
        if row.kind == SECTION and look.centred_sections:
            text = escape(row.cells[0].text)
            found += f'<tr><td colspan="{grid.n_columns}" style="{style}text-align:center">{text}</td></tr>'
        else:
            found += f"<tr>{_cells(row, look, style)}</tr>"
    return found


def _cells(row: Row, look: _Look, style: str) -> str:
    found = ""
    for n, cell in enumerate(row.cells):
        if not cell.rows:
            continue
        valign = look.tall_valign if cell.rows > 1 else look.valign
        own = f"{style}vertical-align:{valign};"
        text = _text(cell.text, look.bullet)
        if n:
            own += f"text-align:{'left' if n in look.texts else look.align};"
        else:
            hanging = look.size if look.hanging else 0.0
            own += f"padding-left:{look.gutter / 2 + row.level * look.indent * look.size + hanging:.1f}pt;"
            own += f"text-indent:-{hanging:.1f}pt;" if hanging else ""
            room = look.longest[0] - len(cell.text) - 3
            text += " " + "." * int(1.2 * room) if look.dots and row.kind != SECTION and cell.text and room > 0 else ""
        found += f'<td rowspan="{cell.rows}" style="{own}">{text}</td>'
    return found


def _text(text: str, bullet: float) -> str:
    """Return a cell's text with its breaks; its bullets, if it has any, stand `bullet` em before what they begin."""
    lines = escape(text).split(BREAK)
    if BULLET not in text:
        return "<br>".join(lines)
    mark = f'<span style="display:inline-block;text-indent:0;width:{bullet:.1f}em">{BULLET}</span>' if bullet else f"{BULLET} "
    style = f"margin:.15em 0 0 {bullet:.1f}em;text-indent:-{bullet:.1f}em"
    return "".join(f'<p style="{style}">{line.replace(f"{BULLET} ", mark)}</p>' for line in lines)
