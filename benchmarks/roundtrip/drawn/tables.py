"""Drawn tables: a plan says which kind of head, stub, cells and rules they have.

Where a span cannot be seen, since no rule stops at it, an empty cell stands instead: two readers of the page would not agree
on the span.
"""

from typing import Any, NamedTuple

from benchmarks.roundtrip.drawn.figures import KINDS
from benchmarks.roundtrip.drawn.pen import Pen

RULES = ("grid", "booktabs", "none", "zebra", "half")
"""Classes of a table: all rules; three of them; none; bands; rules between all rows but not between columns."""
ENCLOSED = ("grid",)


class Plan(NamedTuple):
    """What a table is like.

    `head` is none, single, broken or two-level, `stub` plain, indented, wrapped or grouped. The stub is not one of `columns`.
    """

    rules: str
    head: str
    stub: str
    columns: int
    rows: int
    align: str
    head_align: str
    total: bool
    empty: float
    remarks: bool


def drawn_plan(pen: Pen, **fixed: Any) -> Plan:
    """Draw a plan; `fixed` fields are as given."""
    rules = str(fixed.get("rules", pen.one(RULES)))
    stubs = ("plain", "plain", "indented", "wrapped", *(("grouped",) if rules in ENCLOSED else ()))
    align = pen.one(("right", "right", "center", "left"))
    drawn = Plan(
        rules=rules,
        head=pen.one(("single", "single", "broken", "two-level")),
        stub=pen.one(stubs),
        columns=pen.rng.randint(2, 5),
        rows=pen.rng.randint(4, 12),
        align=align,
        head_align=pen.one((align, align, "center")),
        total=pen.chance(0.4),
        empty=pen.one((0.0, 0.0, 0.1, 0.25)),
        remarks=pen.chance(0.2),
    )
    return drawn._replace(**fixed)


def table(pen: Pen, plan: Plan) -> str:
    """Return a table as HTML."""
    kinds = [pen.one(KINDS) for _ in range(plan.columns)]
    head = _head(pen, plan, kinds)
    body = "".join(_group_rows(pen, plan, kinds) if plan.stub == "grouped" else _rows(pen, plan, kinds))
    if plan.total:
        cells = [_cell(f"<b>{pen.figure(kind)}</b>", plan.align) for kind in kinds] + ["<td></td>"] * plan.remarks
        body += _row([f"<td{_wide(plan)}><b>Total</b></td>", *cells])
    return f'<table class="{plan.rules}">{head}<tbody>{body}</tbody></table>'


def pairs_table(pen: Pen, rules: str, rows: int) -> str:
    """Return a table without a head and of two columns: names and figures, or names and words."""
    figures = pen.chance(0.5)
    names = pen.some(pen.trade.items, rows, rows)
    values = [_cell(pen.figure("amount"), "right") if figures else f"<td>{pen.phrase()}</td>" for _ in names]
    body = "".join(_row([f"<td>{name}</td>", value]) for name, value in zip(names, values, strict=True))
    return f'<table class="{rules}"><tbody>{body}</tbody></table>'


def words_table(pen: Pen, rules: str, columns: int, rows: int) -> str:
    """Return a table whose cells are phrases and sentences that wrap."""
    heads = "".join(f"<th>{pen.one(pen.trade.nouns).capitalize()}</th>" for _ in range(columns))
    long = pen.rng.randrange(columns)
    body = ""
    for _ in range(rows):
        body += _row([f"<td>{pen.sentence() if column == long else pen.phrase()}</td>" for column in range(columns)])
    return f'<table class="{rules}"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _row(cells: list[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(text: str, align: str, tag: str = "td", more: str = "") -> str:
    styled = "" if align == "left" else f' style="text-align:{align}"'
    return f"<{tag}{more}{styled}>{text}</{tag}>"


def _wide(plan: Plan) -> str:
    return ' colspan="2"' if plan.stub == "grouped" else ""


def _head(pen: Pen, plan: Plan, kinds: list[str]) -> str:
    """Return the head; the stub's own label stands beside the last line of it."""
    if plan.head == "none":
        return ""
    labels = [_label(pen, plan, kind) for kind in kinds]
    stub = pen.one(("", "Item", pen.one(pen.trade.nouns).capitalize()))
    last = [_cell(label, plan.head_align, "th") for label in labels] + ["<th>Remarks</th>"] * plan.remarks
    if plan.head != "two-level" or plan.columns < 4:
        return f"<thead>{_row([f'<th{_wide(plan)}>{stub}</th>', *last])}</thead>"
    split = pen.rng.randint(2, plan.columns - 2)
    align = pen.one(("center", plan.head_align))
    wide = (split, plan.columns - split)
    groups = [_cell(group, align, "th", f' colspan="{n}"') for group, n in zip(_two_groups(pen), wide, strict=True)]
    if plan.rules in ENCLOSED:
        tall = f'<th rowspan="2"{_wide(plan)}>{stub}</th>'
        upper, lower = [tall, *groups, *(['<th rowspan="2">Remarks</th>'] * plan.remarks)], last[: plan.columns]
    else:
        upper, lower = ["<th></th>", *groups, *(["<th></th>"] * plan.remarks)], [f"<th>{stub}</th>", *last]
    return f"<thead>{_row(upper)}{_row(lower)}</thead>"


def _two_groups(pen: Pen) -> list[str]:
    start = pen.rng.randrange(0, len(pen.trade.groups), 2)
    return pen.trade.groups[start : start + 2]


def _label(pen: Pen, plan: Plan, kind: str) -> str:
    """Return the head of a column; a broken one has two or three lines."""
    units = {"percent": "share", "currency": "cost", "change": "change", "year": "since"}
    unit = units.get(kind, pen.one(("2023", "2024", "total", "mean")))
    noun = pen.one(pen.trade.nouns).capitalize()
    if plan.head == "broken":
        return "<br>".join([noun, unit, *pen.some(("per unit", "in all", "at close"), 0, 1)])
    return pen.one((f"{noun} {unit}", noun, unit.capitalize()))


def _figures(pen: Pen, plan: Plan, kinds: list[str]) -> list[str]:
    texts = [pen.one(pen.form.nothing) if pen.chance(plan.empty) else pen.figure(kind) for kind in kinds]
    remark = [f"<td>{pen.phrase() if pen.chance(0.7) else pen.sentence()}</td>"] * plan.remarks
    return [_cell(text, plan.align) for text in texts] + remark


def _rows(pen: Pen, plan: Plan, kinds: list[str]) -> list[str]:
    rows: list[str] = []
    width = 1 + len(kinds) + plan.remarks
    for number in range(plan.rows):
        name = pen.one(pen.trade.items)
        indent = ""
        if plan.stub == "indented":
            if number % 4 == 0:
                group = pen.one((f"<b>{pen.one(pen.trade.groups)}</b>", pen.one(pen.trade.groups)))
                alone = [f"<td>{group}</td>"] + ["<td></td>"] * (width - 1)
                rows.append(_row([f'<td colspan="{width}">{group}</td>'] if plan.rules in ENCLOSED else alone))
            indent = ' style="padding-left:1.2em"'
        elif plan.stub == "wrapped" and pen.chance(0.5):
            name = f"{name} of the {pen.phrase()} at {pen.one(pen.trade.places)} and of every {pen.phrase()}"
        rows.append(_row([f"<td{indent}>{name}</td>", *_figures(pen, plan, kinds)]))
    return rows


def _group_rows(pen: Pen, plan: Plan, kinds: list[str]) -> list[str]:
    """Return rows whose first column names a group over several rows: the rules of the grid show how far."""
    rows: list[str] = []
    for group in pen.some(pen.trade.groups, 2, 4):
        names = pen.some(pen.trade.items, 2, 4)
        for number, name in enumerate(names):
            first = [f'<td rowspan="{len(names)}">{group}</td>'] if number == 0 else []
            rows.append(_row([*first, f"<td>{name}</td>", *_figures(pen, plan, kinds)]))
    return rows
