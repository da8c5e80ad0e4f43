"""Fonts of fixed width, told by the widths of their letters: programs rarely say so, and names such as SFTT1000 do not either."""

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from tasks.parse.page_errors import raise_unless_the_pages

if TYPE_CHECKING:
    import pymupdf

TYPEWRITTEN = (400.0, 700.0)
"""Widths of a letter in thousandths of the type size. Those of Chinese have 1000."""
ALIKE = 0.01
"""Largest difference of widths, as a share."""
LETTERS = 6
"""Fewest letters that tell it in a font whose codes are those of ASCII."""
GLYPHS = 12
"""Fewest glyphs that tell it in a font with codes of its own. Ten may be the digits, which have one width in most fonts."""
_NUMBER = re.compile(r"-?\d*\.?\d+")
_RUN = re.compile(r"\d+\s*\[([^\]]*)\]")
_SUBSET = re.compile(r"^[A-Z]{6}\+")


def fixed_width_fonts(page: "pymupdf.Page", names: Collection[str]) -> frozenset[str]:
    """Return those of the `names` of fonts, as words have them, whose letters have one width."""
    fonts = page.get_fonts() if names else ()
    named = {(xref, kind, _SUBSET.sub("", base or name).partition(" ")[0]) for xref, _, kind, base, name, _ in fonts if xref}
    return frozenset(name for xref, kind, name in named if name in names and _is_fixed(page.parent, xref, kind))


def _is_fixed(document: "pymupdf.Document", xref: int, kind: str) -> bool:
    """Return whether a font is of fixed width; one that is damaged is not."""
    try:
        widths = list(_widths(document, xref, kind))
    except Exception as error:
        raise_unless_the_pages(error)
        return False
    least, most = TYPEWRITTEN
    enough = len(widths) >= (GLYPHS if kind == "Type0" else LETTERS)
    return enough and least <= min(widths) and max(widths) <= most and max(widths) - min(widths) <= ALIKE * max(widths)


def _widths(document: "pymupdf.Document", xref: int, kind: str) -> Iterator[float]:
    """Yield the widths of a font's letters, or of its glyphs if it has codes of its own: PDF 32000-1, 9.2.4 and 9.7.4.3."""
    if kind == "Type0":
        descendant = re.search(r"(\d+) 0 R", _value(document, xref, "DescendantFonts"))
        text = _value(document, int(descendant[1]), "W") if descendant else ""
        for run in _RUN.findall(text):
            yield from filter(None, map(float, _NUMBER.findall(run)))
        ranges = [float(number) for number in _NUMBER.findall(_RUN.sub(" ", text))]
        for first, last, width in zip(ranges[::3], ranges[1::3], ranges[2::3], strict=False):
            yield from [width] * (min(int(last - first), GLYPHS) + 1)
        return
    scale = 1000 * float(_NUMBER.findall(_value(document, xref, "FontMatrix"))[0]) if kind == "Type3" else 1.0
    first = int((_NUMBER.findall(_value(document, xref, "FirstChar")) or ["0"])[0])
    for code, width in enumerate(map(float, _NUMBER.findall(_value(document, xref, "Widths"))), first):
        if width and chr(code).isascii() and chr(code).isalpha():
            yield width * scale


def _value(document: "pymupdf.Document", xref: int, key: str) -> str:
    """Return the value of a key as it is written, that of another object if it is there."""
    kind, value = document.xref_get_key(xref, key)
    return str(document.xref_object(int(value.split()[0]), compressed=True) if kind == "xref" else value)
