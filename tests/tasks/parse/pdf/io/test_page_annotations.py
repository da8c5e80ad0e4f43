"""Form fields keep their values, and notes are elements with their place."""

from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.layout.geometry import box_of
from tasks.parse.pdf.annotations import CHECKED, UNCHECKED
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.page_annotations import notes_of, values_of

BODY = "The applicant fills this form in with care, because the office reads every line of it."


def field(page: Any, kind: int, y: float, value: Any, **rest: Any) -> None:
    widget = pymupdf.Widget()
    widget.field_type, widget.field_name = kind, f"field{y}"
    widget.rect = pymupdf.Rect(150, y, 168 if isinstance(value, bool) else 350, y + 18)
    for name, given in rest.items():
        setattr(widget, name, given)
    widget.field_value = value
    page.add_widget(widget)


def form() -> Any:
    page = pymupdf.open().new_page()
    for n in range(5):
        page.insert_text((72, 500 + 15 * n), BODY)
    for y, label in ((100, "Name"), (130, "Married"), (160, "Retired"), (190, "Colour"), (220, "Size"), (250, "Key")):
        page.insert_text((72, y + 13), label)
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT, 100, "Ada Byron")
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX, 130, True)
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX, 160, False)
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_COMBOBOX, 190, "green", choice_values=["red", "green"])
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_LISTBOX, 220, "large", choice_values=["small", "large"])
    return page


def test_values_of_fields_are_read_at_their_place() -> None:
    values = {value.text: value.box for value in values_of(form())}
    assert list(values) == ["Ada Byron", CHECKED, UNCHECKED, "green", "large"]
    assert values["green"] == pytest.approx((150, 190, 350, 208))


def test_a_hidden_field_and_a_password_have_no_value() -> None:
    page = pymupdf.open().new_page()
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT, 100, "unseen", field_display=1)
    field(page, pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT, 130, "key", field_flags=pymupdf.mupdf.PDF_TX_FIELD_IS_PASSWORD)
    assert values_of(page) == []


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("drawn", [True, False])
def test_a_page_with_fields_keeps_their_values(rotation: int, drawn: bool) -> None:
    page = form()
    document = page.parent
    if not drawn:
        for xref, _, _ in page.annot_xrefs():
            document.xref_set_key(xref, "AP", "null")
    page.set_rotation(rotation)
    row = parse_pdf(document.tobytes(), ParseOptions(), lambda _: None)
    text = " ".join(element["text"] for element in row["elements"])
    for value in ("Ada Byron", CHECKED, UNCHECKED, "green", "large"):
        assert text.count(value) == 1
    assert "small" not in text


def test_notes_are_elements_at_the_end_of_their_page() -> None:
    page = pymupdf.open().new_page()
    for n in range(5):
        page.insert_text((72, 500 + 15 * n), BODY)
    page.add_text_annot((300, 100), "Is this the newest form?\nAsk the office.")
    page.add_freetext_annot((72, 200, 300, 230), "Written beside the text")
    marked = page.add_highlight_annot((72, 490, 300, 505))
    marked.set_info(content="The applicant fills")
    marked.update()
    elements = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)["elements"]
    notes = [(e["text"], *map(round, box_of(e)[:2])) for e in elements if e["kind"] == "note"]
    assert notes == [("Is this the newest form?\nAsk the office.", 300, 100), ("Written beside the text", 72, 200)]
    assert [e["kind"] for e in elements[-2:]] == ["note", "note"]
    assert all("beside" not in e["text"] for e in elements[:-2])


def test_text_that_was_typed_into_a_form_stays_where_it_is() -> None:
    page = pymupdf.open().new_page()
    note = page.add_freetext_annot((72, 200, 300, 230), "Ada Byron")
    page.parent.xref_set_key(note.xref, "IT", "/FreeTextTypewriter")
    assert notes_of(page) == []
    elements = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)["elements"]
    assert [(e["kind"], e["text"]) for e in elements] == [("paragraph", "Ada Byron")]


def test_a_hidden_note_is_left_out() -> None:
    page = pymupdf.open().new_page()
    note = page.add_text_annot((300, 100), "unseen")
    note.set_flags(pymupdf.mupdf.PDF_ANNOT_IS_HIDDEN)
    assert notes_of(page) == []
