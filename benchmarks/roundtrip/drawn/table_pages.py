"""Pages with drawn tables: in prose, with captions and notes, side by side, after each other, over a page break, sideways."""

from benchmarks.roundtrip.drawn.pen import Pen
from benchmarks.roundtrip.drawn.tables import RULES, drawn_plan, pairs_table, table, words_table


def draw_ruled(pen: Pen) -> str:
    """Draw tables of one kind of rules in prose."""
    rules = pen.one(RULES)
    return _among(pen, [_add_caption(pen, table(pen, drawn_plan(pen, rules=rules))) for _ in range(pen.rng.randint(2, 3))])


def heads(pen: Pen) -> str:
    """Draw tables with broken heads and heads of two levels."""
    kinds = ("two-level", "broken")
    plans = [drawn_plan(pen, head=kind, columns=pen.rng.randint(4, 6), rows=pen.rng.randint(4, 8)) for kind in kinds]
    return _among(pen, [_add_caption(pen, table(pen, plan)) for plan in plans])


def stubs(pen: Pen) -> str:
    """Draw tables whose stubs have sub-headings, wrap, or name groups of rows."""
    some = [drawn_plan(pen, stub="indented"), drawn_plan(pen, stub="wrapped"), drawn_plan(pen, stub="grouped", rules="grid")]
    return _among(pen, [_add_caption(pen, table(pen, plan._replace(remarks=False))) for plan in pen.some(some, 2, 2)])


def draw_wrapped(pen: Pen) -> str:
    """Draw tables of words, whose cells take several lines."""
    tables = [words_table(pen, pen.one(RULES), pen.rng.randint(2, 4), pen.rng.randint(3, 7)) for _ in range(2)]
    return _among(pen, [_add_caption(pen, drawn) for drawn in tables])


def small(pen: Pen) -> str:
    """Draw tables of a head and one row, and tables without a head and of two columns."""
    one_row = table(pen, drawn_plan(pen, head="single", stub="plain", rows=1, total=False, remarks=False, empty=0.0))
    pairs = pairs_table(pen, pen.one(RULES), pen.rng.randint(3, 7))
    return _among(pen, [_add_caption(pen, one_row), pairs])


def side_by_side(pen: Pen) -> str:
    """Draw two tables beside each other."""
    plan = drawn_plan(pen, columns=2, stub="plain", head="single", remarks=False, rows=pen.rng.randint(4, 8))
    two = [table(pen, plan._replace(rows=plan.rows + more)) for more in (0, pen.rng.randint(0, 2))]
    captions = [f"<p><b>{pen.title()}</b></p>" if pen.chance(0.5) else "" for _ in two]
    beside = "".join(f"<div>{caption}{drawn}</div>" for caption, drawn in zip(captions, two, strict=True))
    return f'<h2>{pen.title()}</h2>{pen.p()}<section class="columns-2">{beside}</section>{pen.prose(1, 3)}'


def after_each_other(pen: Pen) -> str:
    """Draw two tables with nothing but a heading between them."""
    plan = drawn_plan(pen, remarks=False)
    two = [table(pen, plan), table(pen, plan)]
    return f"<h1>{pen.title()}</h1>{pen.p()}<h2>{pen.title()}</h2>{two[0]}<h2>{pen.title()}</h2>{two[1]}{pen.p()}"


def over_pages(pen: Pen) -> str:
    """Draw a table that one page cannot hold; its head is repeated."""
    stub, head = pen.one(("plain", "indented")), pen.one(("single", "two-level"))
    plan = drawn_plan(pen, rows=pen.rng.randint(60, 85), stub=stub, head=head, remarks=False)
    return f"<h1>{pen.title()}</h1>{pen.p()}{_add_caption(pen, table(pen, plan), below=False)}{pen.p()}"


def sideways(pen: Pen) -> str:
    """Draw a wide table that stands sideways on a page of its own."""
    columns, rows = pen.rng.randint(6, 8), pen.rng.randint(6, 10)
    plan = drawn_plan(pen, columns=columns, stub=pen.one(("plain", "indented")), rows=rows, remarks=False)
    turned = f'<section class="sideways">{_add_caption(pen, table(pen, plan), below=False)}</section>'
    return f"<h1>{pen.title()}</h1>{pen.prose(1, 3)}{turned}{pen.prose(1, 2)}"


def _add_caption(pen: Pen, drawn: str, below: bool = True) -> str:
    """Put a caption above or below a table, or none, and sometimes a note under it."""
    number = f"{pen.one(('Table', 'Tab.', 'TABLE'))} {pen.rng.randint(1, 30)}{pen.one(('.', ':', ' -'))}"
    caption = f"<figcaption>{number} {pen.title()}{pen.one(('', '.'))}</figcaption>"
    where = pen.one(("above", "above", "below", "none"))
    if where == "above":
        drawn = f"<figure>{caption}{drawn}</figure>"
    elif where == "below" and below:
        return f"<figure>{drawn}{caption}</figure>"
    mark = pen.one(("Note: ", "Source: ", "* "))
    return drawn + (f'<p class="note">{mark}{pen.sentence()}</p>' if pen.chance(0.4) else "")


def _among(pen: Pen, tables: list[str]) -> str:
    """Put tables among headings and paragraphs."""
    body = f"<h1>{pen.title()}</h1>"
    for drawn in tables:
        title = f"<h2>{pen.title()}</h2>" if pen.chance(0.6) else ""
        body += f"{title}{pen.prose(1, 2)}{drawn}"
    return body + pen.p()
