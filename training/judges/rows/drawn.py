"""Drawn tables: invented ones with what printed tables have, and public data lacks: wrapped names, prose, bullets, tall stubs."""

from collections.abc import Callable

from benchmarks.roundtrip.drawn.pen import Pen
from training.judges.rows.grids import SECTION, TOTAL, Cell, Grid, Label, Row, row_of

AROUND = (
    "of total", "per capita", "as a share of", "in all", "and related", "by type of", "excluding", "for the year",
    "at constant prices", "number of", "average annual", "growth rate", "(thousands)", "(%)", "per 1,000", "change from", "to",
    "end of period", "net of", "estimated", "since", "rate of",
)  # fmt: skip
"""What stands between nouns in labels of columns."""
UNITS = ("kg/year", "(%)", "$", "(thousands)", "no.", "US$ million", "(n = 24)")
GROUPS = (
    "Men",
    "Women",
    "Total",
    "North",
    "Assets",
    "Liabilities",
    "Income",
    "Low",
    "High",
    "Phase I",
    "Part A",
    "All ages",
    "Other",
)
SUBS = (("Number", "Percentage", "Mean", "Total"), ("Men", "Women", "Both", "All"), ("2009", "2010", "2011", "2012"))
"""What stands beside a name over several rows."""
BREAK, BULLET = "\n", "\u2022"


def draw_table(pen: Pen) -> Grid:
    """Return a table with its title and notes."""
    g = pen.rng
    prose = pen.chance(0.25)
    n_columns = g.randint(2, 4) if prose else g.randint(2, 9)
    share = 0.8 if prose else 0.5 if n_columns < 3 else 0.3 if n_columns < 5 else 0.04
    texts = {column for column in range(1, n_columns) if pen.chance(share)}
    cells = _cells(pen, texts, prose, n_columns)
    grid = Grid(n_columns, _head(pen, texts, n_columns), _body(pen, cells, prose, n_columns))
    if not prose and n_columns > 2 and pen.chance(0.2):
        grid.body = _with_tall_stubs(pen, grid.body)
    if pen.chance(0.7):
        number = g.randint(1, 40)
        grid.title = [pen.one((f"Table {number}. ", f"TABLE {number}: ", "", "")) + pen.title(pen.chance(0.3))]
    if grid.title and pen.chance(0.25):
        grid.title.append(pen.one(("(in thousands)", "(millions of dollars)", "Percent", "[Thousands of units]")))
    if pen.chance(0.5):
        marks = pen.some(("Source: ", "Note: ", "* ", "1. ", "(a) ", "n.a. = not available. ", ""), 1, 3)
        grid.notes = [mark + pen.sentences(1, 2) for mark in marks]
    return grid


def draw_reference(pen: Pen) -> Grid:
    """Return a table as references of programs have: small names, what they mean, some with a default."""
    g = pen.rng
    n_columns, joint, empty = g.choice([2, 2, 2, 3]), pen.one(("", "_", "-", ".")), g.choice([0, 0, 0.2, 0.6])
    sign, long = pen.one(("", "", "-", "--", "@")), pen.chance(0.6)
    labels = ("Name", "Meaning", "Default") if pen.chance(0.5) else ("Option", "Description", "Type")
    head = [{column: Label(labels[column]) for column in range(n_columns)}] if pen.chance(0.6) else []

    def name() -> str:
        words = pen.some(pen.trade.nouns, 1, 2 if joint else 1)
        return sign + joint.join(word.lower().replace(" ", joint) for word in words)

    def meaning() -> str:
        if pen.chance(empty):
            return ""
        text = pen.one((pen.phrase(), pen.sentence(), pen.sentences(1, 2))) if long else pen.phrase()
        return text if pen.chance(0.7) else text[:1].lower() + text[1:]

    rows = [[name(), meaning(), pen.one(("0", "none", "string", "", "true"))][:n_columns] for _ in range(g.randint(3, 14))]
    return Grid(n_columns, head, [Row([Cell(text) for text in row]) for row in rows])


def _label(pen: Pen, long: float, unit: str) -> str:
    words = [pen.one(pen.trade.nouns)]
    for _ in range(pen.rng.choice([1, 2, 3, 4]) if pen.chance(long) else pen.rng.choice([0, 1, 1, 2])):
        words.append(pen.one((pen.one(AROUND), pen.one(pen.trade.nouns), pen.one(pen.trade.adjectives))))
    text = _capital(" ".join(words))
    text = text.title() if pen.chance(0.2) else text
    return f"{text}{BREAK}{unit}" if unit else f"{text} {pen.one(UNITS)}" if pen.chance(0.1) else text


def _head(pen: Pen, texts: set[int], n_columns: int) -> list[dict[int, Label]]:
    """Return no head, one row, or rows with labels over several columns, perhaps with a row of units."""
    if pen.chance(0.08):
        return []
    g = pen.rng
    long, unit = g.choice([0.0, 0.5, 1.0, 1.0]), pen.one(UNITS) if pen.chance(0.12) else ""
    year = g.randint(1985, 2020) if pen.chance(0.3) else 0
    low = {
        column: Label(str(year + column) if year and column not in texts else _label(pen, long, unit))
        for column in range(1, n_columns)
    }
    stub = _label(pen, long, "") if pen.chance(0.75) else ""
    head = [low]
    if n_columns > 3 and pen.chance(0.4):
        over, tall = _spanning(pen, low, long, n_columns), pen.chance(0.5)
        head = [over, low] if over else [low]
        if stub:
            head[0 if tall else -1][0] = Label(stub, len(head) if tall else 1)
        if over and pen.chance(0.15):
            head.insert(0, {1: Label(_capital(pen.phrase()), 1, n_columns - 1)})
    elif stub:
        low[0] = Label(stub)
    if pen.chance(0.15):
        units = ("(%)", "(thousands)", "$", "Million", "Percent", "no.")
        whole = {1: Label(pen.one(("percent", "number", "(in thousands)", "dollars")), 1, n_columns - 1)}
        head.append({column: Label(pen.one(units)) for column in range(1, n_columns)} if pen.chance(0.6) else whole)
    if pen.chance(0.05):
        head.append({column: Label(f"({column})") for column in range(1, n_columns)})
    return [row for row in head if row]


def _spanning(pen: Pen, low: dict[int, Label], long: float, n_columns: int) -> dict[int, Label]:
    """Return labels over columns; some of those in `low` reach up beside them."""
    over: dict[int, Label] = {}
    column = 1
    while column < n_columns:
        width = min(n_columns - column, pen.rng.choice([1, 2, 2, 3, 4]))
        if width > 1 or pen.chance(0.3):
            over[column] = Label(_label(pen, long, ""), 1, width)
        elif pen.chance(0.6) and len(low) > 1:
            over[column] = Label(low.pop(column).text, 2)
        column += width
    return over


def _cells(pen: Pen, texts: set[int], prose: bool, n_columns: int) -> Callable[[int], str]:
    """Return what draws the cell of a column."""
    g = pen.rng
    kinds = [pen.one(("count", "amount", "decimal", "percent", "currency", "change")) for _ in range(n_columns)]
    kinds = [kinds[0]] * n_columns if n_columns > 5 or pen.chance(0.5) else kinds
    empty, filler = g.choice([0, 0, 0, 0.1, 0.3]), pen.one(("\u2013", "-", "n.a.", "..", "", "\u2014"))
    bullets = prose and pen.chance(0.35)

    def text() -> str:
        return pen.one((pen.phrase(), pen.sentence(), pen.sentences(1, 2), f"{_capital(pen.phrase())} of the {pen.phrase()}"))

    def cell(column: int) -> str:
        if column not in texts:
            return filler if pen.chance(empty) else pen.figure(kinds[column])
        if not prose:
            return pen.one((pen.phrase(), _capital(pen.phrase()), pen.one(pen.trade.items), pen.sentence()))
        count = g.choice([1, 1, 2, 3, 5]) if bullets else g.choice([1, 1, 1, 2])
        return BREAK.join((f"{BULLET} " if bullets else "") + text() for _ in range(count))

    return cell


def _body(pen: Pen, cell: Callable[[int], str], prose: bool, n_columns: int) -> list[Row]:
    g = pen.rng
    count = g.choice([2, 3, 4, 5, 6]) if prose else g.choice([2, 3, 4, 5, 6, 8, 10, 14, 20])
    long, group, every = g.choice([0, 0, 0.2, 0.45, 0.7]), pen.chance(0.35), g.randint(2, 5)
    kind = pen.one((*["name"] * 9, "year", "code", "range"))
    year, remarked = g.randint(1960, 2005), pen.chance(0.15)
    body = []
    for n in range(count):
        if group and n % every == 0:
            section = pen.one(GROUPS) if pen.chance(0.6) else _stub(pen, long)
            body.append(Row([Cell(section), *[Cell("")] * (n_columns - 1)], SECTION))
        total = n == count - 1 and pen.chance(0.4)
        stubs = {"year": str(year + n), "code": f"{g.randint(1, 99)}.{g.randint(0, 9)}", "range": f"{5 * n}\u2013{5 * n + 4}"}
        stub = f"Total {pen.one(pen.trade.nouns)}" if total else stubs.get(kind) or _stub(pen, long)
        if remarked and not total and pen.chance(0.6):
            stub += f"{BREAK}({pen.one(pen.trade.places)}, {pen.one(pen.trade.items)})"
        body.append(row_of([stub, *(cell(column) for column in range(1, n_columns))], int(group and not total)))
        body[-1].kind = TOTAL if total else body[-1].kind
    return body


def _stub(pen: Pen, long: float) -> str:
    text = pen.one((pen.one(pen.trade.items), pen.phrase(), pen.one(pen.trade.places), pen.one(pen.trade.items)))
    while len(text) < 110 and pen.chance(long):
        then = (pen.phrase(), pen.one(pen.trade.nouns), pen.one(pen.trade.items), pen.one(pen.trade.places), pen.figure("year"))
        text += pen.one((" and ", ", ", " of ", " with ", " for the ", " \u2013 ", " ")) + pen.one(then)
    return _capital(text)


def _with_tall_stubs(pen: Pen, body: list[Row]) -> list[Row]:
    """Return rows in groups whose name stands once, beside all of them."""
    size, subs = pen.rng.choice([2, 2, 2, 3, 4]), pen.one(SUBS)
    rows = [row for row in body if row.kind != SECTION]
    found = []
    for n, row in enumerate(rows[: len(rows) // size * size]):
        first = Cell(row.cells[0].text, size) if n % size == 0 else Cell("", 0)
        found.append(Row([first, Cell(subs[n % size]), *row.cells[2:]]))
    return found or body


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
