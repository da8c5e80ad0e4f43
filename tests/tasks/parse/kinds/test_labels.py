"""Labels in the text, which the layout model takes for headings."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tasks.parse.kinds.labels import without_labels
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import a_sentence

BODY = "which turns the wheel of the mill by day and by night"


def region(kind: str, text: str, y: float, x: float = 0, font: str = "Serif") -> Region:
    words: Sequence[Word] = [word._replace(font=font) for word in a_sentence(text, x, y)]
    return Region(union(word.box for word in words), kind, words=list(words))


def page(
    name: str, above: float = 20, below: float = 5, indent: float = 0, font: str = "Serif", kind: str = "paragraph"
) -> list[Region]:
    return [
        region("paragraph", BODY, 0, font=font),
        region("heading", name, 10 + above, font=font),
        region(kind, BODY, 20 + above + below, indent, font=font),
    ]


def kind_of(regions: list[Region]) -> str:
    return without_labels(regions, 10.0)[1].kind


@pytest.mark.parametrize("name", ["Water wheels", "Closing (and opening)", "1. water wheels", "Wheel: a history"])
def test_a_line_nearer_to_the_text_below_it_stays_a_heading(name: str) -> None:
    assert kind_of(page(name)) == "heading"


@pytest.mark.parametrize(
    "name", ["--version", "-v", "close()", "open_resource(+Name, -Stream)", "tornado.web", "and other wheels"]
)
def test_options_calls_and_names_in_small_letters_are_labels(name: str) -> None:
    assert kind_of(page(name)) == "paragraph"


def test_the_word_above_a_note_is_a_label() -> None:
    assert [kind_of(page(name)) for name in ("Note", "WARNING!", "注意", "Notes")] == ["paragraph"] * 3 + ["heading"]


def test_a_line_that_is_no_nearer_to_the_text_below_it_is_a_label() -> None:
    assert kind_of(page("Water wheels", above=6, below=6)) == "paragraph"
    assert kind_of(page("1. Water wheels", above=6, below=6)) == "heading"
    assert kind_of(page("Water wheels:", above=6, below=6, kind="list_item")) == "heading"


def test_the_name_of_a_field_stands_close_above_its_indented_text() -> None:
    assert kind_of(page("Returns:", indent=20)) == "paragraph"
    assert kind_of(page("Returns:")) == "heading"
    assert kind_of(page("As a miller:", indent=20)) == "heading"
    assert kind_of(page("Returns:", indent=20, kind="list_item")) == "heading"


def test_lines_that_are_on_the_page_twice_are_labels_up_to_a_colon() -> None:
    def kinds(*names: str) -> list[str]:
        found = [
            part
            for n, name in enumerate(names)
            for part in (region("heading", name, 60 * n), region("paragraph", BODY, 60 * n + 15))
        ]
        return [part.kind for part in without_labels(found, 10.0)][::2]

    assert kinds("Caution", "Caution") == ["paragraph", "paragraph"]
    assert kinds("Function: void wheel", "Function: int weir") == ["paragraph", "paragraph"]
    assert kinds("Precautions", "Notes") == ["heading", "heading"]


@pytest.mark.parametrize(
    ("face", "kind"),
    [("Sans-Bold", "heading"), ("Sans-Italic", "paragraph"), ("Serif-Bold", "paragraph")],
    ids=["of the larger heading", "another", "of the family of the text"],
)
def test_lines_in_the_face_of_a_larger_heading_are_headings_anywhere(face: str, kind: str) -> None:
    def in_face(name: str, y: float, font: str, size: float) -> Region:
        part = region("heading", name, y)
        return replace(part, words=[word._replace(font=font, size=size, bold=True) for word in part.words])

    larger = in_face("Water wheels", 0, face.replace("Italic", "Bold"), 14)
    texts = [region("paragraph", f"{BODY}, {BODY}, {BODY}, {BODY}", y) for y in (40, 80, 120)]
    twice = [in_face("Synopsis", y, face, 10) for y in (60, 100)]
    found = without_labels([larger, texts[0], twice[0], texts[1], twice[1], texts[2]], 10.0)
    assert [found[n].kind for n in (0, 2, 4)] == ["heading", kind, kind]


def test_larger_lines_stay_headings() -> None:
    larger = page("--version")
    larger[1] = replace(larger[1], words=[word._replace(size=14) for word in larger[1].words])
    assert kind_of(larger) == "heading"
    larger = page("Important")
    larger[1] = replace(larger[1], words=[word._replace(size=14) for word in larger[1].words])
    assert kind_of(larger) == "paragraph"
    assert without_labels(page("--version"), None)[1].kind == "heading"


def test_labels_of_scans_are_known_by_what_they_say() -> None:
    assert kind_of(page("--version", font="")) == "paragraph"
    assert kind_of(page("Precautions", above=5, below=5, font="")) == "heading"
    assert kind_of(page("Precautions", above=5, below=5)) == "paragraph"
