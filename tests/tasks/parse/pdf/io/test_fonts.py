"""Fonts of fixed width and bold ones, whatever they say of themselves."""

import pymupdf
import pytest

from tasks.parse.pdf.io.fixed_width import fixed_width_fonts
from tasks.parse.pdf.io.page_text import words_of

LETTERS = "/FirstChar 97/LastChar 122"
SAME, OTHERS = " ".join(["600"] * 26), " ".join(str(400 + 10 * n) for n in range(26))


def drawn(font: str, *others: str, name: str = "SFTT1000") -> pymupdf.Page:
    """Return a page with text in a font that is such an object; `{}` in it is the number of the first of the `others`."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), "grind the rye", fontname="helv")
    ((xref, *_),) = page.get_fonts()
    numbers = [document.get_new_xref() for _ in others]
    for number, other in zip(numbers, others, strict=True):
        document.update_object(number, other)
    document.update_object(xref, f"<</Type/Font/BaseFont/ABCDEF+{name} {font.format(*numbers)}>>")
    return pymupdf.open(stream=document.tobytes())[0]


@pytest.mark.parametrize(
    ("font", "others", "fixed"),
    [
        (f"/Subtype/Type1{LETTERS}/Widths[{SAME}]", (), True),
        (f"/Subtype/Type1{LETTERS}/Widths {{}} 0 R", (f"[{SAME}]",), True),
        (f"/Subtype/Type1{LETTERS}/Widths[{OTHERS}]", (), False),
        ("/Subtype/Type1/FirstChar 48/LastChar 57/Widths[500 500 500 500 500 500 500 500 500 500]", (), False),
        ("/Subtype/Type1", (), False),
        ("/Subtype/Type1/FirstChar x/Widths {} 0 R", ("/Name",), False),
        (f"/Subtype/Type1{LETTERS}/Widths[{SAME.replace('600', '1000')}]", (), False),
        ("/Subtype/Type0/Encoding/Identity-H/DescendantFonts[{} 0 R]", (f"<</Type/Font/W[3[{SAME}]]>>",), True),
        ("/Subtype/Type0/Encoding/Identity-H/DescendantFonts[{} 0 R]", ("<</Type/Font/W[3 40 550]>>",), True),
        ("/Subtype/Type0/Encoding/Identity-H/DescendantFonts[{} 0 R]", ("<</Type/Font/W[3 12 550]>>",), False),
        ("/Subtype/Type0/Encoding/Identity-H/DescendantFonts[{} 0 R]", ("<</Type/Font/DW 500>>",), False),
    ],
)
def test_a_font_whose_letters_have_one_width_is_fixed(font: str, others: tuple[str, ...], fixed: bool) -> None:
    assert fixed_width_fonts(drawn(font, *others), {"SFTT1000"}) == (frozenset({"SFTT1000"}) if fixed else frozenset())


def test_words_in_such_a_font_are_in_fixed_width_type() -> None:
    assert {word.mono for word in words_of(drawn(f"/Subtype/Type1{LETTERS}/Widths[{SAME}]"))} == {True}
    assert {word.mono for word in words_of(drawn(f"/Subtype/Type1{LETTERS}/Widths[{OTHERS}]"))} == {False}


@pytest.mark.parametrize(
    ("name", "bold"), [("CMBX10", True), ("SFBX1200", True), ("CMSSBX10", True), ("CMR10", False), ("SFRM1000", False)]
)
def test_bold_fonts_of_tex_are_known_by_their_names(name: str, bold: bool) -> None:
    assert {word.bold for word in words_of(drawn(f"/Subtype/Type1{LETTERS}/Widths[{OTHERS}]", name=name))} == {bold}
