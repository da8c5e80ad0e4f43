"""A scanned page turned upright, as a picture and as a new page with the words that were read on it."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.parse.layout.geometry import Box, clamped
from tasks.parse.layout.io.page_pictures import page_scale
from tasks.parse.layout.rules import Rules
from tasks.parse.scans.words import ScannedWord

if TYPE_CHECKING:
    import pymupdf
    from PIL.Image import Image

FONTS = {(False, False): "helv", (False, True): "hebo", (True, False): "cour", (True, True): "cobo"}
"""Fonts in which words are printed, by whether they are in fixed-width and in bold type, which the layout model goes by."""

SPACE, MONO_SPACE = 0.8, 1.2
"""Widest space between two words of a line, in type sizes: in usual and in fixed-width type. Cells may be as near as 0.9."""


@dataclass(frozen=True)
class UprightView:
    """A page turned clockwise by `degrees`, with its corner at (0, 0) and sizes in points."""

    page: Any
    degrees: float
    matrix: Any
    width: float
    height: float

    def picture(self, scale: float) -> "Image":
        """Return the view in grey, with `scale` pixels per point."""
        import pymupdf
        from PIL import Image

        matrix = self.matrix * pymupdf.Matrix(scale, scale)
        pixmap = self.page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)

    def on_view(self, box: Box) -> Box:
        """Return a box of the page in coordinates of the view."""
        import pymupdf

        return tuple(pymupdf.Rect(box) * self.matrix)

    def on_page(self, box: Box) -> Box:
        """Return a box of the view in coordinates of the page, clipped to the page."""
        import pymupdf

        return clamped(tuple(pymupdf.Rect(box) * ~self.matrix), tuple(self.page.rect))


def view_of(page: "pymupdf.Page", degrees: float) -> UprightView:
    """Return the page turned clockwise by `degrees`."""
    import pymupdf

    turn = pymupdf.Matrix(1, 1).prerotate(degrees)
    rect = page.rect * turn
    return UprightView(page, degrees, turn * pymupdf.Matrix(1, 0, 0, 1, -rect.x0, -rect.y0), rect.width, rect.height)


def copy_of(view: UprightView, words: Sequence[ScannedWord], rules: Rules, dpi: int) -> "pymupdf.Document":
    """Return a document of two pages: words and rules, hidden behind the picture of the view; and words and rules alone.

    The layout model then gets words as text, and sees the page as it looks.
    """
    import pymupdf

    document = pymupdf.open()
    drawn = "\n".join([*_lines(rules, view.height), *_prints(words, view.height)]).encode()
    for _ in range(2):
        page = document.new_page(width=view.width, height=view.height)
        for font in FONTS.values():
            page.insert_font(font)
        content = document.get_new_xref()
        document.update_object(content, "<<>>")
        document.update_stream(content, drawn)
        page.set_contents(content)
    page = document[0]
    scale = page_scale(page.rect, dpi)
    pixmap = view.page.get_pixmap(matrix=view.matrix * pymupdf.Matrix(scale, scale), alpha=False)
    page.insert_image(page.rect, pixmap=pixmap)
    return document


def _lines(rules: Rules, height: float) -> Iterator[str]:
    """Draw rules as PDF operators, where y goes upwards."""
    yield "0.5 w"
    for rule in rules.horizontals:
        yield f"{rule.start:.2f} {height - rule.at:.2f} m {rule.end:.2f} {height - rule.at:.2f} l S"
    for rule in rules.verticals:
        yield f"{rule.at:.2f} {height - rule.start:.2f} m {rule.at:.2f} {height - rule.end:.2f} l S"


def _prints(words: Sequence[ScannedWord], height: float) -> Iterator[str]:
    """Print words with their width, from left to right.

    Latin letters replace all others, because only their positions matter to the model. Letters are moved apart or together, not
    stretched: what is stretched counts as larger type, and each word has its own error.
    """
    import pymupdf

    yield "BT"
    words = sorted(words, key=lambda seen: (seen.word.line, seen.word.box[0] if seen.word.upright else 0.0))
    for n, (word, _, base) in enumerate(words):
        text = "".join(map(_printed, word.text))
        font = FONTS[word.mono, word.bold]
        width = pymupdf.get_text_length(text, font, word.size)
        apart = (word.box[2] - word.box[0] - width) / (len(text) - 1) if word.upright and len(text) > 1 else 0.0
        yield f"/{font} {word.size:.1f} Tf {apart:.4f} Tc"
        yield f"{_place(word.box[0], height - base)} <{text.encode('cp1252').hex()}> Tj"
        if _is_spaced(words, n):
            yield f"0 Tc {_place(word.box[2], height - base)} <20> Tj"
    yield "ET"


def _printed(character: str) -> str:
    """Return a character of the fonts that stands for one of a word: one as wide for Chinese and Japanese letters and signs."""
    if (character.isascii() and character.isprintable()) or character == "\u2022":
        return character
    wide, letter = unicodedata.east_asian_width(character) in "WF", character.isalnum()
    return ("W" if letter else "@") if wide else "x"


def _place(x: float, y: float) -> str:
    return f"1 0 0 1 {x:.2f} {y:.2f} Tm"


def _is_spaced(words: Sequence[ScannedWord], n: int) -> bool:
    """Return whether a space is between a word and the next one of its line, and no wider gap."""
    if n + 1 == len(words):
        return False
    word, after = words[n].word, words[n + 1].word
    return (
        word.line == after.line
        and word.upright
        and 0 < after.box[0] - word.box[2] <= (MONO_SPACE if word.mono else SPACE) * word.size
    )
