import numpy as np

from tasks.parse.tables.picture_rules import rules_seen, without_rules


def test_thin_long_lines_are_rules_and_surfaces_and_letters_are_not() -> None:
    picture = np.full((300, 400), 255, dtype=np.uint8)
    picture[50:52, 20:380] = 0
    picture[40:200, 100] = 0
    picture[220:280, 20:200] = 0
    picture[120:122, 300:315] = 0
    rules = rules_seen(picture, 1.0)
    assert [(round(rule.at), rule.start, rule.end) for rule in rules.horizontals] == [(50, 20, 380)]
    assert [(round(rule.at), rule.start, rule.end) for rule in rules.verticals] == [(100, 40, 200)]
    bare = without_rules(picture, 1.0)
    assert (bare[30:200] == 255).sum() == bare[30:200].size - 30
    assert (bare[220:280, 20:200] == 0).all()


def test_an_empty_picture_has_no_rules() -> None:
    assert rules_seen(np.full((30, 30), 255, dtype=np.uint8), 1.0).horizontals == ()
