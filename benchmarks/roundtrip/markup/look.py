"""What Typst, LaTeX and LibreOffice take of a style, as numbers and flags. Pure."""

from typing import NamedTuple

from benchmarks.roundtrip.markup.tree import Element, classes
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style


class Look(NamedTuple):
    """A style's facts; lengths in points, sizes of headings (levels 1 to 4), header and tables as multiples of the body's.

    `band` is "" where headings have none; `heading_family` is never empty.
    """

    page: tuple[float, float]
    margin: float
    columns: int
    gap: float
    family: str
    size: float
    leading: float
    headings: tuple[float, float, float, float]
    heading_family: str
    heading_colour: str
    bold: bool
    centred: bool
    band: str
    justified: bool
    hyphens: bool
    indented: bool
    rules: str
    table_size: float
    full_tables: bool
    header: str
    header_size: float
    bullet: str

    def width(self) -> float:
        """Return the width of the text area."""
        return self.page[0] - 2 * self.margin

    def height(self) -> float:
        """Return the height of the text area."""
        return self.page[1] - 2 * self.margin


COLOURS = {"black": "#000000", "white": "#ffffff"}
SCRIPTS = ("Noto Sans CJK SC", "Noto Naskh Arabic", "Noto Sans Arabic", "Noto Sans", "Noto Sans Symbols2", "Noto Sans Math")
"""Fonts that stand in where a style's own lacks a script."""


def look_of(style: Style) -> Look:
    """Return the facts of a style."""
    told = style.settings
    headings = (float(told["h1"]), float(told["h2"]), float(told["h3"]), float(told["h4"]))
    colour = str(told["heading_colour"])
    return Look(
        page=style.page,
        margin=float(told["margin"]),
        columns=style.columns,
        gap=float(told["gap"]),
        family=str(told["family"]),
        size=float(told["size"]),
        leading=float(told["leading"]),
        headings=headings,
        heading_family=str(told["heading_family"] or told["family"]),
        heading_colour=COLOURS.get(colour, colour),
        bold=told["heading_weight"] == "bold",
        centred=told["heading_align"] == "center",
        band="" if told["band"] == "none" else str(told["band"]),
        justified=bool(told["justified"]),
        hyphens=bool(told["hyphens"]),
        indented=told["paragraphs"] == "indent",
        rules=str(told["rules"]),
        table_size=float(told["table_size"]),
        full_tables=told["table_width"] == "full",
        header=str(told["header"]),
        header_size=float(told["header_size"]),
        bullet=str(told["bullet"]),
    )


def furniture(source: Source) -> tuple[str, str]:
    """Return what the running header says at the left and at the right."""
    return source.package.replace("-", " ").title(), source.kind.title()


def rules_of(table: Element, look: Look) -> str:
    """Return the rules of a table: those of its class, else of the style."""
    own = classes(table) & {"grid", "booktabs", "none", "zebra", "half"}
    return min(own) if own else look.rules


def heading_size(element: Element, look: Look) -> float:
    """Return the size of a heading as a multiple of the body's."""
    own = classes(element)
    if "same" in own:
        return 1.0
    return look.headings[int(element.tag[1]) - 1] * (2 if "large" in own else 1)


def is_serif(family: str) -> bool:
    """Return whether a font has serifs, by its name."""
    return "Serif" in family or "Garamond" in family
