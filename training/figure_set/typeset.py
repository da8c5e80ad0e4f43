"""Tables, equations and text as they stand on typeset pages."""

import io
from typing import NamedTuple

import numpy as np
from PIL import Image

from training.figure_set.words import (
    Generator,
    axis_label,
    between,
    category_names,
    chance,
    colour,
    count,
    figure_text,
    paragraph,
    phrase,
    pick,
)

FAMILIES = ("sans-serif", "serif", "serif", "monospace")
WIDE_PAGE = 4000
"""Points: higher than any snippet; what is left empty is cut off."""


def snippet(rng: Generator, html: str, width: float) -> Image.Image:
    """Return HTML typeset on a column `width` points wide, cut to what is printed."""
    import pymupdf

    margin = between(rng, 0, 8)
    sink = io.BytesIO()
    writer = pymupdf.DocumentWriter(sink)
    story = pymupdf.Story(html)
    device = writer.begin_page(pymupdf.Rect(0, 0, width + 2 * margin, WIDE_PAGE))
    _, filled = story.place(pymupdf.Rect(margin, margin, margin + width, WIDE_PAGE))
    story.draw(device)
    writer.end_page()
    writer.close()
    height = max(8.0, min(pymupdf.Rect(filled).y1 + margin, width * 2.2))
    with pymupdf.open("pdf", sink.getvalue()) as document:
        pixmap = document[0].get_pixmap(dpi=pick(rng, (72, 100, 130, 160)), clip=pymupdf.Rect(0, 0, width + 2 * margin, height))
    return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


def _css(rng: Generator) -> str:
    return f"font-family:{pick(rng, FAMILIES)};font-size:{between(rng, 7, 13):.1f}px;line-height:{between(rng, 1.1, 1.6):.2f};"


def _rgb(value: tuple[int, ...]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*value)


def _cell(rng: Generator, text: str, tag: str, style: str) -> str:
    return f'<{tag} style="padding:{between(rng, 1, 4):.0f}px {between(rng, 2, 8):.0f}px;{style}">{text}</{tag}>'


class Look(NamedTuple):
    """How a table looks: its rules, alignment, the colours of rules, head and stripes, and what its cells hold."""

    rules: str
    align: str
    line: str
    head: tuple[int, int, int]
    fill: tuple[int, int, int]
    wordy: bool
    empty: float


def table(rng: Generator) -> Image.Image:
    """Return a table: ruled, booked, striped or bare, of figures or of words, with or without a head; wide, long or small."""
    columns = 1 if chance(rng, 0.05) else count(rng, 2, pick(rng, (3, 4, 6, 9, 12)))
    rows = count(rng, 1, pick(rng, (2, 4, 8, 14, 25)))
    ink = pick(rng, ((0, 0, 0), (0, 0, 0), (170, 170, 170), (255, 255, 255)))
    look = Look(
        pick(rng, ("grid", "grid", "rules", "booked", "booked", "striped", "bare")),
        pick(rng, ("left", "center", "right", "center")),
        f"1px solid {_rgb(ink)}",
        pick(rng, (colour(rng), (255, 255, 255), (255, 255, 255), (220, 220, 220))),
        colour(rng, 215, 255),
        chance(rng, 0.35),
        between(rng, 0, pick(rng, (0.1, 0.25, 0.7))),
    )
    body = "".join(_row(rng, look, (row, rows), columns) for row in range(rows + 1))
    style = f"border-collapse:collapse;width:{pick(rng, ('100%', '100%', '90%'))};{_css(rng)}"
    if look.rules == "striped" and chance(rng, 0.5):
        style += f"background-color:{_rgb(colour(rng, 235, 255))};"
    caption = f"<p>Table {count(rng, 1, 9)}. {phrase(rng, 3, 8)}</p>" if chance(rng, 0.15) else ""
    width = between(rng, 40 * columns + 80, 90 * columns + 160)
    return snippet(rng, f'<div style="{_css(rng)}">{caption}<table style="{style}">{body}</table></div>', width)


def _row(rng: Generator, look: Look, place: tuple[int, int], columns: int) -> str:
    row, last = place
    top = row == 0 and chance(rng, 0.9)
    style = f"text-align:{look.align};"
    if look.rules == "grid":
        style += f"border:{look.line};"
    elif look.rules == "rules" or (look.rules == "booked" and row in (0, last)):
        style += f"border-bottom:{look.line};" + ("border-top:1px solid black;" if row == 0 else "")
    if top:
        style += f"background-color:{_rgb(look.head)};color:{'black' if sum(look.head) > 380 else 'white'};"
        style += f"font-weight:{pick(rng, ('bold', 'bold', 'normal'))};"
    elif look.rules == "striped" and row % 2:
        style += f"background-color:{_rgb(look.fill)};"
    cells = [_content(rng, n, top, look.wordy) if n == 0 or not chance(rng, look.empty) else "" for n in range(columns)]
    left = [style + "text-align:left;", *[style] * (columns - 1)]
    return "<tr>" + "".join(_cell(rng, text, "th" if top else "td", how) for text, how in zip(cells, left, strict=True)) + "</tr>"


def _content(rng: Generator, column: int, top: bool, wordy: bool) -> str:
    if top:
        return axis_label(rng)
    if column == 0:
        return pick(rng, (phrase(rng, 1, 3), category_names(rng, 1)[0], str(count(rng, 1, 99)), phrase(rng, 1, 6)))
    return pick(rng, (paragraph(rng, 1, 3), phrase(rng, 1, 4), figure_text(rng))) if wordy else figure_text(rng)


def text(rng: Generator) -> Image.Image:
    """Return a piece of a page of prose: paragraphs, a heading, a list, one line, or two columns."""
    kind = rng.random()
    if kind < 0.12:
        html = f"<p>{phrase(rng, 2, 9)}</p>"
    elif kind < 0.25:
        html = "<ul>" + "".join(f"<li>{paragraph(rng, 1, 2)}</li>" for _ in range(count(rng, 2, 7))) + "</ul>"
    else:
        html = "".join(f"<p>{paragraph(rng)}</p>" for _ in range(count(rng, 1, 5)))
        html = (f"<h{count(rng, 1, 3)}>{phrase(rng, 2, 6)}</h2>" if chance(rng, 0.35) else "") + html
    style = f"{_css(rng)}text-align:{pick(rng, ('justify', 'justify', 'left', 'center'))};"
    if chance(rng, 0.06):
        style += f"background-color:{_rgb(colour(rng, 0, 90))};color:white;"
    made = snippet(rng, f'<div style="{style}">{html}</div>', between(rng, 120, 420))
    if chance(rng, 0.15):
        both = Image.new("RGB", (made.width * 2 + 20, made.height), (255, 255, 255))
        both.paste(made, (0, 0))
        both.paste(
            made.transpose(Image.Transpose.ROTATE_180) if chance(rng, 0.02) else made,
            (made.width + 20, int(between(rng, -20, 20))),
        )
        return both
    return made


LATIN, GREEK = (
    "x y z a b c n k m p q r t u v w f g h",
    r"\alpha \beta \gamma \delta \lambda \mu \sigma \theta \phi \omega \pi \rho",
)
LETTERS = [*LATIN.split(), *GREEK.split(), *"A B C D E F L P R S T V X".split()]
RELATIONS = r"= = = = \leq \geq \approx \equiv < > \in \rightarrow \neq \sim".split()
OPERATORS = r"+ + - - \cdot \times / \pm".split()
QUANTITIES = (r"buffer\ pH", "Cost", "Area", "rate", "depth", "pH")
UPPER, LOWER = ("mol", "kg", "m", "soil", "L", "cmol"), ("L", "s", "g", "kg")
FUNCTIONS = r"\sin \cos \log \ln \exp \max \min \det \Pr".split()


def _term(rng: Generator, depth: int) -> str:
    """Return a term as TeX, of at most `depth` levels."""
    letter = pick(rng, LETTERS)
    if depth == 0:
        return pick(
            rng,
            (letter, letter, str(count(rng, 1, 99)), f"{letter}_{{{pick(rng, LETTERS)}}}", f"{letter}^{{{count(rng, 2, 4)}}}"),
        )
    inner = [_term(rng, depth - 1) for _ in range(3)]
    forms = (
        rf"\frac{{{inner[0]} {pick(rng, OPERATORS)} {inner[1]}}}{{{inner[2]}}}",
        rf"\sqrt{{{inner[0]} {pick(rng, OPERATORS)} {inner[1]}}}",
        rf"\left({inner[0]} {pick(rng, OPERATORS)} {inner[1]}\right)",
        rf"\sum_{{{pick(rng, LETTERS)}=1}}^{{{pick(rng, LETTERS)}}} {inner[0]}",
        rf"\int_{{{pick(rng, LETTERS)}}}^{{{pick(rng, LETTERS)}}} {inner[0]} \, d{pick(rng, LETTERS)}",
        rf"{pick(rng, FUNCTIONS)}({inner[0]})",
        rf"{letter}_{{{inner[0]}}}^{{{count(rng, 1, 9)}}}",
        rf"\lim_{{{letter} \to \infty}} {inner[1]}",
        rf"\frac{{\partial {letter}}}{{\partial {pick(rng, LETTERS)}}}",
        rf"\hat{{{letter}}} {pick(rng, OPERATORS)} {inner[0]}",
        _quantity(rng),
        _quantity(rng),
        rf"\mathrm{{{pick(rng, QUANTITIES)}}} {pick(rng, OPERATORS)} {inner[0]}",
    )
    return pick(rng, forms)


def _quantity(rng: Generator) -> str:
    """Return a number with its unit, or one such divided by another, as physics and accounts have them."""
    value = pick(
        rng,
        (
            f"{between(rng, 0, 99):.2f}",
            f"{count(rng, 1, 99)},{count(rng, 100, 999)}",
            f"{count(rng, 1, 9)}^{{-{count(rng, 1, 9)}}}",
        ),
    )
    over = rf"{value}\ \mathrm{{{pick(rng, UPPER)}}}"
    return rf"\frac{{{over}}}{{{count(rng, 1, 999)}\ \mathrm{{{pick(rng, LOWER)}}}}}" if chance(rng, 0.6) else over


def equation(rng: Generator) -> Image.Image:
    """Return one to three lines of mathematics, sometimes numbered."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = between(rng, 10, 26)
    figure = Figure(figsize=(6, 3), dpi=pick(rng, (72, 100, 140)))
    with matplotlib.rc_context({"mathtext.fontset": pick(rng, ("cm", "cm", "stix", "dejavuserif", "dejavusans", "stixsans"))}):
        for line in range(pick(rng, (1, 1, 1, 1, 2, 3))):
            parts = [_term(rng, count(rng, 0, 2)) for _ in range(count(rng, 1, pick(rng, (2, 4, 6))))]
            body = f" {pick(rng, OPERATORS)} ".join(parts[:-1]) or pick(rng, LETTERS)
            if chance(rng, 0.12):
                body = rf"\mathrm{{{phrase(rng, 1, 3).replace(' ', chr(92) + ' ')}}}"
            right = pick(rng, ("", "", ",", ".", rf"\quad ({count(rng, 1, 40)})"))
            figure.text(
                0.02,
                -line * size / 72 / 3 * between(rng, 2.0, 2.8),
                f"${body} {pick(rng, RELATIONS)} {parts[-1]}{right}$",
                fontsize=size,
                color=pick(rng, ("black", "black", "#333333")),
            )
        sink = io.BytesIO()
        FigureCanvasAgg(figure)
        figure.savefig(sink, format="png", bbox_inches="tight", pad_inches=between(rng, 0, 0.2))
    return trim(Image.open(sink).convert("RGB"), count(rng, 0, 12))


def trim(picture: Image.Image, margin: int) -> Image.Image:
    """Cut off what has the colour of the first pixel, but for a margin in pixels."""
    values = np.asarray(picture).astype(int)
    marked = np.abs(values - values[0, 0]).sum(axis=2) > 30
    ys, xs = marked.any(axis=1).nonzero()[0], marked.any(axis=0).nonzero()[0]
    if not len(ys):
        return picture
    box = (xs[0] - margin, ys[0] - margin, xs[-1] + 1 + margin, ys[-1] + 1 + margin)
    return picture.crop((max(0, box[0]), max(0, box[1]), min(picture.width, box[2]), min(picture.height, box[3])))
