from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.aligned import aligned_tables
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


@given(st.lists(st.sampled_from(["1.", "a)", "\u2022", "(ii)"]), min_size=3, max_size=9))
def test_items_of_a_list_are_no_rows(labels: list[str]) -> None:
    words = rows(labels)
    assert aligned_tables(words, seen(words)) == []


def test_prose_in_two_columns_contents_and_forms_are_no_tables() -> None:
    left = ["some words go on", "and on until here", "the end of a line"]
    right = ["other words begin", "and then go on", "to the end of it"]
    prose = beside(0, left, 110, right, pitch=12)
    contents = beside(0, ["Chapter"] * 4, 200, ["1", "4", "7", "10"])
    form = beside(0, ["Name:"] * 4, 80, ["Hill"] * 4)
    assert [aligned_tables(words, seen(words)) for words in (prose, contents, form)] == [[], [], []]


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
