"""Forms through the parser: fields of every kind, sound and odd, on pages that lie any way."""

from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from schemas.records import Reason
from schemas.tables.elements import HEADINGS
from tasks.parse.layout.io import layout_model
from tasks.parse.pdf.io.document import parse_pdf
from tests.tasks import drawn

KINDS = {
    pymupdf.mupdf.PDF_WIDGET_TYPE_BUTTON: "Send",
    pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX: "",
    pymupdf.mupdf.PDF_WIDGET_TYPE_COMBOBOX: "rye",
    pymupdf.mupdf.PDF_WIDGET_TYPE_LISTBOX: "wheat",
    pymupdf.mupdf.PDF_WIDGET_TYPE_RADIOBUTTON: "",
    pymupdf.mupdf.PDF_WIDGET_TYPE_SIGNATURE: "",
    pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT: "Ada Miller of Brattness",
}
"""Each kind of field and what it shows."""


def form(kinds: Any, rotation: int = 0, **odd: str) -> bytes:
    """Draw a form with rules and a field of each of `kinds`; each has the entries `odd` in its dictionary."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((50, 60), "Tax form of the year 2024, for all who own a mill", fontsize=12)
    for n, kind in enumerate(kinds):
        page.draw_line((50, 95 + 60 * n), (500, 95 + 60 * n))
        page.add_widget(_field(kind, pymupdf.Rect(60, 100 + 60 * n, 300, 130 + 60 * n)))
    for xref, _, _ in page.annot_xrefs():
        for key, value in odd.items():
            document.xref_set_key(xref, key.replace("_", "/"), value)
    page.set_rotation(rotation)
    return drawn.bytes_of(document)


def _field(kind: int, rect: Any) -> Any:
    field = pymupdf.Widget()
    field.field_type, field.field_name, field.rect, field.text_fontsize = kind, f"field {kind}", rect, 11
    if kind in (pymupdf.mupdf.PDF_WIDGET_TYPE_COMBOBOX, pymupdf.mupdf.PDF_WIDGET_TYPE_LISTBOX):
        field.choice_values = ["wheat", "rye", ("3", "barley")]
    field.button_caption = "Send" if kind == pymupdf.mupdf.PDF_WIDGET_TYPE_BUTTON else None
    if kind in (pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.mupdf.PDF_WIDGET_TYPE_RADIOBUTTON):
        field.field_value = True
    elif KINDS[kind] and not field.button_caption:
        field.field_value = KINDS[kind]
    return field


def parsed(data: bytes) -> tuple[str, list[Reason]]:
    """Return the text of a document and its rejects."""
    row = parse_pdf(data, ParseOptions(ocr=False), lambda _: None)
    return " ".join(element["text"] for element in row["elements"]), row["rejects"]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_what_fields_show_is_text_however_the_page_lies(rotation: int) -> None:
    text, rejects = parsed(form(KINDS, rotation))
    assert rejects == []
    for shown in ("Tax form of the year 2024, for all who own a mill", *KINDS.values()):
        assert shown in text


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("DA", "(g)"),
        ("DA", "(Tf)"),
        ("Opt", "[1 2 3]"),
        ("Opt", "5"),
        ("I", "5"),
        ("Ff", "(yes)"),
        ("T", "5"),
        ("Parent", "(text)"),
        ("BS", "[1 2]"),
        ("MK_BC", "[[1 2] [3 4]]"),
        ("MK_BG", "[1 2 3]"),
        ("MaxLen", "[]"),
        ("Rect", "[1]"),
    ],
)
def test_an_odd_field_does_not_cost_the_page(key: str, value: str, rotation: int) -> None:
    text, rejects = parsed(form(KINDS, rotation, **{key: value}))
    assert rejects == []
    assert "Tax form of the year 2024" in text


def test_a_value_in_large_type_is_no_heading() -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((50, 60), "Application for a mill", fontsize=18)
    prose = "This form is for all who own a mill. It is filled in by the owner and sent to the office of the district. " * 2
    page.insert_textbox(pymupdf.Rect(50, 80, 540, 140), prose, fontsize=11)
    for n, (name, value) in enumerate(
        [("Name of the owner", "Ada Miller of Brattness"), ("Name of the mill", "Upper Weir Mill")]
    ):
        page.insert_text((50, 170 + 90 * n), name, fontsize=11)
        field = _field(pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(50, 178 + 90 * n, 400, 210 + 90 * n))
        field.field_name, field.field_value, field.text_fontsize = name, value, 20
        page.add_widget(field)
    page.insert_textbox(pymupdf.Rect(50, 440, 540, 540), prose, fontsize=11)
    row = parse_pdf(drawn.bytes_of(document), ParseOptions(ocr=False), lambda _: None)
    kinds = {element["text"]: element["kind"] for element in row["elements"]}
    assert kinds["Ada Miller of Brattness"] == kinds["Upper Weir Mill"] == "paragraph"
    assert kinds["Application for a mill"] in HEADINGS


def test_a_page_at_which_the_layout_model_fails_keeps_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_model, "_model", lambda: iter(5))  # type: ignore[call-overload]
    text, [reject] = parsed(drawn.ruled_table())
    assert "135" in text and drawn.RIGHT.strip() in text
    assert (reject["page_number"], reject["error"], reject["final"]) == (1, "LayoutError", True)
    assert "TypeError: 'int' object is not iterable" in reject["message"]
