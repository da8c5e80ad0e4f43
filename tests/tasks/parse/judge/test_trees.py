import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.judge.trees import Trees

STUMP = Trees(
    ("size", "bold"),
    roots=np.array([0]),
    feature=np.array([0, 0, 1, 0, 0]),
    threshold=np.array([1.5, 0.0, 0.5, 0.0, 0.0]),
    missing_left=np.array([True, False, False, False, False]),
    left=np.array([1, 1, 3, 3, 4]),
    right=np.array([2, 1, 4, 3, 4]),
    value=np.array([0.0, -2.0, 0.0, 1.0, 3.0]),
    start=np.array([0.5]),
    depth=2,
)


def test_rows_go_left_up_to_the_threshold_and_where_nothing_is_known() -> None:
    rows = np.array([[1.5, 1.0], [1.6, 0.0], [1.6, 1.0], [np.nan, 1.0], [2.0, np.nan]])
    assert STUMP.scores(rows)[:, 0].tolist() == [-1.5, 1.5, 3.5, -1.5, 3.5]


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 1)), min_size=1, max_size=5))
def test_trees_are_the_same_after_they_were_a_file(rows: list[tuple[float, float]]) -> None:
    again = Trees.of_file(STUMP.as_file())
    assert again.features == STUMP.features
    assert again.probabilities(np.array(rows)).tolist() == STUMP.probabilities(np.array(rows)).tolist()


def test_probabilities_of_several_classes_sum_to_one() -> None:
    two = Trees(
        ("size",), np.array([0, 1]), np.zeros(2, int), np.zeros(2), np.zeros(2, bool), np.arange(2), np.arange(2),
        np.array([1.0, -1.0]), np.zeros(2), 0,
    )  # fmt: skip
    likely = two.probabilities(np.zeros((3, 1)))
    assert likely.shape == (3, 2)
    assert np.allclose(likely.sum(axis=1), 1) and (likely[:, 0] > likely[:, 1]).all()


def test_a_page_without_lines_has_no_scores() -> None:
    assert STUMP.scores(np.empty((0, 2))).shape == (0, 1)


def test_rows_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="2 features"):
        STUMP.scores(np.zeros((1, 3)))
