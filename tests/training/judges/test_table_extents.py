import json
from collections import Counter

import pytest

from training.judges.table_extents import LABELS, compare, score_tables, write_scores

LINES = [[2 * n, 2 * n + 1] for n in range(10)]


def _lines(first: int, last: int) -> frozenset[int]:
    return frozenset(range(2 * first, 2 * last))


@pytest.mark.parametrize(
    ("found", "error"),
    [
        ((1, 7), "lines above"),
        ((3, 7), "first rows lost"),
        ((2, 6), "last rows lost"),
        ((2, 8), "lines below"),
    ],
)
def test_an_error_says_at_which_end_of_a_table_its_lines_are_wrong(found: tuple[int, int], error: str) -> None:
    assert compare(_lines(2, 7), _lines(*found), LINES).errors == [error]


def test_a_line_of_which_columns_are_lost_is_not_a_line_of_both() -> None:
    lines = [[0, 1, 2], [3, 4, 5]]
    assert compare(frozenset(range(6)), frozenset({0, 3, 4, 5}), lines) == (0.5, ["columns lost or added"])


def test_tables_that_are_split_joined_missed_and_false_are_told_apart() -> None:
    assert score_tables([_lines(0, 8)], [_lines(0, 4), _lines(4, 8)], LINES)["split"] == 1
    assert score_tables([_lines(0, 4), _lines(4, 8)], [_lines(0, 8)], LINES)["joined"] == 2
    assert score_tables([_lines(0, 4)], [_lines(6, 8)], LINES) == Counter(true=1, found=1, missed=1, false=1, right=0)


def test_a_table_is_right_from_four_fifths_of_its_lines_on_and_its_errors_are_told_nevertheless() -> None:
    counts = score_tables([_lines(0, 5)], [_lines(0, 4)], LINES)
    assert (counts["right"], counts["last rows lost"]) == (1, 1)
    assert write_scores({"reports": counts}).endswith("| reports | 1 | 1 | 1.000 | last rows lost 1 |")


def test_labels_hold_no_texts_and_their_boxes_are_upright() -> None:
    for label in map(json.loads, LABELS.read_text().splitlines()):
        assert set(label) == {"source", "sha256", "page", "tables", "unsure"}
        assert all(x0 < x1 and y0 < y1 for x0, y0, x1, y1 in [*label["tables"], *label["unsure"]])
