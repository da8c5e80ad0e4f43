from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.typefaces.pitch import is_mostly_fixed, with_pitch
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
    code, known = fixed(["df.head", "=", "print"], 1), fixed(["harbour", "stones", "winter"])
    heading = [found._replace(word=found.word._replace(block=1)) for found in line([("Harbour", 41), ("dues", 24)], 1)]
    near = heading[1]._replace(word=heading[1].word._replace(box=(44.2, 0, 68, 10)))
    assert mono([*known, heading[0], near]) == [True] * 3 + [False] * 2
    apart = [found._replace(word=found.word._replace(block=1)) for found in code]
    assert mono([*known, *apart]) == [True] * 6
    assert not any(mono(apart))
    narrow = [found._replace(word=found.word._replace(block=1)) for found in fixed(["mutter", "and", "some"], 1, pitch=5.0)]
    assert mono([*known, *narrow]) == [True] * 3 + [False] * 3


def in_block(seen: list[ScannedWord], block: int, y: float = 0.0, x: float = 0.0) -> list[ScannedWord]:
    """Return words as a paragraph of their own, `y` further down and `x` to the right."""
    places = [found.word.box for found in seen]
    boxes = [(x0 + x, y0 + y, x1 + x, y1 + y) for x0, y0, x1, y1 in places]
    return [
        ScannedWord(found.word._replace(block=block, box=box), found.confidence, found.base + y)
        for found, box in zip(seen, boxes, strict=True)
    ]


def test_marks_are_narrower_than_their_places() -> None:
    known = fixed(["harbour", "stones", "winter"])
    x0, _, x1, y1 = (places := fixed(["[2]:", "harbour"], 1))[0].word.box
    marked = [places[0]._replace(word=places[0].word._replace(box=(x0 + 1.4, 0, x1 - 1.8, y1))), places[1]]
    assert mono([*known, *in_block(marked, 1, 100)]) == [True] * 5


def test_a_short_line_next_to_lines_of_a_listing_is_one_of_them() -> None:
    known, short = fixed(["harbour", "stones", "winter"]), fixed(["}"], 1)
    assert mono([*known, *in_block(short, 1, 12, x=12)]) == [True] * 4
    assert mono([*known, *in_block(short, 1, 12, x=15)])[-1] is False, "it begins between the places of letters"
    assert mono([*known, *in_block(short, 1, 30)])[-1] is False, "it is too far away"
    assert mono([*known, *in_block(short, 1, 12, x=300)])[-1] is False, "it is in another column"


def test_a_misread_line_is_of_a_listing_if_lines_above_and_below_are() -> None:
    known, misread = fixed(["harbour", "stones", "winter"]), line([("mammoth", 47.0), ("illicit", 24.0), ("win", 31.0)], 1)
    below = in_block(fixed(["harbour", "stones", "winter"], 2), 2, 24)
    assert mono([*known, *in_block(misread, 1, 12)])[3:] == [False] * 3
    assert all(mono([*known, *in_block(misread, 1, 12), *below]))


def test_two_long_lines_of_few_words_share_the_pitch_of_code() -> None:
    first, second = fixed(["groupby=level", "value_counts"]), in_block(fixed(["Out", "groupby=columns"], 1), 1, 100)
    assert all(mono([*first, *second]))
    assert not any(mono(first)), "one line may be so by chance"
    other = in_block(fixed(["Out", "groupby=columns"], 1, pitch=6.3), 1, 100)
    assert not any(mono([*first, *other]))
    short = in_block(fixed(["Out", "level"], 1), 1, 100)
    assert not any(mono([*first, *short]))


def test_words_are_by_chance_as_wide_as_in_fixed_width_type_if_their_spaces_say_so() -> None:
    def spaced(number: int, pitch: float = 6.0) -> list[ScannedWord]:
        words = fixed(["harbour", "stones", "winter"], number, pitch)
        moved = [(found, found.word.box, 4.0 * at) for at, found in enumerate(words)]
        boxes = [(x0 - left, y0, x1 - left, y1) for _, (x0, y0, x1, y1), left in moved]
        return [found._replace(word=found.word._replace(box=box)) for (found, *_), box in zip(moved, boxes, strict=True)]

    alone = spaced(0)
    assert mono(alone) == [False] * 3
    assert mono([*alone, *in_block(spaced(1, pitch=6.3), 1, 100)]) == [False] * 6
    assert mono([*alone, *in_block(fixed(["harbour", "stones", "winter"], 1), 1, 100)]) == [True] * 6, "another has its pitch"
