"""Names of rows beside their texts: calls, and single words below a head."""

import pytest

from tasks.parse.layout.geometry import union
from tasks.parse.tables.spaced.aligned import aligned_tables
from tests.tasks.parse.tables.spaced.test_aligned import beside, seen
from tests.tasks.parse.tables.spaced.test_reader import letters


@pytest.mark.parametrize(
    ("names", "is_table"),
    [
        (("quad(func, a,", "b[, args])", "nquad(func, ranges,", "args)"), True),
        (("quad of (func, a,", "b[, args])", "nquad of (func,", "args)"), False),
    ],
    ids=["calls", "prose"],
)
def test_two_calls_with_texts_as_wide_beside_them_are_a_table(names: tuple[str, ...], is_table: bool) -> None:
    texts = ("Works it out for", "all that is", "Works it out for", "all the ranges")
    lines = zip(names, texts, (20, 32, 48, 60), strict=True)
    words = [word for name, text, y in lines for x, said in ((0, name), (110, text)) for word in letters(said, x, y)]
    assert aligned_tables(words, seen(words)) == ([union(word.box for word in words)] if is_table else [])


def test_calls_are_names_of_rows_where_their_type_size_varies() -> None:
    words = beside(0, ["rvs(c, loc, scale)", "pdf(x, c, loc)"], 110, ["Draws at random", "How dense it is"])
    two = [word._replace(size=8.0) if word.box[0] == 0 and word.box[1] < 20 else word for word in words]
    assert aligned_tables(two, seen(two)) == [union(word.box for word in two)]


@pytest.mark.parametrize("level", [True, False])
def test_half_of_the_names_may_have_no_text_where_lines_of_both_columns_are_level(level: bool) -> None:
    names = ["kwds", "name", "nanos", "normalize", "rule", "variation"]
    named = [word for n, name in enumerate(names) for word in letters(name, 0, 20 + 16 * n)]
    texts = ("Names what it takes", "Says what it is", "Counts parts of it")
    said = [word for n, text in enumerate(texts) for word in letters(text, 90, 20 + 16 * n + (0 if level else 8 * (n > 0)))]
    words = [*named, *said]
    assert aligned_tables(words, seen(words)) == ([union(word.box for word in words)] if level else [])
