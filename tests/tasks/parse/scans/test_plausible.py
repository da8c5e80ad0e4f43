from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.plausible import is_nonsense, nonsense_in, share_of, unread_share
from tasks.parse.scans.words import OcrWord, ScannedWord


def seen(text: str, block: int, confidence: float) -> ScannedWord:
    return ScannedWord(Word((0, 0, 10, 10), text, block, 0), confidence, 10.0)


def read(text: str, confidence: float) -> OcrWord:
    return OcrWord(text, (0, 0, 10, 10), confidence, (1, 1), 1)


def test_words_are_nonsense_together_where_most_letters_are_doubtful() -> None:
    assert is_nonsense([read("XVTF", 0.3), read("a", 0.9)])
    assert not is_nonsense([read("X", 0.3), read("invoice", 0.9)])
    assert is_nonsense([])


def test_only_the_paragraphs_of_nonsense_are_found() -> None:
    good, poor, bad = seen("install", 0, 0.9), seen("%", 0, 0.1), seen("VTF", 1, 0.3)
    assert nonsense_in([good, poor, bad]) == {bad.word}
    assert share_of({bad.word}, [good, poor, bad]) == 3 / 11


@given(st.lists(st.tuples(st.text(min_size=1), st.integers(0, 3), st.floats(0, 1))))
def test_nonsense_is_a_share_of_what_was_seen(found: list[tuple[str, int, float]]) -> None:
    words = [seen(*each) for each in found]
    assert nonsense_in(words) <= {word.word for word in words}
    assert 0 <= share_of(nonsense_in(words), words) <= 1


def test_the_share_of_unread_letters_counts_words_and_neither_marks_nor_numbers() -> None:
    words = [read("sure", 0.9), read("OCHOBHOe", 0.3), read("“3", 0.1), read("2026", 0.2)]
    assert unread_share(words) == 8 / 18
    assert unread_share([]) == 0
