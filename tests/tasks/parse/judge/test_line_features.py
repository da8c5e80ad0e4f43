import numpy as np

from tasks.parse.judge.line_features import FEATURES, features_of_lines, lines_to_judge
from tasks.parse.layout.page_model import LineClasses
from tasks.parse.layout.regions import Region
from tests.tasks.parse.judge.lines_drawn import MIXED, TEXT


def test_sizes_and_distances_are_multiples_of_those_of_the_text() -> None:
    lines = lines_to_judge([TEXT, MIXED])
    rows = features_of_lines(lines, [TEXT, MIXED])
    head = rows[[line.line.text for line in lines].index("Of sails")]
    value = dict(zip(FEATURES, head, strict=True))
    assert (value["size"], value["bolder"], value["line"], value["lines"]) == (1.4, 1, 0, 2)
    assert value["pitches above"] > 2 > value["pitches below"] > 1


def test_each_line_has_all_features_and_those_of_the_layout_model_where_it_saw_the_line() -> None:
    lines = lines_to_judge([TEXT, MIXED])
    seen = LineClasses(np.array([[50.0, 240.0, 300.0, 254.0]]), np.eye(11)[[7]])
    rows = features_of_lines(lines, [TEXT, MIXED], (), seen)
    assert rows.shape == (len(lines), len(FEATURES))
    likely = rows[:, FEATURES.index("likely section-header")]
    assert [line.line.text for line, value in zip(lines, likely, strict=True) if value == 1] == ["Of sails"]
    assert np.isnan(likely).sum() == len(lines) - 1


def test_a_page_without_text_has_no_lines() -> None:
    figure = Region((0, 0, 10, 10), "figure")
    assert features_of_lines(lines_to_judge([figure]), [figure]).shape == (0, len(FEATURES))
