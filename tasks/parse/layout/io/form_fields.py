"""Form fields of a PDF page. Files of all ages hold them in all shapes, at which PyMuPDF raises almost anything."""

from collections.abc import Iterator
from typing import Any


def has_fields(page: Any) -> bool:
    """Tell whether the page has form fields."""
    import pymupdf

    return any(kind == pymupdf.PDF_ANNOT_WIDGET for _, kind, _ in page.annot_xrefs())


def with_fields_drawn(page: Any) -> Any:
    """Return a document of one page: `page` with its fields and notes drawn into it, as they are seen.

    PyMuPDF turns a page by writing each of its fields anew, which cuts off values and fails at fields that it cannot read.
    """
    import pymupdf

    drawn = pymupdf.open()
    drawn.insert_pdf(page.parent, from_page=page.number, to_page=page.number, links=True, annots=True, widgets=True)
    drawn.bake()
    return drawn


def readable_fields(page: Any) -> Iterator[Any]:
    """Yield the page's fields, as `page.widgets()` does, without those that cannot be read: their text is read elsewhere."""
    import pymupdf

    for xref, kind, _ in page.annot_xrefs():
        if kind == pymupdf.PDF_ANNOT_WIDGET:
            try:
                field = page.load_widget(xref)
            except MemoryError:
                raise
            except Exception:
                continue
            yield field
