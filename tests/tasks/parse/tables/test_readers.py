from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.raw_page import Drawing
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.pdf.io.drawings import rules_of
from tasks.parse.tables.cells import Cell, as_html, extent, head_rows, without_gaps
from tasks.parse.tables.readers import read_table


def a_word(text: str, x: float, y: float) -> Word:
    return Word((x, y, x + 5 * len(text), y + 10), text, 0, round(y))


def a_row(y: float, *texts: str) -> list[Word]:
    """Columns start at 0, 100, 200 …; words of one cell are 2 points apart."""
    words = []
    for n, text in enumerate(texts):
        x = 100.0 * n
        for part in text.split():
            words.append(a_word(part, x, y))
            x += 5 * len(part) + 2
    return words


def the_rules(ys: list[float], xs: list[float]) -> Rules:
    return Rules(tuple(Rule(y, xs[0], xs[-1]) for y in ys), tuple(Rule(x, ys[0], ys[-1]) for x in xs))


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), min_size=1, max_size=20), st.booleans())
def test_every_word_is_in_one_place_of_a_table(places: list[tuple[int, int]], ruled: bool) -> None:
    words = [a_word(f"w{n}", x, y) for n, (x, y) in enumerate(places)]
    rules = the_rules([0, 100, 310], [0, 200, 420]) if ruled else NO_RULES
    table = read_table(words, True, rules)
    found = [word for cell in table.cells for word in cell.text.split()]
    found += [word.text for word in [*table.above, *table.below]]
    assert sorted(found) == sorted(word.text for word in words) or not table.cells


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), min_size=1, max_size=20))
def test_no_two_cells_share_a_place(places: list[tuple[int, int]]) -> None:
    cells = read_table([a_word("w", x, y) for x, y in places], True, NO_RULES).cells
    covered = [(r, c) for cell in without_gaps(cells) for r in range(cell.row, cell.row + cell.rows) for c in _columns(cell)]
    assert len(covered) == len(set(covered))


def _columns(cell: Cell) -> range:
    return range(cell.column, cell.column + cell.columns)


def test_rules_go_before_white_space_and_keep_empty_columns() -> None:
    words = [*a_row(0, "Cation", "Size"), *a_row(20, "K"), *a_row(40, "Na")]
    rules = the_rules([-5, 15, 35, 55], [-5, 95, 195])
    assert as_html(read_table(words, False, rules).cells) == (
        "<table><thead><tr><td>Cation</td><td>Size</td></tr></thead>"
        "<tr><td>K</td><td></td></tr><tr><td>Na</td><td></td></tr></table>"
    )


def test_rules_without_a_wall_between_them_make_one_cell() -> None:
    whole = the_rules([-5, 15, 35], [-5, 95, 195])
    rules = whole._replace(verticals=(whole.verticals[0], Rule(95, 15, 35), whole.verticals[2]))
    words = [*a_row(0, "A heading that is over both"), *a_row(20, "1", "2")]
    assert read_table(words, False, rules).cells[0] == Cell(0, 0, "A heading that is over both", 1, 2)


def test_lines_under_words_are_not_borders() -> None:
    rules = the_rules([-5, 15, 55], [-5, 95, 195])
    underlined = rules._replace(horizontals=(*rules.horizontals, Rule(32, 0, 60)))
    words = [*a_row(0, "Link", "Year"), *a_row(20, "a long link", "2005"), *a_row(40, "of two lines")]
    assert [cell.text for cell in read_table(words, False, underlined).cells] == [
        "Link",
        "Year",
        "a long link of two lines",
        "2005",
    ]


def test_a_heading_over_columns_spans_them_and_its_neighbour_stays_where_it_is() -> None:
    words = [*a_row(0, "", "Training datasets for both"), *a_row(20, "Name", "Alpaca", "Orca"), *a_row(40, "Size", "52", "126")]
    cells = read_table(words, True, NO_RULES).cells
    assert cells[:2] == [Cell(0, 1, "Training datasets for both", 1, 2), Cell(1, 0, "Name")]


def test_a_row_of_text_below_a_cell_is_its_second_line() -> None:
    words = [*a_row(0, "Name", "Total"), *a_row(20, "Astra", "first"), *a_row(32, "", "second"), *a_row(52, "Cema", "third")]
    assert [cell.text for cell in read_table(words, True, NO_RULES).cells][2:4] == ["Astra", "first second"]


def test_figures_below_each_other_are_rows_of_their_own() -> None:
    words = [*a_row(0, "Name", "1996", "1997"), *a_row(20, "a", "1.5", "2.5"), *a_row(32, "b", "3.5", "4.5")]
    assert len(read_table(words, True, NO_RULES).cells) == 9


def test_caption_and_notes_are_outside_the_cells() -> None:
    rows = [a_row(0, "Table 1: what was found"), a_row(20, "Name", "Count"), a_row(40, "a", "1"), a_row(60, "Source: a census")]
    table = read_table([word for row in rows for word in row], True, NO_RULES)
    assert [cell.text for cell in table.cells] == ["Name", "Count", "a", "1"]
    assert table.above == rows[0]
    assert table.below == rows[3]


def test_thin_surfaces_and_boxes_are_rules_but_colour_is_not() -> None:
    def surface(box: tuple[float, ...], kind: str = "f") -> Drawing:
        return {"type": kind, "items": [("re", box, 1)]}

    assert rules_of([surface((0, 10, 100, 10.5))]) == Rules((Rule(10.25, 0, 100),))
    assert rules_of([surface((0, 10, 100, 40))]) == NO_RULES
    coloured: list[Drawing] = [
        {**surface((x, 10, x + 50, 40)), "fill": fill} for x, fill in ((0, (0.9, 0.9, 1)), (50, (0.9, 0.9, 1)), (100, (1, 1, 1)))
    ]
    assert rules_of(coloured) == Rules(bands=((0, 10, 100, 40),))
    assert len(rules_of([surface((0, 10, 100, 40), "s")]).verticals) == 2


def test_surfaces_outlined_by_lines_are_rules_if_thin() -> None:
    def outline(*corners: tuple[float, float]) -> Drawing:
        return {"type": "f", "items": [("l", a, b) for a, b in pairwise(corners)]}

    assert rules_of([outline((0, 10), (80, 10), (80, 10.5), (0, 10.5))]) == Rules((Rule(10.25, 0, 80),))
    assert rules_of([outline((0, 10), (80, 10), (80, 60), (0, 60))]) == NO_RULES
    assert rules_of([{"type": "s", "items": [("qu", ((0, 0), (50, 0), (0, 20), (50, 20)))]}]).verticals == (
        Rule(0, 0, 20),
        Rule(50, 0, 20),
    )


def test_notes_below_the_last_rule_are_outside_the_cells() -> None:
    words = [*a_row(0, "Name", "Count"), *a_row(20, "a", "1"), *a_row(60, "Other sources:", "XY")]
    table = read_table(words, False, the_rules([-5, 15, 35], [-5, 95, 195]))
    assert len(table.cells) == 4
    assert [word.text for word in table.below] == ["Other", "sources:", "XY"]


def test_a_narrow_justified_cell_is_whole_and_one_line_torn_apart_is_not() -> None:
    rules = the_rules([-5, 55], [-5, 95, 195])
    torn = [a_word("of", 0, 0), a_word("all", 60, 0)]
    lines = [*torn, *a_row(12, "those listed"), *a_row(24, "companies"), *a_row(0, "", "1")]
    rules = the_rules([-5, 38, 55], [-5, 95, 195])
    assert read_table([*lines, *a_row(42, "x", "2")], False, rules).cells[0].text == "of all those listed companies"
    assert read_table([*torn, *a_row(0, "", "1"), *a_row(42, "x", "2")], False, rules).cells == []


def test_the_sign_of_a_currency_is_in_the_cell_of_its_figure() -> None:
    words = [*a_row(0, "Item", "2023", "2022"), *a_row(20, "Rent", "", "14"), *a_row(40, "Fuel", "9", "8")]
    words += [a_word("$", 60, 20), a_word("12", 110, 20), a_word("$", 180, 20)]
    assert [cell.text for cell in read_table(words, True, NO_RULES).cells][3:6] == ["Rent", "$ 12", "$ 14"]


def test_headings_close_together_are_cut_where_their_columns_start() -> None:
    ends = ((0, 97), (100, 150), (153, 197), (200, 250), (253, 297), (300, 350))
    head = [Word((x0, 0, x1, 10), f"w{n}", 0, 0) for n, (x0, x1) in enumerate(ends)]
    body = [word for y in (20, 40, 60) for word in a_row(y, "2", "24 ml", "0 ml", "4 ml")]
    found = [cell.text for cell in read_table([*head, *body], True, NO_RULES).cells]
    assert found[:4] == ["w0", "w1 w2", "w3 w4", "w5"]


def test_rows_at_the_end_of_a_block_stay_apart_and_the_rest_of_a_sentence_is_joined() -> None:
    words = [*a_row(0, "Name", "What is meant"), *a_row(20, "Population", "Growth of it"), *a_row(32, "Income", "Growth of that")]
    words += [*a_row(44, "per person", "and of prices"), *a_row(56, "Inflation", "Between these"), *a_row(90, "Others", "None")]
    found = [cell.text for cell in read_table(words, True, NO_RULES).cells if cell.column == 0]
    assert found == ["Name", "Population", "Income per person", "Inflation", "Others"]


def test_numbers_of_columns_are_headings() -> None:
    words = [*a_row(0, "", "", "Years"), *a_row(20, "Name", "1", "2", "3"), *a_row(40, "a", "0.5", "0.4", "0.7")]
    assert head_rows(read_table(words, True, NO_RULES).cells) == 2


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from(["", "a", "1"])), max_size=12))
def test_a_head_leaves_a_row_below_it(places: list[tuple[int, int, str]]) -> None:
    cells = [Cell(row, column, text) for row, column, text in places]
    assert 0 <= head_rows(cells) < max(1, extent(cells)[0])


def test_a_head_goes_as_deep_as_its_cells_and_ends_at_figures() -> None:
    over = [Cell(0, 0, "Name", 2), Cell(0, 1, "Both", 1, 2), Cell(1, 1, "A"), Cell(1, 2, "B")]
    assert head_rows([*over, Cell(2, 0, "x"), Cell(2, 1, "1"), Cell(2, 2, "2")]) == 2
    assert head_rows([Cell(0, 0, "x"), Cell(0, 1, "12"), Cell(1, 0, "y"), Cell(1, 1, "13")]) == 0


def test_without_rules_only_a_spaced_table_has_cells() -> None:
    words = [*a_row(5, "a", "b"), *a_row(25, "c", "d")]
    assert len(read_table(words, True, NO_RULES).cells) == 4
    assert read_table(words, False, NO_RULES).cells == []
    assert len(read_table(words, False, the_rules([0, 20, 40], [-5, 90, 190])).cells) == 4


def test_rules_between_rows_alone_leave_columns_to_white_space() -> None:
    words = [*a_row(5, "a", "b"), *a_row(25, "c", "d"), *a_row(45, "e", "f")]
    rules = Rules(tuple(Rule(at, 0, 110) for at in (0, 20, 40, 60)))
    assert [cell.column for cell in read_table(words, True, rules).cells] == [0, 1] * 3


def test_a_bold_title_far_from_the_head_is_outside_the_cells() -> None:
    title = [word._replace(bold=True) for word in a_row(0, "What was found")]
    rows = [*a_row(24, "Name", "Count"), *a_row(40, "a", "1"), *a_row(56, "b", "2")]
    table = read_table([*title, *rows], True, NO_RULES)
    assert table.above == title
    assert [cell.text for cell in table.cells][:2] == ["Name", "Count"]


def test_a_bold_head_of_columns_close_together_is_no_title() -> None:
    head = [word._replace(bold=True) for word in (a_word("Variable", 0, 0), a_word("Description", 55, 0))]
    texts = [("CC", "The compiler"), ("FLAGS", "Its flags"), ("", "and options"), ("LIBS", "More")]
    rows = [a_word(part, x, 24 + 12 * n) for n, row in enumerate(texts) for x, part in ((0, row[0]), (70, row[1])) if part]
    table = read_table([*head, *rows], True, NO_RULES)
    assert table.above == []
    assert [cell.text for cell in table.cells][:2] == ["Variable", "Description"]
