from typing import Any

import pytest

from tasks.parse.kinds.set_as_text import text_type, without_set_as_text
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

TEXT = "The mill grinds by day and by night, and the miller sleeps when there is no wind to turn its sails at all. " * 3


def region(kind: str, text: str, x: float = 0, y: float = 0, **style: Any) -> Region:
    words = []
    for part in text.split():
        words.append(Word((x, y, x + 5 * len(part), y + 10), part, 0, 0, **{"font": "Serif", **style}))
        x += 5 * len(part) + 3
    return Region(union(word.box for word in words), kind, words=words)


def kind_of_line(head: Region, *others: Region) -> str:
    return without_set_as_text([region("paragraph", TEXT, y=100), head, *others])[1].kind


@pytest.mark.parametrize(
    "style",
    [{}, {"mono": True, "bold": True, "font": "Mono"}, {"size": 8.0, "bold": True, "font": "Serif-Bold"}],
    ids=["in the type of the text", "fixed-width", "smaller"],
)
def test_a_heading_set_as_the_text_is_a_paragraph(style: dict[str, Any]) -> None:
    assert kind_of_line(region("heading", "Note", **style)) == "paragraph"


@pytest.mark.parametrize(("font", "kind"), [("Sans-Bold", "heading"), ("Other-Bold", "paragraph"), ("Serif-Bold", "paragraph")])
def test_a_smaller_heading_is_in_the_face_of_a_larger_one(font: str, kind: str) -> None:
    larger = region("heading", "Water wheels", y=200, size=14.0, bold=True, font=font.replace("Other", "Sans"))
    assert kind_of_line(region("heading", "Millstones", size=9.0, bold=True, font=font), larger) == kind


@pytest.mark.parametrize(("style", "kind"), [({}, "paragraph"), ({"bold": True}, "heading"), ({"size": 14.0}, "heading")])
def test_size_and_weight_tell_a_heading_of_a_scan_which_has_no_fonts(style: dict[str, Any], kind: str) -> None:
    text = region("paragraph", TEXT, y=100, font="")
    head = region("heading", "Millstones", font="", **style)
    assert without_set_as_text([text, head])[1].kind == kind


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("Millstones", {"bold": True, "font": "Serif-Bold"}),
        ("Millstones", {"font": "Serif-Italic"}),
        ("Millstones", {"ink": 0x1A4A8A}),
        ("Millstones", {"size": 14.0}),
        ("MILLSTONES", {}),
        ("2.1 Millstones", {}),
        ("make install", {"mono": True, "size": 16.0, "font": "Mono"}),
    ],
    ids=["bold", "in another font", "coloured", "large", "in capitals", "numbered", "large and fixed-width"],
)
def test_what_the_type_tells_apart_stays_a_heading(text: str, style: dict[str, Any]) -> None:
    assert kind_of_line(region("heading", text, **style)) == "heading"


def test_in_typewritten_text_fixed_width_type_is_no_sign() -> None:
    text = region("paragraph", TEXT, y=100, mono=True, font="Mono")
    head = region("heading", "Millstones", mono=True, bold=True, font="Mono-Bold")
    assert [found.kind for found in without_set_as_text([text, head])] == ["paragraph", "heading"]


def test_two_scripts_have_two_usual_fonts() -> None:
    found = text_type([region("paragraph", TEXT), region("list_item", TEXT, font="Song"), region("list_item", "x", font="Rare")])
    assert found is not None
    assert found.fonts == {"Serif", "Song"}


def test_a_page_with_little_text_keeps_its_headings() -> None:
    head = region("heading", "Note")
    assert without_set_as_text([head]) == [head]
