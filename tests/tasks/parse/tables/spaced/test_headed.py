import pytest

from tasks.parse.layout.rules import NO_RULES
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import extent
from tasks.parse.tables.spaced.headed import headed_runs
from tasks.parse.tables.spaced.pieces import pieces_of
from tasks.parse.tables.spaced.reader import spaced_cells
from tasks.parse.tables.text_lines import text_lines
from tests.tasks.parse.tables.spaced.test_reader import letters

EDGES = (60.0, 130.0, 200.0)
"""Where the columns end, each set flush right."""


def row(y: float, *texts: str, bold: bool = False) -> list[Word]:
    return [word for edge, text in zip(EDGES, texts, strict=False) for word in letters(text, edge - 5 * len(text), y, bold)]


def runs(words: list[Word]) -> list[int]:
    return [len(run) for run in headed_runs([pieces_of(line, ()) for line in text_lines(words)])]


def test_a_bold_head_and_a_row_under_its_labels_are_a_table() -> None:
    words = [*letters("Some words above it", 0, 0), *row(20, "Branch", "Cost", "Mean", bold=True), *row(36, "35", "36.91", "12")]
    assert runs(words) == [2]


@pytest.mark.parametrize(
    "below",
    [
        row(36, "35", "36.91"),
        letters("and so on for a line", 0, 36),
        row(36, "35", "6", "1", bold=True),
        row(90, "35", "6", "1"),
        row(36, "a text", "of it", "here"),
    ],
    ids=["fewer pieces", "prose", "bold again", "far away", "texts in cards"],
)
def test_other_lines_below_bold_words_are_no_rows(below: list[Word]) -> None:
    assert runs([*row(20, "Branch", "Cost", "Mean", bold=True), *below]) == []


def test_a_bold_name_alone_above_rows_is_no_part_of_the_head() -> None:
    labels = [*letters("Cost", 90, 20, bold=True), *letters("Mean", 150, 20, bold=True)]
    rows = [word for n in range(3) for x, text in ((0, "pump"), (90, "12"), (150, "7")) for word in letters(text, x, 52 + 16 * n)]
    cells = spaced_cells([*labels, *letters("Line B", 0, 36, bold=True), *rows], NO_RULES)
    assert [(cell.row, cell.rows) for cell in cells if cell.text in ("Cost", "Mean", "Line B")] == [(0, 1), (0, 1), (1, 1)]
    assert extent(cells) == (5, 3)
