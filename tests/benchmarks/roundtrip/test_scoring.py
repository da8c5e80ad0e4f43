"""What the scorer is told of a table: only what a print shows."""

import pytest

from benchmarks.roundtrip.scoring import drop_empty_cells

SPANNED = '<table><tr><th rowspan="{}">a</th><th colspan="2">b</th></tr>{}<tr><td></td><td>c</td></tr></table>'


@pytest.mark.parametrize(
    ("markdown", "wanted"),
    [
        ("x | y\n\n| a | b |\n| --- | --- |\n| c |  |\n", "x | y\n\n| a | b |\n| --- | --- |\n| c |  |\n"),
        ("|  |  |\n| --- | --- |\n|  | a |\n|  |  |\n|  | b |\ny", "| a |\n| --- |\n| b |\ny"),
        ("|  |\n| --- |\n|  |\n", "|  |\n| --- |\n|  |\n"),
        ("<table><tr><th></th></tr><tr><td>a</td></tr></table>", "<table><tr><th>a</th></tr></table>"),
        ("<table><tr><td></td></tr></table>", "<table><tr><td></td></tr></table>"),
        (SPANNED.format(2, ""), SPANNED.format(2, "")),
        (SPANNED.format(3, "<tr><td></td><td></td></tr>"), SPANNED.format(3, "<tr><td></td><td></td></tr>")),
        ('<table><tr><th rowspan="2"></th><th>a</th></tr><tr><td></td></tr></table>', "<table><tr><th>a</th></tr></table>"),
    ],
)
def test_rows_and_columns_that_are_empty_throughout_are_left_out(markdown: str, wanted: str) -> None:
    assert drop_empty_cells(markdown) == wanted


def test_what_spans_an_empty_column_spans_the_rest() -> None:
    table = '<table><tr><th></th><th colspan="3"></th></tr><tr><td>a</td><td>b</td><td>c</td><td></td></tr></table>'
    assert drop_empty_cells(table) == "<table><tr><th>a</th><th>b</th><th>c</th></tr></table>"
