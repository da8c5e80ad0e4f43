"""Books as HTML and as PDF: what the one tells of the other."""

from collections import Counter

from benchmarks.html_pairs.books import BOOKS, places_of
from benchmarks.html_pairs.scoring import Scores, headings_in, row_of, tables_in
from benchmarks.html_pairs.truth import plain_name, truth_in

PAGE = b"""<html><body><h1>2. Water mills</h1><p>A text about mills and the water that turns their wheels.</p>
<table><tr><th>Mill</th><th>Wheels of the mill</th></tr><tr><td>By the weir</td><td>two</td></tr></table>
<table><tr><td>one</td></tr></table></body></html>"""


def test_a_page_of_html_tells_headings_and_tables_of_several_rows_and_columns() -> None:
    truth = truth_in(PAGE)
    assert truth.headings == {"watermills"}
    assert len(truth.tables) == 1
    assert "By the weir" in truth.tables[0]
    assert truth_in(b"") == ([], frozenset())


def test_a_table_is_on_the_page_that_has_its_words() -> None:
    (table,) = truth_in(PAGE).tables
    pages = [
        Counter("a mill".split()),
        Counter("mill wheels of the mill by the weir two and more".split()),
        Counter("weir two".split()),
    ]
    assert places_of([table], pages) == {1: [table]}
    assert places_of([table], pages[:1]) == {}


def test_tables_of_both_forms_are_found_in_markdown() -> None:
    html = "<table><tr><td>a</td>\n<td>b</td></tr></table>"
    pipes = "| a | b |\n| --- | --- |\n| c | d |\n"
    assert tables_in(f"text\n\n{html}\n\ntext\n\n{pipes}\ntext | text") == [html, pipes]


def test_headings_are_compared_without_number_and_marks() -> None:
    names = frozenset({"watermills", "windmills"})
    assert headings_in("# **2. Water mills**\n\n## Wheels\n\n**3. Wind mills**\n", names) == (1, 1, 1)
    assert plain_name("A.1 Water_mills!") == "watermills"


def test_shares_are_of_all_books() -> None:
    assert row_of([Scores([1.0], 3, 1, 0), Scores([0.5, 0.0], 1, 0, 4)]) == [3, 0.5, 5, 0.8, 0.5]
    assert row_of([Scores([], 0, 0, 0)]) == [0, None, 0, None, None]


def test_a_book_is_in_one_split() -> None:
    assert not set(BOOKS["train"]) & set(BOOKS["test"])
