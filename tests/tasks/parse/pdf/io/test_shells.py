"""A PDF that only asks for another program is refused with what to do; attached files are named."""

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest
from pymupdf import mupdf

from schemas.errors import DocumentError
from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf

WAIT = "Please wait... If this message is not eventually replaced with the proper contents of the document, your PDF viewer"
LETTER = "Dear members, the harbour board meets on the third of May. The minutes and the budget are attached to this letter."
COVER = "For the best experience, open this PDF portfolio in Acrobat X or Adobe Reader X, or later."
WRAPPER = "This PDF file is protected. You need a different viewer to open it."


def drawn(text: str, n_pages: int = 1) -> Any:
    document = pymupdf.open()
    for _ in range(n_pages):
        document.new_page().insert_textbox((72, 72, 500, 300), text)
    return document


def as_form(text: str, rendered: bool = True, n_pages: int = 1) -> Any:
    document = drawn(text, n_pages)
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, b"<xdp:xdp/>")
    document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[]/XFA {xref} 0 R>>")
    if rendered:
        document.xref_set_key(document.pdf_catalog(), "NeedsRendering", "true")
    return document


def attached(text: str, *names: str, portfolio: bool = True) -> Any:
    document = drawn(text)
    for name in names:
        document.embfile_add(name, b"content", filename=name, ufilename=name)
    if portfolio:
        document.xref_set_key(document.pdf_catalog(), "Collection", "<</View/D>>")
    return document


def wrapper() -> Any:
    document = attached(WRAPPER, "protected.pdf")
    xref = document.get_new_xref()
    document.update_object(xref, "<</Type/Filespec/AFRelationship/EncryptedPayload>>")
    document.xref_set_key(document.pdf_catalog(), "AF", f"[{xref} 0 R]")
    return document


def filled() -> Any:
    document = as_form("Name of the boat. Please wait for Adobe Reader.")
    widget = pymupdf.Widget()
    widget.field_type, widget.field_name, widget.rect = (
        mupdf.PDF_WIDGET_TYPE_TEXT,
        "boat",
        pymupdf.Rect(72, 300, 200, 320),
    )
    widget.field_value = "Havn II"
    document[0].add_widget(widget)
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.xref_set_key(document.pdf_catalog(), "AcroForm/XFA", f"{xref} 0 R")
    return document


SHELLS: dict[str, tuple[Callable[[], Any], str]] = {
    "a form": (lambda: as_form(WAIT), "XFA"),
    "a form in German": (lambda: as_form("Bitte warten. Dieser Hinweis wird durch den Inhalt ersetzt."), "XFA"),
    "a form that asks for a reader": (lambda: as_form("Pour afficher ce document, installez Adobe Reader.", False), "XFA"),
    "a form on two pages": (lambda: as_form(WAIT, n_pages=2), "XFA"),
    "a blank form": (lambda: as_form(""), "XFA"),
    "a portfolio": (lambda: attached(COVER, "minutes.pdf", "budget.xlsx"), r"minutes\.pdf, budget\.xlsx"),
    "a portfolio in Norwegian": (lambda: attached("Åpne denne filen i Adobe Reader 9.", "budsjett.xlsx"), r"budsjett\.xlsx"),
    "a blank portfolio": (lambda: attached("", "minutes.pdf"), "portfolio"),
    "a large portfolio": (lambda: attached(COVER, *(f"{n}.pdf" for n in range(14))), r"9\.pdf and 4 further"),
    "a wrapper": (wrapper, "encrypted"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_is_refused_with_what_it_is_and_what_to_do(shell: str) -> None:
    build, said = SHELLS[shell]
    with pytest.raises(DocumentError, match=said) as refused:
        parse_pdf(build().tobytes(), ParseOptions(), lambda _: None)
    assert refused.value.__notes__


READ: dict[str, tuple[Callable[[], Any], str]] = {
    "a form with pages": (lambda: as_form(LETTER, rendered=False), "third of May"),
    "a form of many pages": (lambda: as_form(LETTER, n_pages=3), "third of May"),
    "a form with fields": (filled, "Havn II"),
    "a form without fields": (lambda: as_form("Invoice 12 of Adobe Systems, to be paid in May.", rendered=False), "Invoice 12"),
    "a letter about readers": (lambda: drawn(COVER), "best experience"),
    "a letter with files": (lambda: attached(LETTER, "minutes.pdf", portfolio=False), "Attached files, not read: minutes.pdf"),
    "an invoice": (lambda: attached("Invoice 12 for Adobe", "factur-x.xml", portfolio=False), "not read: factur-x.xml"),
    "a portfolio with a letter": (lambda: attached(LETTER, "minutes.pdf"), "third of May"),
    "a portfolio without files": (lambda: attached(COVER), "best experience"),
}


@pytest.mark.parametrize("document", READ)
def test_a_document_that_says_something_itself_is_read(document: str) -> None:
    build, said = READ[document]
    row = parse_pdf(build().tobytes(), ParseOptions(), lambda _: None)
    assert said in "\n".join(found["text"] for found in row["elements"])


def test_a_portfolio_that_is_read_has_a_warning_about_its_files() -> None:
    row = parse_pdf(attached(LETTER, "minutes.pdf", "budget.xlsx").tobytes(), ParseOptions(), lambda _: None)
    (warning,) = row["rejects"]
    assert "minutes.pdf, budget.xlsx" in warning["message"] and "save" in warning["remedy"]
    assert parse_pdf(attached(LETTER, "a.pdf", portfolio=False).tobytes(), ParseOptions(), lambda _: None)["rejects"] == []


def test_a_file_pinned_to_a_page_is_named_there() -> None:
    document = drawn(LETTER)
    document[0].add_file_annot((300, 300), b"content", "sketch.dwg", desc="the pier")
    notes = [found["text"] for found in parse_pdf(document.tobytes(), ParseOptions(), lambda _: None)["elements"]]
    assert any("sketch.dwg" in text for text in notes)


def test_a_damaged_list_of_files_is_passed_over() -> None:
    document = drawn(LETTER)
    document.xref_set_key(document.pdf_catalog(), "Names", "<</EmbeddedFiles 999 0 R>>")
    assert parse_pdf(document.tobytes(), ParseOptions(), lambda _: None)["elements"]
