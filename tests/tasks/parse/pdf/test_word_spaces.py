from itertools import pairwise

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.layout.raw_page import RawChar, TextLine
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.word_spaces import with_spaces


def line_of(text: str, gaps: list[float], flat: bool = True) -> TextLine:
    """Return letters of 10 points, each with the space before it in points."""
    chars: list[RawChar] = []
    x = 0.0
    for letter, gap in zip(text, gaps, strict=True):
        chars.append({"c": letter, "bbox": (x + gap, 0.0, x + gap + 10.0, 10.0)})
        x += gap + 10.0
    box = (0.0, 0.0, x, 10.0)
    return {"spans": [{"size": 10.0, "chars": chars}], "dir": (1.0, 0.0) if flat else (0.0, -1.0), "wmode": 0, "bbox": box}


def text_of(line: TextLine) -> str:
    return "".join(char["c"] for span in line["spans"] for char in span["chars"])


@settings(max_examples=30)
@given(st.text("한글हिạ⇒漢a", min_size=1, max_size=8), st.data())
def test_a_space_is_added_behind_letters_that_have_none_and_nowhere_else(text: str, data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(text), max_size=len(text)))
    line = line_of(text, gaps)
    wanted = "".join(
        " " * (gap > 2 and before not in "漢a") + after for (before, after), gap in zip(pairwise(text), gaps[1:], strict=True)
    )
    assert text_of(with_spaces(line, line)) == text[0] + wanted


def test_turned_lines_and_those_with_other_letters_stay_as_they_are() -> None:
    line, turned = line_of("한글", [0.0, 5.0]), line_of("한글", [0.0, 5.0], flat=False)
    assert with_spaces(turned, turned) == turned
    assert with_spaces(line, line_of("한", [0.0])) == line


@pytest.mark.parametrize(("font", "words"), [("korea", ["한국어", "문장이다"]), ("china-s", ["中文", "句子"])])
def test_words_of_korean_that_only_white_space_parts_are_words(font: str, words: list[str]) -> None:
    page = pymupdf.open().new_page()
    for n, word in enumerate(words):
        page.insert_text((50 + n * (10 * len(words[0]) + 2.5), 100), word, fontname=font, fontsize=10)
    assert [word.text for word in words_of(page)] == (words if font == "korea" else ["".join(words)])
