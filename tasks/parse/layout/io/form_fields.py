"""Form fields of a PDF page. They come in so many forms that PyMuPDF raises almost any error when it reads them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pymupdf


def has_fields(page: "pymupdf.Page") -> bool:
    """Return whether the page has form fields."""
    import pymupdf

    return any(kind == pymupdf.mupdf.PDF_ANNOT_WIDGET for _, kind, _ in page.annot_xrefs())


def with_fields_drawn(page: "pymupdf.Page") -> "pymupdf.Document":
    """Return a document of one page: `page` with its fields and notes drawn into it, as they are displayed.

    To turn a page, PyMuPDF writes each field again, which truncates values and fails on fields that it cannot read.
    """
    import pymupdf

    drawn = pymupdf.open()
    drawn.insert_pdf(page.parent, from_page=page.number, to_page=page.number, links=True, annots=True, widgets=True)
    drawn.bake()
    return drawn


def readable_fields(page: "pymupdf.Page") -> "Iterator[pymupdf.Widget]":
    """Yield the page's fields, as `page.widgets()` does, except unreadable ones, whose text is read elsewhere."""
    import pymupdf

    for xref, kind, _ in page.annot_xrefs():
        if kind == pymupdf.mupdf.PDF_ANNOT_WIDGET:
            try:
                field = page.load_widget(xref)
            except MemoryError:
                raise
            except Exception:
                continue
            yield field
