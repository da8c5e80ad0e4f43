from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.between import candidates_between, tables_between
from tests.tasks.parse.tables.spaced.test_reader import letters


def across(*ys: float, start: float = 0, end: float = 200) -> tuple[Rule, ...]:
    return tuple(Rule(y, start, end) for y in ys)


def pairs(y: float, n_rows: int) -> list[Word]:
    rows = [(letters("oil filter", 0, y + 16 * n), letters("3,450", 150, y + 16 * n)) for n in range(n_rows)]
    return [word for row in rows for part in row for word in part]


def test_pairs_between_two_rules_are_a_table_without_a_head() -> None:
    assert tables_between(pairs(20, 4), Rules(across(8, 74))) == [(0, 8, 200, 74)]
    assert candidates_between(pairs(20, 2), Rules(across(8, 42))) == [((0, 8, 200, 42), "too few rows or columns")]


def test_a_head_and_one_row_between_three_rules_are_a_table() -> None:
    words = [*letters("Item", 0, 20), *letters("Cost", 150, 20), *letters("pump", 0, 36), *letters("12", 150, 36)]
    assert tables_between(words, Rules(across(8, 24, 42))) == [(0, 8, 200, 42)]


def test_prose_between_rules_parts_two_tables() -> None:
    prose = letters("some words of a text that is as long as a line", 0, 90)
    words = [*pairs(20, 3), *prose, *pairs(120, 3)]
    rules = Rules(across(8, 26, 42, 60, 108, 126, 142, 160))
    assert tables_between(words, rules) == [(0, 8, 200, 60), (0, 108, 200, 160)]


def test_columns_of_prose_between_two_rules_are_no_table() -> None:
    text = "a good many words go on"
    words = [word for n in range(6) for x in (0, 150) for word in letters(text, x, 20 + 12 * n)]
    assert tables_between(words, Rules(across(8, 90, end=300))) == []


def test_long_texts_beside_names_are_cells_even_where_they_wrap() -> None:
    text = "what a rather long text says about it in a line"
    words = [
        word
        for n in range(3)
        for word in (*letters("oil filter", 0, 20 + 28 * n), *letters(text, 90, 20 + 28 * n), *letters(text, 90, 32 + 28 * n))
    ]
    assert tables_between(words, Rules(across(8, 100, end=330))) == [(0, 8, 330, 100)]


def test_two_names_of_one_word_with_texts_between_two_rules_are_a_table_and_two_items_of_a_list_are_none() -> None:
    def two(names: tuple[str, str]) -> list[Word]:
        return [
            word
            for n, name in enumerate(names)
            for x, text in ((0, name), (80, "returns it"))
            for word in letters(text, x, 20 + 16 * n)
        ]

    assert tables_between(two(("names()", "types()")), Rules(across(8, 42))) == [(0, 8, 200, 42)]
    assert tables_between(two(("\u2022", "\u2022")), Rules(across(8, 42))) == []
    assert tables_between(two(("all names", "all types")), Rules(across(8, 42))) == []


def named(y: float, *names: str) -> list[Word]:
    text = "what a text of six words says about it all in a line"
    rows = [(letters(name, 0, y + 16 * n), letters(text, 90, y + 16 * n)) for n, name in enumerate(names)]
    return [word for row in rows for part in row for word in part]


def test_a_long_name_that_nearly_reaches_its_text_is_no_prose() -> None:
    words = named(20, "filter", "name_of_17letters", "pump")
    assert tables_between(words, Rules(across(8, 60, end=360))) == [(0, 8, 360, 60)]


def test_what_stands_between_two_boxes_is_between_no_rules_of_a_table() -> None:
    words = pairs(40, 4)
    sides = tuple(Rule(x, top, end) for x in (0.0, 200.0) for top, end in ((0.0, 20.0), (94.0, 120.0)))
    rules = across(0, 20, 94, 120)
    assert tables_between(words, Rules(rules, sides)) == []
    assert tables_between(words, Rules(rules, tuple(Rule(x, 0, 120) for x in (0.0, 200.0)))) == [(0, 20, 200, 94)]


def test_a_listing_between_two_rules_is_no_table_but_on_a_typewritten_page() -> None:
    listing = [word._replace(mono=True) for word in pairs(20, 4)]
    assert tables_between(listing, Rules(across(8, 74))) == []
    assert tables_between(listing, Rules(across(8, 74)), typewritten=True) == [(0, 8, 200, 74)]


def test_two_calls_with_texts_between_two_rules_are_a_table() -> None:
    names = ("names(all, ends)", "types(all, ends)")
    words = [
        word
        for n, name in enumerate(names)
        for x, text in ((0, name), (100, "returns it"))
        for word in letters(text, x, 20 + 16 * n)
    ]
    assert tables_between(words, Rules(across(8, 42))) == [(0, 8, 200, 42)]


def test_names_in_fixed_width_type_of_which_one_has_a_text_are_a_table_between_rules() -> None:
    names = [word for n, name in enumerate(("color", "data", "draw")) for word in letters(name, 0, 20 + 16 * n)]
    text = letters("Shows all of it", 80, 36)
    rules = Rules(across(8, 58))
    assert tables_between([*(word._replace(mono=True) for word in names), *text], rules) == [(0, 8, 200, 58)]
    assert tables_between([*names, *text], rules) == []


def test_two_rows_of_three_columns_between_two_rules_are_a_table() -> None:
    words = [
        word
        for n in range(2)
        for m, text in enumerate(("some code", "a name", "more of it"))
        for word in letters(text, 80 * m, 20 + 16 * n)
    ]
    assert tables_between(words, Rules(across(8, 42))) == [(0, 8, 200, 42)]
    assert tables_between([word for word in words if word.box[0] < 160], Rules(across(8, 42))) == []
