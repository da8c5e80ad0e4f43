"""Shells: PDFs whose pages only ask for another program, because the document is a dynamic form or attached to them."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemas.errors import DocumentError
from schemas.records import Reason
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry, refusal

if TYPE_CHECKING:
    import pymupdf

MOST_PAGES, MOST_CHARS = 2, 1500
"""A longer document says something of its own."""
MOST_NAMES = 10
"""Attached files that a message names."""
_VIEWER = re.compile(
    r"adobe\W+reader|acrobat|portfolio|please wait|pdf (?:viewer|reader)|different (?:viewer|reader)", re.IGNORECASE
)
"""Every notice names the program that it asks for, in whatever language."""
_REFERENCE = re.compile(r"(\d+) 0 R")

XFA = "the PDF is a dynamic form (XFA): its pages are drawn by Adobe Reader alone, and the file shows only a notice"
PRINT_FORM = "open it in Adobe Reader or Acrobat and print it to PDF, or ask for a copy with fixed pages"
SAVE_FILES = "save the attached files as documents of their own"


def attached_files(document: "pymupdf.Document") -> list[str]:
    """Return the names of the files embedded in a document, none if their list is damaged."""
    try:
        found = [document.embfile_info(n) for n in range(document.embfile_count())]
    except MemoryError:
        raise
    except Exception:  # PyMuPDF raises almost any error for damaged ones
        return []
    names = [clean(str(one.get("ufilename") or one.get("filename") or one.get("name") or "")).strip() for one in found]
    return list(dict.fromkeys(name for name in names if name))


def check_shell(document: "pymupdf.Document", attached: Sequence[str]) -> None:
    """Refuse a document whose pages are only a notice.

    Raises:
        DocumentError: it is a dynamic form, a portfolio or the wrapper of an encrypted document, and says nothing itself.
    """
    is_form = _catalog(document, "AcroForm/XFA") != "null"
    if not (is_form or attached) or not _is_notice(document):
        return
    if is_form:
        raise refusal(DocumentError, XFA, PRINT_FORM)
    if _is_wrapper(document):
        what = f"the PDF only wraps an encrypted document ({named(attached)}), and its page is a notice"
        raise refusal(DocumentError, what, "open it in a reader that may decrypt it, and save a copy without protection")
    if is_portfolio(document):
        what = f"the PDF is a portfolio: its documents are attached files ({named(attached)}), and its page is only a cover"
        raise refusal(DocumentError, what, f"{SAVE_FILES}, or exclude it")


def is_portfolio(document: "pymupdf.Document") -> bool:
    """Return whether the document presents attached files rather than pages."""
    return _catalog(document, "Collection") != "null"


def cover_warning(attached: Sequence[str]) -> Reason:
    """Return the reject of a portfolio whose pages are read: its attached files are not."""
    message = f"page 1 is the cover of a portfolio, whose attached files were not read: {named(attached)}"
    return entry("parse", "AttachedFiles", message, SAVE_FILES, 1)


def named(attached: Sequence[str]) -> str:
    """Return names of attached files as a list in a sentence.

    >>> named(["a.pdf", "b.xlsx"]), named([f"{n}.pdf" for n in range(12)])[-19:]
    ('a.pdf, b.xlsx', '9.pdf and 2 further')
    """
    more = f" and {len(attached) - MOST_NAMES} further" if len(attached) > MOST_NAMES else ""
    return ", ".join(attached[:MOST_NAMES]) + more


def _is_notice(document: "pymupdf.Document") -> bool:
    """Return whether the pages are few, hold nothing to fill in, and either nothing or the name of a viewer."""
    if document.page_count > MOST_PAGES:
        return False
    pages = [document.load_page(n) for n in range(document.page_count)]
    if any(True for page in pages for _ in page.widgets()):
        return False
    text = " ".join(page.get_text() for page in pages).strip()
    if not text:
        return not any(page.get_bboxlog() for page in pages)
    rendered = _catalog(document, "NeedsRendering") == "true"
    return len(text) <= MOST_CHARS and (rendered or bool(_VIEWER.search(text)))


def _is_wrapper(document: "pymupdf.Document") -> bool:
    """Return whether a file that belongs to the document is its encrypted content."""
    files = _REFERENCE.findall(_catalog(document, "AF"))
    return any(document.xref_get_key(int(xref), "AFRelationship")[1] == "/EncryptedPayload" for xref in files)


def _catalog(document: "pymupdf.Document", key: str) -> str:
    return str(document.xref_get_key(document.pdf_catalog(), key)[1])
