from collections.abc import Sequence

from tasks.parse.kinds.whole_headings import with_whole_headings
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tests.tasks.parse.layout.typed_pages import Typed, words_of


def a_region(*lines: Typed, kind: str = "heading") -> Region:
    words = words_of(lines)
    return Region(union(word.box for word in words), kind, words=words)


def texts(regions: Sequence[Region]) -> list[str]:
    return [" ".join(word.text for word in region.words) for region in with_whole_headings(regions)]


FIRST = a_region(Typed("Sluices and wheels of the", 100, size=14))
SECOND = a_region(Typed("upper mill", 118, size=14))


def test_two_close_lines_in_one_type_are_one_heading() -> None:
    assert texts([FIRST, SECOND]) == ["Sluices and wheels of the upper mill"]
    whole = with_whole_headings([FIRST, SECOND])[0]
    assert whole.box == union((FIRST.box, SECOND.box))


def test_small_letters_show_that_a_heading_goes_on_in_a_line_further_below() -> None:
    assert len(texts([FIRST, a_region(Typed("upper mill", 130, size=14))])) == 1


def test_centred_lines_are_aligned_by_their_middles() -> None:
    middle = (FIRST.box[0] + FIRST.box[2]) / 2
    width = SECOND.box[2] - SECOND.box[0]
    centred = a_region(Typed("upper mill", 118, x=middle - width / 2, size=14))
    assert texts([FIRST, centred]) == ["Sluices and wheels of the upper mill"]


def test_the_second_line_of_a_labelled_caption_is_part_of_it() -> None:
    caption = a_region(Typed("Table 4. Wheels of the", 100, size=14), kind="caption")
    plain = a_region(Typed("Wheels of the", 100, size=14), kind="caption")
    assert texts([caption, SECOND]) == ["Table 4. Wheels of the upper mill"]
    assert len(texts([plain, SECOND])) == 2


def test_other_type_numbers_distance_and_ends_keep_headings_apart() -> None:
    others = [
        a_region(Typed("upper mill", 118, size=11)),
        a_region(Typed("upper mill", 118, size=14, bold=True)),
        a_region(Typed("2.1 Upper mill", 118, size=14)),
        a_region(Typed("Upper mill", 130, size=14)),
        a_region(Typed("upper mill", 140, size=14)),
        a_region(Typed("upper mill", 118, x=200, size=14)),
        a_region(Typed("upper mill", 118, size=14), kind="paragraph"),
    ]
    assert all(len(texts([FIRST, other])) == 2 for other in others)
    assert len(texts([a_region(Typed("Who turns it?", 100, size=14)), SECOND])) == 2


def test_code_in_a_heading_may_be_in_another_size_and_weight() -> None:
    code = a_region(Typed("mill.wheel.turn", 118, size=12.3, bold=True, mono=True))
    assert texts([FIRST, code]) == ["Sluices and wheels of the mill.wheel.turn"]
    assert texts([code, a_region(Typed("of the upper mill", 136, size=14))]) == ["mill.wheel.turn of the upper mill"]
    assert len(texts([FIRST, a_region(Typed("mill.wheel.turn", 118, size=9, mono=True))])) == 2
    assert len(texts([FIRST, a_region(Typed("mill.wheel.turn", 140, size=12.3, mono=True))])) == 2
