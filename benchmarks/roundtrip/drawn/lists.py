"""Drawn pages that list: contents, definitions, forms."""

from benchmarks.roundtrip.drawn.pen import Pen


def contents(pen: Pen) -> str:
    """Draw a contents page: entries with the number of a page in <b>; a level below the first is a class."""
    numbered, page, entries = pen.chance(0.6), 1, []
    for chapter in range(1, pen.rng.randint(6, 11)):
        entries.append(_entry(f"{chapter} {pen.title()}" if numbered else pen.title(), page, 1))
        for section in range(1, pen.rng.randint(1, 5)):
            page += pen.rng.randint(1, 7)
            entries.append(_entry(f"{chapter}.{section} {pen.title()}" if numbered else pen.title(), page, 2))
        page += pen.rng.randint(1, 9)
    arrangement = pen.one(("contents dots", "contents dots", "contents plain", "contents dots two"))
    title = pen.one({"train": ("Contents", "Table of contents"), "test": ("In this volume", "CONTENTS")}[pen.split])
    after = f"<h1>{pen.title()}</h1>{pen.prose(2, 4)}" if pen.chance(0.5) else ""
    return f'<h1>{title}</h1><section class="{arrangement}">{"".join(entries)}</section>{after}'


def _entry(title: str, page: int, level: int) -> str:
    return f'<p class="level-{level}">{title} <b>{page}</b></p>'


def definitions(pen: Pen) -> str:
    """Draw lists of terms with indented bodies among headings."""
    body = f"<h1>{pen.title()}</h1>{pen.p()}"
    for _ in range(pen.rng.randint(2, 3)):
        terms = pen.some(pen.trade.items, 3, 6)
        strong = "<b>{}</b>" if pen.chance(0.7) else "{}"
        pairs = "".join(f"<dt>{strong.format(term)}</dt><dd>{pen.sentences(1, 3)}</dd>" for term in terms)
        body += f"<h2>{pen.title()}</h2>{pen.p(1, 2)}<dl>{pairs}</dl>"
    return body + pen.p()


def form(pen: Pen) -> str:
    """Draw a form: lines of labels and values, boxes with a label in each, or a ruled table of labels and values."""
    body = f"<h1>{pen.title()}</h1>{pen.p(1, 2)}"
    for number in range(1, pen.rng.randint(3, 4)):
        body += f"<h2>{pen.one(('Part', 'Section'))} {number}. {pen.title()}</h2>" + pen.one((_lines, _boxes, _cells))(pen)
    return (
        body
        + f'<section class="form"><p><b>Signature</b> {pen.one(pen.trade.places)}</p><p><b>Date</b> {_date(pen)}</p></section>'
    )


def _fields(pen: Pen) -> list[tuple[str, str]]:
    colon = pen.one(("", ":"))
    labels = pen.some(pen.trade.items, 4, 8)
    values = [pen.one((pen.figure("currency"), pen.phrase(), _date(pen), pen.one(pen.trade.places))) for _ in labels]
    return [(label + colon, value) for label, value in zip(labels, values, strict=True)]


def _lines(pen: Pen) -> str:
    return f'<section class="form">{"".join(f"<p><b>{label}</b> {value}</p>" for label, value in _fields(pen))}</section>'


def _boxes(pen: Pen) -> str:
    fields = _fields(pen)[:4] if pen.chance(0.5) else _fields(pen)[:6]
    fields = fields[: len(fields) // 2 * 2]
    return f'<section class="form boxes">{"".join(f"<p><b>{label}</b><br>{value}</p>" for label, value in fields)}</section>'


def _cells(pen: Pen) -> str:
    rows = "".join(f"<tr><td><b>{label}</b></td><td>{value}</td></tr>" for label, value in _fields(pen))
    return f'<table class="grid"><tbody>{rows}</tbody></table>'


def _date(pen: Pen) -> str:
    day, month, year = pen.rng.randint(1, 28), pen.rng.randint(1, 12), pen.figure("year")
    return {"train": f"{day:02d}/{month:02d}/{year}", "test": f"{year}-{month:02d}-{day:02d}"}[pen.split]
