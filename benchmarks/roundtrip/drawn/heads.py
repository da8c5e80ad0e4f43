"""Drawn pages about headings: centred capitals at body size, headings of two lines, large titles, drop caps, figures."""

from benchmarks.roundtrip.drawn.charts import chart
from benchmarks.roundtrip.drawn.pen import Pen


def capitals(pen: Pen) -> str:
    """Draw sections under numbered, centred capitals at body size, or under such without numbers."""
    numbered = pen.one(("{}. ", "{} ", "", "SECTION {}. "))
    body = f"<h1>{pen.title()}</h1>{pen.p()}"
    for number in range(1, pen.rng.randint(4, 7)):
        body += f'<h2 class="same centred">{numbered.format(number)}{pen.title().upper()}</h2>{pen.prose(2, 4)}'
    return body


def two_lines(pen: Pen) -> str:
    """Draw headings that take two lines, by their length or by a break."""
    body = f"<h1>{pen.title(long=True)}</h1>{pen.p()}"
    for number in range(1, pen.rng.randint(4, 7)):
        title = pen.title(long=True) if pen.chance(0.6) else f"{pen.title()}<br>{pen.phrase()} and {pen.phrase()}"
        body += f"<h2>{pen.one((f'{number} ', ''))}{title}</h2>{pen.prose(2, 4)}"
    return body


def plain(pen: Pen) -> str:
    """Draw prose with headings of three levels and lists: what running heads of any size stand over."""
    body = f"<h1>{pen.title()}</h1>{pen.prose(1, 2)}"
    for _ in range(pen.rng.randint(3, 5)):
        body += f"<h2>{pen.title()}</h2>{pen.prose(1, 2)}"
        tag = pen.one(("ul", "ol"))
        items = "".join(f"<li>{pen.one((pen.title(), pen.sentence()))}</li>" for _ in range(pen.rng.randint(3, 6)))
        body += f"<{tag}>{items}</{tag}>" if pen.chance(0.5) else f"<h3>{pen.title()}</h3>{pen.prose(1, 2)}"
    return body


def large_title(pen: Pen) -> str:
    """Draw a page under a very large title, above prose or above a figure."""
    first = f'<h1 class="large">{pen.title()}</h1>{_figure(pen) if pen.chance(0.5) else pen.p()}{pen.prose(2, 4)}'
    return first + f'<h2 class="large">{pen.title()}</h2>{_figure(pen)}{pen.prose(1, 3)}'


def drop_caps(pen: Pen) -> str:
    """Draw chapters whose first letter is as high as some lines."""
    chapters = range(pen.rng.randint(2, 3))
    return "".join(f'<h1>{pen.title()}</h1><p class="drop-cap">{pen.sentences(5, 8)}</p>{pen.prose(2, 5)}' for _ in chapters)


def side_captions(pen: Pen) -> str:
    """Draw figures whose captions stand beside them, figures with captions below, and prose."""
    body = f"<h1>{pen.title()}</h1>{pen.p()}"
    for _ in range(pen.rng.randint(1, 2)):
        body += f'<section class="side-captions">{_figure(pen)}</section>'
        body += f"<h2>{pen.title()}</h2>{pen.prose(1, 2)}"
    return f"{body}{_figure(pen)}{pen.p()}"


def _figure(pen: Pen) -> str:
    caption = f"{pen.one(('Figure', 'Fig.', 'Chart'))} {pen.rng.randint(1, 20)}{pen.one(('.', ':'))} {pen.sentences(1, 2)}"
    return f"<figure>{chart(pen)}<figcaption>{caption}</figcaption></figure>"
