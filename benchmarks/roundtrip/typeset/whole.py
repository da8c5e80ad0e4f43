"""Is all of a source on its pages? A page that lost words to its edge would make the truth wrong."""

import unicodedata
from collections import Counter
from pathlib import Path

from benchmarks.roundtrip.typeset.tree import parsed

MOST_MISSING = 0.01
"""Share of the letters that may be missing: shapes of Arabic and ligatures of Indic scripts do not all lead back to letters."""


def is_whole(pdf: Path, body: str) -> bool:
    """Tell whether the visible letters and digits of a PDF include those of a body."""
    import pymupdf

    with pymupdf.open(pdf) as document:
        shown = Counter(_letters("".join(page.get_text(clip=page.rect) for page in document)))
    wanted = Counter(_letters("".join(parsed(body).itertext())))
    return (wanted - shown).total() <= MOST_MISSING * wanted.total()


def _letters(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKD", text) if character.isalnum())
