"""Reads form fields and notes of a PDF page. Damaged ones are passed over: PyMuPDF raises almost any error for them."""

from typing import TYPE_CHECKING, Any

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io.form_fields import readable_fields
from tasks.parse.layout.prose import clean
from tasks.parse.pdf.annotations import CHECKED, UNCHECKED, FieldValue, Note

if TYPE_CHECKING:
    import pymupdf

TYPED = "/FreeTextTypewriter"
"""Intent of text that was typed into a form without fields: it belongs to the page."""


def values_of(page: "pymupdf.Page") -> list[FieldValue]:
    """Return the values of the page's check boxes, buttons of choice, lists and filled text fields."""
    return [value for field in readable_fields(page) if (value := _value(page, field)) is not None]


def _is_hidden(flags: int) -> bool:
    """Return whether the flags of an annotation say that it is not displayed."""
    import pymupdf

    return bool(flags & (pymupdf.mupdf.PDF_ANNOT_IS_HIDDEN | pymupdf.mupdf.PDF_ANNOT_IS_NO_VIEW))


def _value(page: "pymupdf.Page", field: Any) -> FieldValue | None:
    import pymupdf

    flags = _key(page, field.xref, "F")
    if flags.isdecimal() and _is_hidden(int(flags)):
        return None
    if field.field_type in (pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.mupdf.PDF_WIDGET_TYPE_RADIOBUTTON):
        state = _key(page, field.xref, "AS")
        state = _key(page, field.xref, "V") if state == "null" else state
        return FieldValue(_shown(page, field.rect), UNCHECKED if state in ("null", "/Off") else CHECKED)
    if field.field_type not in (pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT, *_choices()) or _is_password(field):
        return None
    given = field.field_value if isinstance(field.field_value, list) else [field.field_value or ""]
    text = clean(" ".join(map(str, given)))
    return FieldValue(_shown(page, field.rect), text) if text.strip() else None


def _choices() -> tuple[int, int]:
    import pymupdf

    return pymupdf.mupdf.PDF_WIDGET_TYPE_LISTBOX, pymupdf.mupdf.PDF_WIDGET_TYPE_COMBOBOX


def _is_password(field: "pymupdf.Widget") -> bool:
    import pymupdf

    return field.field_type == pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT and bool(
        field.field_flags & pymupdf.mupdf.PDF_TX_FIELD_IS_PASSWORD
    )


def notes_of(page: "pymupdf.Page") -> list[Note]:
    """Return the notes and comments on the page, as they are displayed. A popup repeats the text of the note it belongs to."""
    import pymupdf

    unlike = (pymupdf.mupdf.PDF_ANNOT_WIDGET, pymupdf.mupdf.PDF_ANNOT_LINK, pymupdf.mupdf.PDF_ANNOT_POPUP)
    found = []
    for xref, kind, _ in page.annot_xrefs():
        if kind not in unlike:
            note = _note(page, xref, kind)
            found += [note] if note else []
    return found


def _note(page: "pymupdf.Page", xref: int, kind: int) -> Note | None:
    import pymupdf

    written = kind == pymupdf.mupdf.PDF_ANNOT_FREE_TEXT
    if written and _key(page, xref, "IT") == TYPED:
        return None
    try:
        annotation = page.load_annot(xref)
        text, box, flags = clean(annotation.info["content"]).strip(), annotation.rect, annotation.flags
        if kind == pymupdf.mupdf.PDF_ANNOT_FILE_ATTACHMENT:
            file = clean(annotation.file_info["filename"]).strip()
            text = f"Attached file, not read: {file} {text if text != file else ''}".strip()
    except MemoryError:
        raise
    except Exception:
        return None
    return Note(_shown(page, box), text, written) if text and not _is_hidden(flags) else None


def _shown(page: "pymupdf.Page", rect: "pymupdf.Rect") -> Box:
    """Return a rectangle in coordinates of the page as displayed."""
    x0, y0, x1, y1 = rect * page.rotation_matrix
    return float(x0), float(y0), float(x1), float(y1)


def _key(page: "pymupdf.Page", xref: int, name: str) -> str:
    return str(page.parent.xref_get_key(xref, name)[1])
