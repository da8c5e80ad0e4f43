"""The copy of a scanned page that the layout model sees."""

from typing import Any

import pymupdf
import pytest

from tasks.parse.layout.rules import NO_RULES
from tasks.parse.layout.words import Word
from tasks.parse.scans.io.upright import copy_of, view_of
from tasks.parse.scans.words import ScannedWord


def printed(*words: Word) -> list[dict[str, Any]]:
    """Return the lines that MuPDF finds in the copy of a page with these words."""
    with pymupdf.open() as source:
        view = view_of(source.new_page(width=300, height=200), 0)
        copy = copy_of(view, [ScannedWord(word, 0.9, word.box[3]) for word in words], NO_RULES, 72)
        assert [len(page.get_images()) for page in copy.pages()] == [1, 0]
        assert copy[0].get_text() == copy[1].get_text()
        return [line for block in copy[1].get_text("dict")["blocks"] for line in block["lines"]]


def test_words_that_are_wider_or_narrower_than_their_type_keep_its_size_and_form_a_line() -> None:
    (line,) = printed(
        Word((20, 20, 83, 30), "narrow", 0, 0), Word((90, 20, 112, 30), "widened", 0, 0), Word((119, 20, 150, 30), "words", 0, 0)
    )
    assert {span["size"] for span in line["spans"]} == {10.0}
    assert line["bbox"][0] == pytest.approx(20, abs=1)
    assert line["bbox"][2] == pytest.approx(150, abs=3)


def test_cells_of_a_table_are_apart() -> None:
    assert len(printed(Word((20, 20, 50, 30), "left", 0, 0), Word((90, 20, 120, 30), "right", 0, 0))) == 2


def test_a_line_from_right_to_left_is_one() -> None:
    lines = printed(
        Word((80, 20, 120, 30), "first", 0, 0), Word((50, 20, 76, 30), "then", 0, 0), Word((20, 20, 46, 30), "last", 0, 0)
    )
    assert len(lines) == 1


def test_a_chinese_character_is_printed_as_one_that_is_as_wide() -> None:
    (line,) = printed(Word((20, 20, 80, 30), "\u5e38\u89c1\u64cd\u4f5c\uff0c\u6559", 0, 0))
    text = "".join(span["text"] for span in line["spans"])
    assert len(text) == 6 and " " not in text
    assert [character.isalpha() for character in text] == [True, True, True, True, False, True]


def test_cells_that_are_near_each_other_are_apart_and_words_in_fixed_width_are_a_line() -> None:
    left, right = Word((20, 20, 50, 30), "left", 0, 0, 10.0), Word((59, 20, 90, 30), "right", 0, 0, 10.0)
    assert len(printed(left, right)) == 2
    assert len(printed(left._replace(mono=True), right._replace(mono=True))) == 1
