"""A scanned page turned upright, as a picture and as a page of its own that holds what was read on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.adapters.pictures import page_scale
from tasks.transforms.geometry import Box
from tasks.transforms.ocr_words import SeenWord
from tasks.transforms.rules import Rules

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class View:
    """A page turned clockwise by `degrees`, its corner at (0, 0); sizes in points."""

    page: Any
    degrees: float
    matrix: Any
    width: float
    height: float

    def picture(self, scale: float) -> "Image":
        """Return the view in grey, with `scale` pixels a point."""
        import pymupdf
        from PIL import Image

        matrix = self.matrix * pymupdf.Matrix(scale, scale)
        pixmap = self.page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)

    def on_view(self, box: Box) -> Box:
        """Return where a part of the page stands in the view."""
        import pymupdf

        return tuple(pymupdf.Rect(box) * self.matrix)

    def on_page(self, box: Box) -> Box:
        """Return which part of the page a part of the view shows; what lies outside the page is cut off."""
        import pymupdf

        found = (pymupdf.Rect(box) * ~self.matrix) & self.page.rect
        return tuple(found)


def view_of(page: Any, degrees: float) -> View:
    """Return the page turned clockwise by `degrees`."""
    import pymupdf

    turn = pymupdf.Matrix(1, 1).prerotate(degrees)
    rect = page.rect * turn
    return View(page, degrees, turn * pymupdf.Matrix(1, 0, 0, 1, -rect.x0, -rect.y0), rect.width, rect.height)


def copy_of(view: View, words: Sequence[SeenWord], rules: Rules, dpi: int) -> Any:
    """Return a document of one page: words and rules, and before them the picture of the view, which hides them.

    So the layout model reads words as print and sees the page as it looks.
    """
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=view.width, height=view.height)
    shape = page.new_shape()
    for seen in words:
        _print(shape, seen)
    for rule in rules.horizontals:
        shape.draw_line((rule.start, rule.at), (rule.end, rule.at))
    for rule in rules.verticals:
        shape.draw_line((rule.at, rule.start), (rule.at, rule.end))
    shape.finish(width=0.5)
    shape.commit()
    scale = page_scale(page.rect, dpi)
    pixmap = view.page.get_pixmap(matrix=view.matrix * pymupdf.Matrix(scale, scale), alpha=False)
    page.insert_image(page.rect, pixmap=pixmap)
    return document


def _print(shape: Any, seen: SeenWord) -> None:
    """Print a word as wide as it is. The model minds where letters stand, not what they say: Latin ones do for all."""
    import pymupdf

    word = seen.word
    text = "".join(c if c.isascii() else "\u2022" if c == "\u2022" else "x" for c in word.text)
    width = pymupdf.get_text_length(text, "helv", word.size)
    start = pymupdf.Point(word.box[0], seen.base)
    stretch = pymupdf.Matrix((word.box[2] - word.box[0]) / width, 1) if word.upright and width else None
    shape.insert_text(start, text, fontname="helv", fontsize=word.size, morph=stretch and (start, stretch))
