"""Styles: the ways in which pages are made, by typesetter; those of the split `test` are never looked at.

Settings, of which a typesetter uses those that it can:

- family: the font; further ones stand in for scripts that it lacks. size: of the body in points. leading: of a line, by the size.
- h1 h2 h3 h4: sizes of headings by that of the body. heading_weight: bold or normal. heading_align: left or center.
  heading_family, where it differs. heading_colour, band (the colour behind a heading, or none).
- numbered, capitals: 1 where headings have numbers or are in capitals. The text itself is changed so, for every typesetter alike.
- justified, hyphens: 1 or 0. paragraphs: space (between them) or indent (of their first lines).
- rules: of tables, grid, booktabs, none or zebra. table_size: by that of the body. table_width: full or auto.
- header: none, top, bottom or both; header_size: by that of the body. margin and gap (between columns) in points.
- bullet: of lists. code: plain or boxed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

A4, LETTER, A5, SMALL, SLIDE = (595.0, 842.0), (612.0, 792.0), (420.0, 595.0), (180.0, 300.0), (960.0, 540.0)

Settings = Mapping[str, str | float]
COMMON: Settings = {
    "family": "Liberation Serif",
    "size": 10,
    "leading": 1.3,
    "h1": 1.8,
    "h2": 1.4,
    "h3": 1.15,
    "h4": 1.0,
    "heading_weight": "bold",
    "heading_align": "left",
    "heading_family": "",
    "heading_colour": "black",
    "band": "none",
    "numbered": 0,
    "capitals": 0,
    "justified": 0,
    "hyphens": 0,
    "paragraphs": "space",
    "rules": "booktabs",
    "table_size": 0.95,
    "table_width": "full",
    "header": "none",
    "header_size": 0.85,
    "margin": 60,
    "gap": 18,
    "bullet": "•",
    "code": "plain",
}


class Style(NamedTuple):
    """One way to set pages; `page` is width and height in points."""

    name: str
    typesetter: str
    split: str
    page: tuple[float, float]
    columns: int
    settings: Settings

    def capacity(self) -> float:
        """Return about how many characters of running text fill a page."""
        size, leading, margin = (float(self.settings[key]) for key in ("size", "leading", "margin"))
        width, height = self.page
        return (width - 2 * margin) * (height - 2 * margin) / (size * size * leading * 0.48)


def _style(typesetter: str, split: str, name: str, page: tuple[float, float], columns: int = 1, **settings: Any) -> Style:
    unknown = settings.keys() - COMMON.keys()
    assert not unknown, unknown
    return Style(f"{typesetter}-{name}", typesetter, split, page, columns, {**COMMON, **settings})


_SANS: dict[str, Any] = {"family": "Liberation Sans", "size": 9.5}
_FLAT: dict[str, Any] = {"h1": 1.0, "h2": 1.0, "h3": 1.0}
_SLIDE: dict[str, Any] = {"size": 20, "h1": 1.7, "h2": 1.4, "h3": 1.1, "margin": 50, "leading": 1.25}
_SMALL: dict[str, Any] = {"size": 6, "margin": 16, "h1": 1.5, "h2": 1.25, "gap": 8}

STYLES = (
    _style("weasy", "train", "report", A4, header="both", rules="booktabs", justified=1),
    _style("weasy", "train", "bands", A4, **_SANS, band="#c9dcef", rules="zebra", header="top", header_size=1.2, code="boxed"),
    _style(
        "weasy",
        "train",
        "journal",
        A4,
        2,
        size=9,
        margin=48,
        justified=1,
        hyphens=1,
        numbered=1,
        paragraphs="indent",
        header="top",
    ),
    _style("weasy", "train", "flat", LETTER, **_FLAT, size=11, numbered=1, rules="grid", table_width="auto"),
    _style("weasy", "train", "small", SMALL, **_SMALL, family="DejaVu Sans", rules="none", header="bottom"),
    _style("weasy", "test", "book", A5, family="EB Garamond", size=10, justified=1, hyphens=1, paragraphs="indent", header="top"),
    _style("weasy", "test", "brochure", LETTER, 3, family="Noto Sans", size=8, margin=40, band="#23395d", heading_colour="white"),
    _style(
        "weasy", "test", "law", A4, **_FLAT, family="Noto Serif", capitals=1, numbered=1, heading_align="center", header="bottom"
    ),
    _style("chromium", "train", "web", A4, **_SANS, leading=1.5, h1=2.0, rules="zebra", heading_colour="#1a4a8a", header="both"),
    _style(
        "chromium", "train", "slides", SLIDE, **_SLIDE, family="Liberation Sans", rules="none", bullet="\u2013", header="bottom"
    ),
    _style(
        "chromium", "train", "magazine", LETTER, 2, **_SANS, heading_family="Liberation Serif", heading_weight="normal", h1=2.4
    ),
    _style(
        "chromium", "test", "memo", LETTER, family="DejaVu Serif", size=9, h1=1.3, h2=1.15, h3=1.0, rules="grid", header="top"
    ),
    _style("chromium", "test", "deck", SLIDE, **_SLIDE, family="Lato", band="#f3e3c3", rules="booktabs", heading_align="center"),
    _style("chromium", "test", "tight", A4, 2, family="Lato", size=8, leading=1.2, margin=36, rules="none", header="both"),
    _style(
        "typst", "train", "paper", A4, 2, size=9, margin=50, numbered=1, justified=1, paragraphs="indent", heading_align="center"
    ),
    _style("typst", "train", "handout", LETTER, **_SANS, band="#e4efe0", rules="grid", header="both"),
    _style("typst", "train", "pocket", SMALL, **_SMALL, rules="booktabs"),
    _style("typst", "test", "thesis", A4, family="Libertinus Serif", size=11, h1=1.5, h2=1.2, h3=1.0, justified=1, header="top"),
    _style("typst", "test", "leaflet", A4, 3, family="DejaVu Sans", size=7.5, margin=36, rules="zebra", bullet="‣"),
    _style("latex", "train", "article", A4, size=10, justified=1, hyphens=1, numbered=1, paragraphs="indent", header="bottom"),
    _style("latex", "train", "twocolumn", LETTER, 2, size=9, justified=1, numbered=1, header="top", rules="grid"),
    _style("latex", "test", "book", A5, size=9, justified=1, paragraphs="indent", header="both", h1=2.0, h2=1.3),
    _style("latex", "test", "plain", LETTER, **_FLAT, size=11, rules="grid", header="bottom"),
    _style("office", "train", "letter", A4, **_SANS, rules="grid", header="both", heading_colour="#2e74b5"),
    _style("office", "train", "columns", A4, 2, size=10, rules="zebra", justified=1),
    _style("office", "test", "memo", LETTER, family="Carlito", size=11, rules="grid", header="top", header_size=1.1, numbered=1),
    _style("office", "test", "small", A5, family="Liberation Serif", size=8, h1=1.2, h2=1.1, rules="none", table_width="auto"),
)
