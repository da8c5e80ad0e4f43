import random

from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.elements.from_regions import elements_of
from tasks.parse.layout.geometry import Box
from tasks.parse.layout.levels import with_levels
from tasks.parse.layout.reading_order import RegionToOrder, reading_order
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, rows_of, without_doubles
from tasks.parse.tables.cells import as_html
from tasks.parse.tables.readers import read_table
from tests.tasks.parse.layout.pages import arrange

PAGE = (0.0, 0.0, 600.0, 800.0)
BOXES = st.builds(
    lambda x, y, w, h: (float(x), float(y), float(x + w), float(y + h)),
    st.integers(0, 550),
    st.integers(0, 750),
    st.integers(1, 300),
    st.integers(1, 300),
)
KINDS = st.sampled_from(["paragraph", "heading", "list_item", "table", "figure", "caption", "furniture"])


def a_word(text: str, x: float, y: float, line: int = 0, size: float = 10.0) -> Word:
    return Word((x, y, x + 5 * len(text), y + size), text, 0, line, size)


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[Word], list[Region]]:
    n = draw(st.integers(0, 25))
    words = [a_word(f"w{i}", draw(st.integers(0, 580)), draw(st.integers(0, 780)), draw(st.integers(0, 8))) for i in range(n)]
    regions = [Region(box, kind, spaced=kind == "table") for box, kind in draw(st.lists(st.tuples(BOXES, KINDS), max_size=8))]
    return words, regions


@given(pages())
def test_every_word_ends_in_exactly_one_element(page: tuple[list[Word], list[Region]]) -> None:
    words, regions = page
    found = with_levels(made[:2] for made in elements_of(1, arrange(words, regions, PAGE), all_mono=True))
    seen = " ".join(element["text"].replace("|", " ").replace("---", " ") for element in found).split()
    assert sorted(seen) == sorted(word.text for word in words)


@given(st.lists(BOXES, max_size=15))
def test_reading_order_is_an_order_of_all_regions(boxes: list[tuple[float, float, float, float]]) -> None:
    assert sorted(reading_order([RegionToOrder(box) for box in boxes])) == list(range(len(boxes)))


def test_columns_are_read_one_after_the_other() -> None:
    title: Box = (0, 0, 500, 30)
    left, left2 = (0, 40, 240, 200), (0, 220, 240, 400)
    right, right2 = (260, 40, 500, 90), (260, 220, 500, 400)
    assert reading_order(
        [RegionToOrder(right2), RegionToOrder(left2), RegionToOrder(title), RegionToOrder(right), RegionToOrder(left)]
    ) == [2, 4, 1, 3, 0]


def test_a_line_too_long_for_its_column_does_not_mix_the_columns() -> None:
    left = [(50, 50, 250, 150), (50, 160, 300, 170), (50, 180, 250, 280)]
    right = [(270, 55, 470, 165), (285, 162, 470, 200), (270, 210, 470, 275)]
    assert reading_order([RegionToOrder(box) for box in [*left, *right]]) == [0, 1, 2, 3, 4, 5]
    across = [*left, *right, (50, 300, 470, 320), (50, 330, 250, 400), (270, 325, 470, 405)]
    assert reading_order([RegionToOrder(box) for box in across]) == [0, 1, 2, 3, 4, 5, 6, 7, 8]


def test_a_heading_below_two_columns_leads_what_follows() -> None:
    left, right, text = RegionToOrder((0, 0, 240, 100)), RegionToOrder((260, 0, 500, 100)), RegionToOrder((0, 150, 500, 300))
    heading = RegionToOrder((0, 120, 100, 140), leads=True)
    assert reading_order([text, heading, right, left]) == [3, 2, 1, 0]


CARDS: list[Box] = [(0, 100, 240, 200), (260, 100, 500, 200), (0, 220, 240, 320), (260, 220, 500, 320)]
"""Two rows of two cards."""


def on_cards() -> list[RegionToOrder]:
    """Return a heading and a text on each card, all headings first."""
    heads = [RegionToOrder((x0 + 5, y0 + 5, x0 + 90, y0 + 20), leads=True) for x0, y0, _, _ in CARDS]
    return [*heads, *(RegionToOrder((x0 + 5, y0 + 30, x1 - 5, y1 - 5)) for x0, y0, x1, y1 in CARDS)]


def test_cards_are_read_row_by_row_and_columns_one_after_the_other() -> None:
    assert reading_order(on_cards(), CARDS) == [0, 4, 1, 5, 2, 6, 3, 7]
    assert reading_order(on_cards()) == [0, 4, 2, 6, 1, 5, 3, 7]


def test_what_stands_in_a_box_beside_the_text_is_read_together() -> None:
    texts = [RegionToOrder((0, y, 270, y + 90)) for y in (0, 100, 200)]
    boxed = [RegionToOrder((280, y, 480, y + 40)) for y in (60, 110)]
    order = reading_order([*texts, *boxed], [(275, 55, 485, 155)])
    assert order.index(4) == order.index(3) + 1


def test_a_shape_that_cuts_a_text_does_not_change_the_order() -> None:
    texts = [RegionToOrder((0, y, 200, y + 90)) for y in (0, 100, 200, 300)]
    beside = [RegionToOrder((220, y, 480, y + 90)) for y in (0, 150, 300)]
    assert reading_order([*texts, *beside], [(-50, 150, 210, 500)]) == reading_order([*texts, *beside])


@given(st.lists(BOXES, max_size=12), st.lists(BOXES, max_size=6))
def test_frames_neither_lose_nor_repeat_a_region(boxes: list[Box], frames: list[Box]) -> None:
    assert sorted(reading_order([RegionToOrder(box) for box in boxes], frames)) == list(range(len(boxes)))


def test_pieces_at_one_height_form_a_row() -> None:
    words = [a_word("b", 100, 10, line=1), a_word("a", 10, 11, line=0), a_word("c", 10, 30, line=2)]
    random.Random(1).shuffle(words)
    assert [row.text for row in rows_of(words)] == ["a b", "c"]


def test_a_word_printed_twice_at_one_place_is_one_word() -> None:
    assert len(without_doubles([a_word("a", 10, 10), a_word("a", 10.3, 10), a_word("a", 30, 10)])) == 2


def test_words_of_a_spaced_table_become_cells() -> None:
    words = [a_word("a&b", 10, 10), a_word("c", 210, 10), a_word("d", 210, 310)]
    cells = read_table(words, True, Rules()).cells
    assert as_html(cells) == "<table><thead><tr><td>a&amp;b</td><td>c</td></tr></thead><tr><td></td><td>d</td></tr></table>"


def test_a_list_region_is_split_at_its_bullets() -> None:
    words = [
        a_word("•", 10, 10),
        a_word("one", 20, 10),
        a_word("more", 20, 25, line=1),
        a_word("•", 10, 40, 2),
        a_word("two", 20, 40, 2),
    ]
    found = elements_of(1, [Region(PAGE, "list_item", words=words)], all_mono=False)
    assert [element["text"] for element, _, _ in found] == ["one more", "two"]


def test_a_picture_too_small_to_keep_is_not_a_figure_and_loses_no_word() -> None:
    regions = [Region((0.0, 0.0, 20.0, 20.0), "figure"), Region((100.0, 0.0, 120.0, 20.0), "figure")]
    assert [region.kind for region in arrange([a_word("x", 5, 5)], regions, PAGE)] == ["paragraph"]


def test_the_halves_of_a_header_are_no_columns_of_the_text_below() -> None:
    header = [Region((x, 10, x + 40, 20), "furniture", role="page-header") for x in (0, 160)]
    caption, left, right = (Region(box, "caption") for box in ((130, 40, 190, 50), (0, 60, 90, 200), (110, 60, 200, 200)))
    regions = [*header, caption, left, right]
    words = [a_word(f"w{n}", region.box[0] + 1, region.box[1] + 1, n, size=8) for n, region in enumerate(regions)]
    found = arrange(words, regions, (0, 0, 200, 300))
    assert [region.words[0].text for region in found] == ["w0", "w1", "w2", "w3", "w4"]
