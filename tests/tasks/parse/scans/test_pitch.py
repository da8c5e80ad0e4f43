from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.pitch import is_mostly_fixed, with_pitch
from tasks.parse.scans.words import ScannedWord


def line(widths: list[tuple[str, float]], number: int = 0, block: int = 0, size: float = 10.0) -> list[ScannedWord]:
    """Return a line of words, given with their widths in points."""
    found, x = [], 0.0
    for text, width in widths:
        found.append(ScannedWord(Word((x, 0, x + width, size), text, block, number, size), 0.9, size))
        x += width + 7.2
    return found


def fixed(texts: list[str], number: int = 0, pitch: float = 6.0) -> list[ScannedWord]:
    return line([(text, pitch * (len(text) - 0.2)) for text in texts], number)


def mono(seen: list[ScannedWord]) -> list[bool]:
    return [found.word.mono for found in with_pitch(seen)]


@given(st.lists(st.text("abim", min_size=4, max_size=12), min_size=3, max_size=9))
def test_words_as_wide_as_their_letters_are_many_are_fixed_width(texts: list[str]) -> None:
    assert all(mono(fixed(texts)))


def test_proportional_type_is_not_fixed_width() -> None:
    assert not any(mono(line([("mammoth", 47.0), ("illicit", 24.0), ("winter", 31.0)])))
    assert not any(mono(fixed(["harbour", "stones", "winter"], pitch=4.8)))


def test_a_short_line_is_as_the_rest_of_its_paragraph() -> None:
    assert mono(fixed(["harbour", "stones", "winter"]) + fixed(["}"], 1)) == [True] * 4
    assert all(mono(fixed(["harbour", "stones"]) + fixed(["winter"], 1)))
    assert not any(mono(fixed(["harbour", "stones"])))
    prose = line([("mammoth", 47.0), ("illicit", 24.0), ("winter", 31.0)])
    assert not any(mono(prose + fixed(["in"], 1)))
    assert mono(fixed(["in"])) == [False]
    assert mono([]) == []


def test_a_typewritten_page_is_told_from_one_with_some_code() -> None:
    typed, text = fixed(["aaaa", "bbbbbb", "iiii"], 0), line([("aaaa", 25), ("bbbbbb", 44), ("iiii", 9), ("mmmm", 40)], 1, 1)
    assert is_mostly_fixed([found.word for found in with_pitch(typed)])
    assert not is_mostly_fixed([found.word for found in with_pitch([*typed, *text])])


def test_a_short_line_of_code_has_the_pitch_of_another() -> None:
    code, known = fixed(["df.head()", "=", "print("], 1), fixed(["harbour", "stones", "winter"])
    heading = [found._replace(word=found.word._replace(block=1)) for found in line([("Harbour", 41), ("dues", 24)], 1)]
    near = heading[1]._replace(word=heading[1].word._replace(box=(44.2, 0, 68, 10)))
    assert mono([*known, heading[0], near]) == [True] * 3 + [False] * 2
    apart = [found._replace(word=found.word._replace(block=1)) for found in code]
    assert mono([*known, *apart]) == [True] * 6
    assert not any(mono(apart))
    narrow = [found._replace(word=found.word._replace(block=1)) for found in fixed(["mutter", "(and", "so)"], 1, pitch=5.0)]
    assert mono([*known, *narrow]) == [True] * 3 + [False] * 3
