import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import holds
from tasks.parse.layout.words import Word
from tasks.parse.pdf.annotations import UNCHECKED, FieldValue, Note, news, with_values, without_notes

TEXTS = st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=5).map(" ".join)


def words(text: str, y: float = 100) -> list[Word]:
    return [Word((50 + 30 * n, y, 75 + 30 * n, y + 10), part, 0, round(y)) for n, part in enumerate(text.split())]


@given(TEXTS, TEXTS)
def test_a_field_says_its_value_and_the_rest_of_the_page_stays(shown: str, value: str) -> None:
    box = (40, 95, 240, 115)
    page = [*words("before it", 50), *words(shown), *words("after it", 150)]
    found = with_values(page, [FieldValue(box, value)])
    inside = [word for word in found if holds(box, (word.box[0], (word.box[1] + word.box[3]) / 2))]
    assert "".join(word.text for word in inside) == "".join(value.split())
    assert [word for word in found if word not in inside] == [*words("before it", 50), *words("after it", 150)]
    assert all(box[0] <= word.box[0] and word.box[2] <= box[2] + 1 for word in inside)


def test_words_that_say_the_value_stay_as_they_are() -> None:
    page = words("the value")
    assert with_values(page, [FieldValue((40, 95, 240, 115), "the value")]) == page


def test_only_words_of_notes_on_the_page_are_taken_out() -> None:
    page = words("a note here")
    assert without_notes(page, [Note((40, 95, 110, 115), "a note", True)]) == page[2:]
    assert without_notes(page, [Note((40, 95, 110, 115), "a note", False)]) == page


def test_a_comment_that_repeats_the_page_is_no_news() -> None:
    comment = Note((0, 0, 9, 9), "the\nvalue", False)
    assert news([comment], words("is the value of")) == []
    assert news([comment], words("of the")) == [comment]


LABELS = {
    "a mark before its label": ("_ Yes", "☐ Yes"),
    "a mark behind its label": ("Insured: _", "Insured: ☐"),
    "a choice of two": ("_ Yes _ No", "☐ Yes|☐ No"),
    "a choice with a question": ("Insured? _ Yes _ No", "Insured?|☐ Yes|☐ No"),
    "a choice with marks behind": ("Yes _     No _", "Yes ☐|No ☐"),
    "a far mark that a colon asks for": ("Diver on board:          _", "Diver|on|board: ☐"),
    "a far mark that a question asks for": ("Diver on board?          _", "Diver|on|board? ☐"),
    "a far mark behind leaders": ("Diver........          _", "Diver........ ☐"),
    "far marks in two columns": ("Insured:          _          Zone:          South", "Insured: ☐|Zone:|South"),
    "a row of a table": ("Diving          _          _", "Diving|☐|☐"),
    "a row of a table with a colon": ("Diving:          _          _", "Diving:|☐|☐"),
    "a cell of a table": ("Diving          _", "Diving|☐"),
    "a mark alone": ("_", "☐"),
    "marks alone": ("_ _", "☐|☐"),
}


@pytest.mark.parametrize("row", LABELS)
def test_a_check_box_and_its_label_are_one_word(row: str) -> None:
    drawn, read = LABELS[row]
    places = [(match.start(), match[0]) for match in re.finditer(r"\S+", drawn)]
    page = [Word((5 * at, 100, 5 * (at + len(text)), 110), text, 0, 0) for at, text in places if text != "_"]
    boxes = [FieldValue((5 * at, 100, 5 * at + 6, 110), UNCHECKED) for at, text in places if text == "_"]
    found = sorted(with_values([*page, *words("below it", 300)], boxes))
    assert "|".join(word.text for word in found if word.box[1] < 200).replace("\u00a0", " ") == read


def test_a_value_is_no_wider_than_its_letters() -> None:
    (value,) = with_values([], [FieldValue((40, 95, 440, 115), "B12")])
    assert value.box[0] == 40 and value.box[2] < 60
