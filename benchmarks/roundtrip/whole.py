"""Is all of a source on its pages? What a page lost to its edge would make the truth wrong."""

import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

MISSING = 0.01
"""Share of the letters that may be missing: shapes of Arabic and joined letters do not all lead back to letters."""
EDGE = 1.0
"""Points by which a word's box may reach beyond the page."""


def is_whole(pdf: Path, truth: str) -> bool:
    """Return whether a PDF shows all letters and digits of the truth, and no word lies beyond the edge of its page."""
    import pymupdf

    with pymupdf.open(pdf) as document:
        shown = Counter(_letters("".join(page.get_text(clip=page.rect) for page in document)))
        inside = all(
            _is_inside(word, page.rect) for page in document for word in page.get_text("words", clip=pymupdf.INFINITE_RECT())
        )
    wanted = Counter(_letters(truth))
    return inside and (wanted - shown).total() <= MISSING * wanted.total()


def _is_inside(word: Any, page: Any) -> bool:
    x0, y0, x1, y1 = word[:4]
    return bool(x0 >= page.x0 - EDGE and y0 >= page.y0 - EDGE and x1 <= page.x1 + EDGE and y1 <= page.y1 + EDGE)


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if letter.isalnum())
