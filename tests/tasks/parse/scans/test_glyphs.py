import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.glyphs import mended, seen_at, unnamed_in, with_letters
from tasks.parse.scans.words import OcrWord

LETTERS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789"), min_size=2, max_size=12)


def word(text: str, x: float = 0, font: str = "Serif") -> Word:
    return Word((x, 0, x + 6 * len(text), 10), text, 0, 0, font=font)


def read(text: str, x: float = 0, confidence: float = 0.9) -> OcrWord:
    return OcrWord(text, (2 * x, 0, 2 * (x + 6 * len(text)), 20), confidence, (0, 0), 0)


@given(LETTERS, st.data())
def test_letters_that_are_not_named_come_back(text: str, data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(text)))
    assert mended("".join("\ufffd" if letter in gone else letter for letter in text), text) == text


@given(LETTERS, LETTERS)
def test_named_letters_stay(text: str, seen: str) -> None:
    found = mended(f"{text}\ufffd", seen)
    assert found is None or (found.startswith(text) and seen.startswith(text))


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("e\uf003cient", "efficient", "efficient"),
        ("\u201ccon\ufffdrm\u201d", '"confirm"', "\u201cconfirm\u201d"),
        ("con\ufffdrm", "conform to", None),
        ("of\ufffdce", "", None),
    ],
)
def test_ligatures_and_quotes(text: str, seen: str, expected: str | None) -> None:
    assert mended(text, seen) == expected


def test_a_sign_alone_is_missed_only_in_a_font_of_letters() -> None:
    bullet, figure, text = word("\uf0b7", font="Symbol"), word("\ufffd"), word("Total")
    assert unnamed_in([bullet, figure, text]) == [figure]
    assert unnamed_in([bullet, text]) == []


def test_a_word_without_letters_needs_a_sure_reading() -> None:
    words = [word("Total"), word("\ufffd\ufffd", 60)]
    assert with_letters(words, [read("Total"), read("42", 60)], 0.5)[1].text == "42"
    assert with_letters(words, [read("42", 60, 0.5)], 0.5) == words
    assert with_letters(words, [read("~=", 60)], 0.5) == words


def test_parts_of_a_word_are_read_together() -> None:
    box = (0.0, 0.0, 48.0, 10.0)
    assert seen_at(box, [read("ce", 30, 0.7), read("offi")], 0.5) == ("office", 0.7)
    assert seen_at(box, [read("far", 200)], 0.5) == ("", 0.0)
