import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.aligned import aligned_candidates, aligned_tables
from tests.tasks.parse.tables.spaced.test_reader import letters

TEXTS = ("Shows a bar", "Draws lines between points", "Prints it all")
PROSE = "some words of a text that is as long as a line and says nothing of note"


def rows(names: list[str], y: float = 60, x: float = 0) -> list[Word]:
    return beside(x, names, x + 90, [TEXTS[n % len(TEXTS)] for n in range(len(names))], y)


def beside(x: float, left: list[str], other: float, right: list[str], y: float = 20, pitch: float = 16) -> list[Word]:
    pairs = enumerate(zip(left, right, strict=True))
    return [word for n, (a, b) in pairs for at, said in ((x, a), (other, b)) for word in letters(said, at, y + pitch * n)]


def seen(words: list[Word], *more: Region) -> list[Region]:
    return [Region(union(word.box for word in words), "paragraph"), *more]


@given(st.lists(st.sampled_from(["d.bar", "d.graph", "legend", "d.rast"]), min_size=3, max_size=4, unique=True), st.booleans())
def test_names_and_texts_at_two_places_are_a_table(names: list[str], below: bool) -> None:
    table = rows(names)
    words = [*letters(PROSE, 0, 20), *table, *(letters(PROSE, 0, 300) if below else [])]
    assert aligned_tables(words, seen(words)) == [union(word.box for word in table)]


def test_texts_go_on_below_themselves() -> None:
    table = [*rows(["d.bar", "d.graph", "legend"]), *letters("and a good many others", 90, 108)]
    assert aligned_tables(table, seen(table)) == [union(word.box for word in table)]


@pytest.mark.parametrize(
    ("left", "is_table"),
    [
        (["words before", "several others", "every sentence"], True),
        (["some words go on", "and on until here", "the end of a line"], False),
    ],
    ids=["names", "prose"],
)
def test_short_names_farther_from_texts_than_columns_of_prose_are_rows(left: list[str], is_table: bool) -> None:
    words = beside(0, left, 300, ["other words begin", "and then go on", "to the end of it"], pitch=12)
    sides = [Region(union(word.box for word in words if (word.box[0] < 200) == first), "paragraph") for first in (True, False)]
    assert aligned_tables(words, sides) == ([union(word.box for word in words)] if is_table else [])


@given(st.lists(st.sampled_from(["1.", "a)", "\u2022", "(ii)"]), min_size=3, max_size=9))
def test_items_of_a_list_are_no_rows(labels: list[str]) -> None:
    words = rows(labels)
    assert aligned_tables(words, seen(words)) == []


def test_prose_in_two_columns_contents_and_forms_are_no_tables() -> None:
    left = ["some words go on", "and on until here", "the end of a line"]
    right = ["other words begin", "and then go on", "to the end of it"]
    prose = beside(0, left, 110, right, pitch=12)
    contents = beside(0, ["Mills", "Weirs", "Ropes", "Sails"], 200, ["1", "4", "7", "10"])
    form = beside(0, ["Name:"] * 4, 80, ["Hill"] * 4)
    assert [[one.veto for one in aligned_candidates(words, seen(words))] for words in (prose, contents, form)] == [
        ["it is prose in columns"],
        ["all rows end in a number, as contents do"],
        ["names are labels of a list"],
    ]


def test_a_bold_head_and_one_row_are_a_table_and_two_rows_are_one_if_they_stand_apart() -> None:
    table = beside(0, ["Name", "d.bar"], 90, ["What it does", "Shows a bar"])
    headed = [word._replace(bold=word.box[3] < 25) for word in table]
    apart, near = ([*found, *letters(PROSE, 0, y)] for found, y in ((table, 60), (table, 52)))
    close = [*headed, *letters(PROSE, 0, 52)]
    assert [aligned_tables(words, seen(words)) for words in (headed, close, apart)] == [[union(w.box for w in table)]] * 3
    assert aligned_tables(near, seen(near)) == []
    titled = [word._replace(size=1.3 * word.size) if word.box[3] < 25 else word for word in table]
    assert aligned_tables(titled, seen(titled)) == []


def test_a_column_of_sentences_may_be_the_first() -> None:
    table = beside(0, [PROSE[:40], PROSE[:44], PROSE[:34]], 280, ["old mill", "oak", "wheel"])
    assert aligned_tables(table, seen(table)) == [union(word.box for word in table)]


def test_names_as_wide_as_texts_are_no_rows() -> None:
    names = ["bar of size, hue", "graph size, text", "legend text, at"]
    texts = ["the words of a text", "are as wide", "as the names are"]
    prose = beside(0, names, 110, texts)
    assert aligned_tables(prose, seen(prose)) == []


def test_columns_of_a_page_have_tables_of_their_own() -> None:
    upper, lower = rows(["d.bar", "d.graph", "legend"]), rows(["d.text", "d.title", "d.vect"], x=280)
    texts = [Region(union(word.box for word in words), "paragraph") for words in (upper, lower)]
    assert aligned_tables([*upper, *lower], texts) == [region.box for region in texts]


def test_words_of_tables_and_figures_are_left_alone() -> None:
    words = rows(["d.bar", "d.graph", "legend"])
    assert aligned_tables(words, [Region(union(word.box for word in words), "figure")]) == []


def test_a_sign_that_is_the_same_on_most_lines_is_a_bullet() -> None:
    words = rows(["\uf0b7", "\uf0b7", "\uf0b7", "more"])
    assert aligned_tables(words, seen(words)) == []


def names_of_two_lines(pitch: float) -> list[Word]:
    return [
        word
        for n, name in enumerate(("fold(func, start,", "roll(func, window,", "map(func, frame,"))
        for word in (*letters(name, 0, 20 + 2 * pitch * n), *letters(TEXTS[n], 110, 20 + 2 * pitch * n))
    ]


def test_names_go_on_below_themselves_nearer_than_rows_are() -> None:
    first = names_of_two_lines(16)
    near = [word for n in range(3) for word in letters("*more)", 0, 32 + 32 * n)]
    level = [word for y in (36, 68, 100, 116) for word in letters("*more)", 0, y)]
    assert aligned_tables([*first, *near], seen([*first, *near])) == [union(word.box for word in [*first, *near])]
    assert aligned_tables([*first, *level], seen([*first, *level])) == []


def test_rows_of_four_pieces_are_a_table_even_if_keys_end_with_a_colon() -> None:
    rows = [("Model:", "OLS", "Size:", "40"), ("Method:", "exact", "Skew:", "0.2"), ("Date:", "Monday", "Score:", "7")]
    words = [w for n, row in enumerate(rows) for k, text in enumerate(row) for w in letters(text, 80 * k, 20 + 16 * n)]
    assert aligned_tables(words, seen(words)) == [union(word.box for word in words)]
    pairs = [word for word in words if word.box[0] < 150]
    assert aligned_tables(pairs, seen(pairs)) == []


def test_single_names_with_texts_as_wide_beside_them_are_a_table_and_prose_is_none() -> None:
    names = ["performance_rse", "performance_scores", "print_md.performance"]
    said = ["Residual standard error", "Proper scoring of rules", "Print them in all forms"]
    words = beside(0, names, 130, said)
    assert aligned_tables(words, seen(words)) == [union(word.box for word in words)]
    prose = beside(0, said, 130, said)
    assert aligned_tables(prose, seen(prose)) == []


def test_two_rows_of_four_pieces_are_a_table() -> None:
    words = [word for x in (0, 120) for word in beside(x, ["Model:", "Method:"], x + 60, ["OLS", "Least"])]
    assert aligned_tables(words, seen(words)) == [union(word.box for word in words)]
    assert aligned_tables(words[:-1], seen(words)) == []


def test_a_table_in_one_column_of_a_page_shows_where_the_other_is() -> None:
    names = ["weighted", "weighted.all", "weighted.frame"]
    other = rows(names, y=64, x=300)
    loose = rows(["si", "si.frame", "spi"])
    labels = letters("Part", 0, 20)
    regions = [Region(union(word.box for word in other), "paragraph"), Region(union(word.box for word in labels), "heading")]
    found = aligned_candidates([*labels, *loose, *other], regions, [union(word.box for word in loose)])
    assert union(word.box for word in other) in [one.box for one in found if not one.veto]
    assert union(word.box for word in other) not in aligned_tables([*labels, *loose, *other], regions)


def test_bare_numbers_and_letters_in_no_order_or_below_a_head_are_names_and_those_that_count_up_are_labels() -> None:
    codes, counted = rows(["0", "4", "30", "31"]), rows(["1", "2", "3", "4"])
    assert aligned_tables(codes, seen(codes)) == [union(word.box for word in codes)]
    assert aligned_tables(counted, seen(counted)) == []
    headed = [word._replace(bold=True) for word in rows(["Arg"], y=44)] + counted
    assert aligned_tables(headed, seen(headed)) == [union(word.box for word in headed)]


def test_names_and_texts_that_both_go_on_below_themselves_say_nothing_of_how_far_rows_are() -> None:
    names = ["Hermitian one", "Density of it", "Unitary one", "Channel of it", "State of it"]
    table = [word for n, name in enumerate(names) for word in beside(0, [name], 110, [TEXTS[n % 3]], y=20 + 26 * n)]
    table += [word for n in range(5) for word in letters("(oper)", 0, 30 + 26 * n)]
    both = [*table, *letters("and more", 110, 30 + 26)]
    assert aligned_tables(both, seen(both)) == [union(word.box for word in both)]


def test_names_that_touch_their_texts_are_rows_where_most_do_not() -> None:
    words = [*beside(0, ["d.bar", "d.graph", "legend"], 60, list(TEXTS)), *beside(0, ["d.thematic.a"], 60, ["Maps it"], 68)]
    assert aligned_tables(words, seen(words)) == [union(word.box for word in words)]


@pytest.mark.parametrize("bold", [False, True])
def test_names_may_be_the_same_below_a_bold_head(bold: bool) -> None:
    head = [word._replace(bold=bold) for word in beside(0, ["Type"], 90, ["What it does"])]
    table = [*head, *beside(0, ["string", "string"], 90, ["Shows a bar", "Prints it all"], y=36)]
    assert aligned_tables(table, seen(table)) == ([union(word.box for word in table)] if bold else [])


def test_bold_texts_beside_plain_names_are_rows_below_a_bold_head() -> None:
    head = [word._replace(bold=True) for word in beside(0, ["Type"], 90, ["Member"])]
    table = [*head, *letters("string", 0, 36), *(word._replace(bold=True) for word in letters("shown at all", 90, 36))]
    words = [*table, *letters(PROSE, 0, 52)]
    assert aligned_tables(words, seen(words)) == [union(word.box for word in table)]


def test_calls_may_nearly_reach_their_texts_and_other_names_may_not() -> None:
    texts = [*TEXTS, "Tells more"]
    calls = beside(0, ["a(b)", "cc(dd)", "lines(alls,ends)", "words(alls,ends)"], 87, texts)
    names = beside(0, ["a,b", "cc,dd", "lines,alls,endss", "words,alls,endss"], 87, texts)
    assert aligned_tables(calls, seen(calls)) == [union(word.box for word in calls)]
    assert aligned_tables(names, seen(names)) == []


def test_no_table_is_over_gutters_of_the_page() -> None:
    left, right = rows(["d.bar", "d.graph", "legend"], 20), rows(["axis", "d.grid", "title"], 26, x=260)
    words = [*left, *right]
    found = aligned_candidates(words, seen(words), gutters=[240.0])
    assert [one.box for one in found if not one.veto] == [union(word.box for word in side) for side in (left, right)]


def test_texts_printed_over_each_other_at_one_place_are_no_rows() -> None:
    over = [word._replace(line=1) for word in letters("others over them", 1, 20)]
    words = [*letters("some words of a line", 0, 20), *over]
    assert aligned_tables(words, seen(words)) == []
