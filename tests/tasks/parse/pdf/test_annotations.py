from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import holds
from tasks.parse.layout.words import Word
from tasks.parse.pdf.annotations import FieldValue, Note, news, with_values, without_notes

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
