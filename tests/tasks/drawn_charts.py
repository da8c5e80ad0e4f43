"""Charts drawn by matplotlib as vectors, with their own words, on a page between two paragraphs."""

import io
from typing import Any, Final

import pymupdf

from tests.tasks.drawn import LEFT, RIGHT, bytes_of

FONT_TYPES: Final = (3, 42)
"""Type 3 fonts draw letters, type 42 are TrueType: matplotlib embeds either."""
BOX: Final = (90, 150, 500, 420)


def bars(axes: Any) -> None:
    """Draw two bars for each of three mills, with all words that a chart may have."""
    for n, (year, tonnes) in enumerate((("last year", (30, 50, 20)), ("this year", (35, 42, 28)))):
        axes.bar([0.4 * n + place for place in range(3)], tonnes, 0.4, label=year)
    axes.set(title="Flour by mill", xlabel="mill on the river", ylabel="tonnes of flour", ylim=(0, 90))
    axes.set_xticks([0.2, 1.2, 2.2], ["Upper Mill", "Weir Mill", "Town Mill"])
    axes.legend(loc="upper right")


def lines(axes: Any) -> None:
    """Draw two lines against two upright axes, the second's name on the right."""
    axes.plot([2010, 2015, 2020], [1, 3, 2], label="depth")
    axes.set(title="The river\nat the weir", xlabel="year", ylabel="metres")
    axes.set_xticks([2010, 2012, 2014, 2016, 2018, 2020])
    other = axes.twinx()
    other.plot([2010, 2015, 2020], [5, 12, 8], color="red")
    other.set_ylabel("degrees Celsius")


def points(axes: Any) -> None:
    """Draw points on an axis of logarithms."""
    axes.semilogy([1, 2, 3, 4], [1, 20, 300, 9000], "o")
    axes.set(title="Grain lost", xlabel="weeks in store", ylabel="grains")


KINDS: Final = {"bar chart": bars, "line graph": lines, "scatter plot": points}


def chart(kind: str, font_type: int = 42) -> bytes:
    """Return a PDF that is nothing but the chart."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"pdf.fonttype": font_type}):
        figure = Figure(figsize=(6, 4), layout="tight")
        KINDS[kind](figure.subplots())
        sink = io.BytesIO()
        figure.savefig(sink, format="pdf", metadata={"CreationDate": None})
    return sink.getvalue()


def page_with(kind: str, font_type: int = 42) -> bytes:
    """Return a page of two paragraphs with the chart between them."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), RIGHT * 3, fontsize=10)
    page.show_pdf_page(pymupdf.Rect(BOX), pymupdf.open("pdf", chart(kind, font_type)), 0)
    page.insert_textbox((60, 440, 535, 520), LEFT * 2, fontsize=10)
    return bytes_of(document)
