from dataclasses import replace

import numpy as np

from tasks.parse.judge.headings import explain_judged_lines, judge_lines, with_judged_headings
from tasks.parse.judge.io.models import read_trees
from tasks.parse.judge.line_features import FEATURES
from tasks.parse.judge.trees import Array
from tasks.parse.layout.page_model import LineClasses, PageModel, Source
from tasks.parse.layout.regions import Region
from tasks.parse.passes.runner import Pass, run_passes, seen_by
from tests.tasks.parse.judge.lines_drawn import MIXED, TEXT, line, region

PAGE = PageModel((0, 0, 400, 600), Source.DIGITAL)


def _large(rows: Array) -> Array:
    """Judge lines by their size alone."""
    return (rows[:, [FEATURES.index("size")]] > 1.2) * 0.8 + 0.1


JUDGED = replace(PAGE, judge=_large)


def test_a_heading_is_cut_from_the_text_below_it_and_is_as_certain_as_its_lines() -> None:
    text, head, rest = with_judged_headings([TEXT, MIXED], JUDGED)
    assert text is TEXT
    assert (head.kind, [word.text for word in head.words]) == ("heading", ["Of", "sails"])
    assert (rest.kind, rest.confidence) == ("paragraph", None)
    assert head.confidence is not None and abs(head.confidence - 0.9) < 1e-9


def test_what_is_labelled_as_a_caption_is_none_however_it_looks() -> None:
    table = region("heading", line("Table 3: Sails", 240, 20, 14, True))
    assert [region.kind for region in with_judged_headings([TEXT, table], JUDGED)] == ["paragraph", "caption"]


def test_what_is_no_heading_is_text_or_an_item_of_a_list() -> None:
    regions = [
        TEXT,
        region("heading", line("A small line", 240, 20)),
        region("heading", line("\u2022 ropes", 260, 21)),
    ]
    assert [region.kind for region in with_judged_headings(regions, JUDGED)] == ["paragraph", "paragraph", "list_item"]


def test_without_a_judge_regions_stay() -> None:
    assert with_judged_headings([TEXT, MIXED], PAGE) == [TEXT, MIXED]


def test_the_runner_says_how_likely_a_heading_is() -> None:
    judged = Pass("judged-headings", lambda page, seen: with_judged_headings(seen, page))
    _, head, _ = run_passes(JUDGED, seen_by("model", [TEXT, MIXED]), [judged])
    assert head.changes[-1] == ("judged-headings", "part of paragraph → heading, confidence 0.90")


def test_lines_that_are_no_headings_tell_how_likely_they_are_and_how_likely_they_must_be() -> None:
    head, text = list(explain_judged_lines([TEXT, MIXED], JUDGED))[-2:]
    assert head.what == "0.90 of 0.80 for a heading, paragraph by the rules: Of sails"
    assert text.what == "0.10 of 0.80 for a heading, paragraph by the rules: They are made of linen or of hemp."
    assert list(explain_judged_lines([TEXT, MIXED], PAGE)) == []


def test_lines_of_one_heading_are_judged_alike() -> None:
    head = region("paragraph", line("Of sails", 240, 20, 14), line("and of ropes", 256, 21, 14))
    judged = judge_lines([TEXT, head], replace(PAGE, judge=lambda rows: np.linspace(0, 1, len(rows))[:, None]))[1]
    assert judged[0].likely == judged[1].likely


def test_the_shipped_judge_knows_the_features_and_tells_a_plain_heading() -> None:
    trees = read_trees("headings")
    assert trees.features == tuple(name.replace(" ", "_") for name in FEATURES)
    seen = LineClasses(np.array([[50.0, 240.0, 300.0, 254.0], [50.0, 256.0, 300.0, 266.0]]), np.eye(11)[[7, 0]])
    page = replace(PAGE, judge=trees.probabilities, lines=seen)
    kinds = [region.kind for region in with_judged_headings([TEXT, MIXED], page)]
    assert kinds == ["paragraph", "heading", "paragraph"]


def test_a_page_without_text_stays() -> None:
    figure = Region((0, 0, 10, 10), "figure")
    assert with_judged_headings([figure], JUDGED) == [figure]
