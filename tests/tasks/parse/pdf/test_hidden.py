import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.words import NO_INK, Word
from tasks.parse.pdf.hidden import (
    UNKNOWN,
    Mark,
    Surface,
    covered_by,
    doubtful,
    hidden_regions,
    is_layer,
    orders_of,
    stands_out,
)

PAGE: Box = (0, 0, 600, 800)
INKS = st.integers(0, 0xFFFFFF)


def word(x: float, y: float, ink: int = 0, block: int = 0) -> Word:
    return Word((x, y, x + 30, y + 10), "word", block, block, ink=ink)


def around(place: Word, order: int, fill: int = UNKNOWN) -> Surface:
    x0, y0, x1, y1 = place.box
    return Surface(order, (x0 - 5, y0 - 5, x1 + 5, y1 + 5), fill)


@given(INKS, INKS)
def test_a_word_on_a_surface_is_doubtful_if_their_colours_are_near(ink: int, fill: int) -> None:
    near = max(abs((ink >> shift & 255) - (fill >> shift & 255)) for shift in (0, 8, 16)) <= 48
    place = word(50, 50, ink)
    assert doubtful([place], [5], [around(place, 2, fill)]).tolist() == [near]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True), st.integers(0, 9))
def test_only_the_last_surface_below_and_any_above_matter(orders: list[int], own: int) -> None:
    place = word(50, 50, ink=0)
    surfaces = [around(place, order, 0 if order == min(orders) else 0xFFFFFF) for order in orders if order != own]
    below = [surface for surface in sorted(surfaces) if surface.order < own]
    expected = len(below) < len(surfaces) or (len(below) > 0 and below[-1].fill == 0)
    assert doubtful([place], [own], surfaces).tolist() == [expected]
    assert covered_by([place], [own], surfaces).tolist() == [len(below) < len(surfaces)]


@given(st.permutations(range(6)))
def test_words_are_judged_one_by_one(order: list[int]) -> None:
    words = [word(60 * n, 50, ink=n * 0x333333) for n in range(6)]
    surfaces = [around(words[2], 1, 0x666666), around(words[4], 9)]
    whole = doubtful(words, [5] * 6, surfaces)
    assert [bool(doubtful([words[n]], [5], surfaces)[0]) for n in order] == [bool(whole[n]) for n in order]


def test_the_order_of_a_word_is_that_of_the_last_text_around_it() -> None:
    marks = [Mark("fill-text", (0, 0, 100, 100)), Mark("fill-path", PAGE), Mark("ignore-text", (40, 40, 100, 100))]
    assert orders_of([word(50, 50), word(5, 5), word(300, 300)], marks) == [2, 0, -1]
    assert orders_of([], marks) == []


def test_a_word_stands_out_if_both_its_colour_and_another_are_seen() -> None:
    picture = np.full((10, 30, 3), 255, np.int16)
    assert not stands_out(picture, 0xFFFFFF)
    assert not stands_out(picture, 0)
    picture[2:8, ::4] = 0
    assert stands_out(picture, 0)
    assert not stands_out(picture[:0], 0)


def test_words_below_the_pictures_of_a_page_without_other_text_are_its_text() -> None:
    layer = [word(50, 50, NO_INK), word(90, 50, NO_INK)]
    scan, small = [Mark("fill-image", PAGE)], [Mark("fill-image", (40, 40, 130, 70))]
    assert is_layer(layer, [word(50, 700)], scan, PAGE)
    assert not is_layer(layer[:1], [word(50, 700), word(90, 700)], scan, PAGE)
    assert is_layer(layer, [], small, PAGE)
    assert not is_layer(layer, [word(50, 700)], small, PAGE)
    assert not is_layer(layer, [], [Mark("fill-path", PAGE)], PAGE)
    assert is_layer(layer, [], [Mark("fill-path", (45, 45, 200, 70))], PAGE)


@given(st.lists(st.integers(0, 4)))
def test_every_hidden_word_is_in_the_region_of_its_block(blocks: list[int]) -> None:
    words = [word(40 * n, 50, block=block) for n, block in enumerate(blocks)]
    regions = hidden_regions(words)
    assert sorted(w for region in regions for w in region.words) == sorted(words)
    assert all(len({w.block for w in region.words}) == 1 for region in regions)
    assert len(regions) == len(set(blocks))
