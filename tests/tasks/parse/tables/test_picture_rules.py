import numpy as np

from tasks.parse.tables.picture_rules import apart


def test_thin_long_lines_are_rules_and_surfaces_and_letters_are_not() -> None:
    picture = np.full((300, 400), 255, dtype=np.uint8)
    picture[50:52, 20:380] = 0
    picture[40:200, 100] = 0
    picture[220:280, 20:200] = 0
    picture[120:122, 300:315] = 0
    rules, bare = apart(picture, 1.0)
    assert [(round(rule.at), rule.start, rule.end) for rule in rules.horizontals] == [(50, 20, 380)]
    assert [(round(rule.at), rule.start, rule.end) for rule in rules.verticals] == [(100, 40, 200)]
    assert (bare[30:200] == 255).sum() == bare[30:200].size - 30
    assert (bare[220:280, 20:200] == 0).all()


def test_an_empty_picture_has_no_rules() -> None:
    assert apart(np.full((30, 30), 255, dtype=np.uint8), 1.0)[0].horizontals == ()


def worn(picture: np.ndarray) -> np.ndarray:
    """Return a picture as a copier gives it: soft and grainy."""
    soft = sum(np.roll(picture.astype(float), shift, axis) for shift in (-1, 1) for axis in (0, 1)) / 4
    grain = np.random.default_rng(0).normal(0, 10, picture.shape)
    return np.clip((soft + picture) / 2 + grain, 0, 255).astype(np.uint8)


def test_light_and_thin_rules_are_found_in_a_worn_picture_and_painted_over() -> None:
    picture = np.full((300, 600), 250, dtype=np.uint8)
    picture[60, 20:580] = picture[200, 20:580] = 170
    picture[60:200, 300] = 180
    rules, bare = apart(worn(picture), 0.36)
    assert [round(rule.at / 0.36) for rule in rules.horizontals] == [60, 200]
    assert [round(rule.at / 0.36) for rule in rules.verticals] == [300]
    assert all(rule.end - rule.start > 190 for rule in rules.horizontals)
    assert bare[60, 30:570].mean() > 240


def test_a_line_of_small_letters_and_the_stems_of_large_ones_are_no_rules() -> None:
    picture = np.full((400, 600), 255, dtype=np.uint8)
    for left in range(20, 560, 3):
        picture[50 : 57 + left % 2, left] = 0
    for left in range(40, 500, 60):
        picture[150:250, left : left + 12] = 0
    for drawn in (picture, worn(picture)):
        rules, _ = apart(drawn, 0.36)
        assert rules.horizontals == () and rules.verticals == ()
