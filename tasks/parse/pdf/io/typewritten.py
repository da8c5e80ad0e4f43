"""Typewritten pages: fixed-width type is no sign of code on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tasks.parse.kinds.listings import is_typed
from tasks.parse.layout.words import Word
from tasks.parse.page_errors import raise_unless_the_pages
from tasks.parse.pdf.io.page_text import words_of

if TYPE_CHECKING:
    import pymupdf

PLACES = (1, 3, 5, 7)
"""Eighths of the document where other pages are looked at."""


def is_typewritten(page: "pymupdf.Page", words: Sequence[Word]) -> bool:
    """Return whether a page with these words is in fixed-width type, and most other pages of its document that have words are.

    A page that is full of code has others with text in another type.
    """
    if not is_typed(words):
        return False
    n_pages = page.parent.page_count
    others = [_words_elsewhere(page, number) for number in {n_pages * place // 8 for place in PLACES} - {page.number}]
    told = [is_typed(other) for other in others if other]
    return 2 * sum(told) > len(told) or not told


def _words_elsewhere(page: "pymupdf.Page", number: int) -> Sequence[Word]:
    """Return the words of another page of the document, none if it cannot be read: it says so itself."""
    try:
        return words_of(page.parent.load_page(number))
    except Exception as error:
        raise_unless_the_pages(error)
        return []
