"""Drawn pages with boxes and columns: cards, side bars, footnotes below each column, slides."""

from benchmarks.roundtrip.drawn.charts import chart
from benchmarks.roundtrip.drawn.pen import Pen
from benchmarks.roundtrip.drawn.tables import drawn_plan, table


def cards(pen: Pen) -> str:
    """Draw rows of two or three cards, each with a heading of its own."""
    many = pen.one((2, 3))
    body = f"<h1>{pen.title()}</h1>{pen.p()}"
    for _ in range(pen.rng.randint(2, 3)):
        inner = "".join(f"<aside><h3>{pen.phrase().capitalize()}</h3>{pen.p(1, 3)}</aside>" for _ in range(many))
        body += f'<section class="cards">{inner}</section>'
    return body + f"<h2>{pen.title()}</h2>{pen.prose(2, 4)}"


def side_bar(pen: Pen) -> str:
    """Draw prose with a box beside it, or with a box between paragraphs."""
    items = "".join(f"<li>{pen.phrase()}</li>" for _ in range(pen.rng.randint(2, 5)))
    box = f"<aside><h3>{pen.title()}</h3>{pen.p(1, 3)}{pen.one(('', f'<ul>{items}</ul>'))}</aside>"
    if pen.chance(0.6):
        main = f"<h2>{pen.title()}</h2>{pen.prose(3, 4)}"
        beside = f'<section class="columns-2 side-bar"><div>{main}</div><div>{box}</div></section>'
        return f"<h1>{pen.title()}</h1>{beside}{pen.prose(1, 3)}"
    return f"<h1>{pen.title()}</h1>{pen.prose(2, 3)}{box}<h2>{pen.title()}</h2>{pen.prose(2, 3)}"


def headings_beside(pen: Pen) -> str:
    """Draw two columns of sections that begin at one height, as in programmes and comparisons."""
    columns = (f"<h2>{pen.title()}</h2>{pen.prose(1, 2)}<h3>{pen.title()}</h3>{pen.prose(1, 1)}" for _ in range(2))
    beside = "".join(f"<div>{column}</div>" for column in columns)
    return f'<h1>{pen.title()}</h1>{pen.p()}<section class="columns-2">{beside}</section><h2>{pen.title()}</h2>{pen.prose(1, 2)}'


def footnotes(pen: Pen) -> str:
    """Draw two columns that fill a page, each with its own footnotes at its foot."""
    number, columns = 1, []
    for _ in range(2):
        many = pen.rng.randint(1, 3)
        paragraphs = "".join(_mark(pen, n) for n in range(number, number + many))
        notes = "".join(f"<p><sup>{n}</sup> {pen.sentence()}</p>" for n in range(number, number + many))
        number += many
        more = f"<h2>{pen.title()}</h2>{pen.p()}" if pen.chance(0.5) else pen.p()
        columns.append(f'<div>{paragraphs}{more}<section class="footnotes">{notes}</section></div>')
    return f'<h1>{pen.title()}</h1><section class="columns-2 page">{"".join(columns)}</section>'


def slides(pen: Pen) -> str:
    """Draw slides: a large heading with bullets, a small table or a chart under it."""
    pages = []
    for _ in range(pen.rng.randint(3, 5)):
        items = "".join(f"<li>{pen.phrase().capitalize()}</li>" for _ in range(pen.rng.randint(3, 5)))
        plan = drawn_plan(pen, columns=3, rows=pen.rng.randint(2, 4), stub="plain", head="single", remarks=False)
        caption = f"<figcaption>{pen.title()}</figcaption>"
        content = pen.one((f"<ul>{items}</ul>", f"<ul>{items}</ul>", table(pen, plan), f"<figure>{chart(pen)}{caption}</figure>"))
        pages.append(f'<section class="slide"><h1>{pen.title()}</h1>{content}</section>')
    return "".join(pages)


def _mark(pen: Pen, number: int) -> str:
    return f"<p>{pen.sentences(1, 2)} {pen.sentence()[:-1]}<sup>{number}</sup>. {pen.sentences(1, 2)}</p>"
