from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.pdf.letter_spaced import with_letters_joined


def row(text: str, gap: float = 1.9, space: float = 6.0, line: int = 0, size: float = 10) -> list[Word]:
    """Return the letters of words as words of their own, `gap` points between letters and `space` between words."""
    words, x = [], 0.0
    for letter in text:
        if letter == " ":
            x += space - gap
        else:
            words.append(Word((x, 0, x + 5, size), letter, 0, line, size))
            x += 5 + gap
    return words


def texts(words: list[Word]) -> list[str]:
    return [word.text for word in with_letters_joined(words)]


def test_spaced_letters_become_words() -> None:
    assert texts(row("HOW CAN YOU HELP?")) == ["HOW", "CAN", "YOU", "HELP?"]
    (word,) = with_letters_joined(row("CODE", gap=2))
    assert word.box == (0, 0, 26, 10)


def test_letters_that_are_words_or_cells_stay_apart() -> None:
    for words in (
        row("ABCD", gap=2.6),
        row("ABCDEFGH", gap=8),
        row("ABC"),
        row("A1B2C3"),
        row("A B C D E F"),
        row("ABCD", gap=0),
    ):
        assert with_letters_joined(words) == words


def test_letters_of_different_lines_or_sizes_are_no_word() -> None:
    words = [*row("AB"), *row("CD", line=1), *row("EF", size=12)]
    assert with_letters_joined(words) == words


@given(st.lists(st.text("ab ", min_size=1, max_size=9).filter(str.strip), max_size=4), st.floats(0.1, 6))
def test_no_letter_is_lost_or_moved(lines: list[str], gap: float) -> None:
    words = [word for n, line in enumerate(lines) for word in row(line, gap, line=n)]
    assert "".join(texts(words)) == "".join(word.text for word in words)
