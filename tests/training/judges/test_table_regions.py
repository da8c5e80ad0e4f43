import json

import numpy as np
import pytest

from tasks.parse.judge.table_features import FEATURES
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from training.judges.table_regions import LABELS, Regions, by_boxes, by_twins, by_words, join, regions_of_page, write_scores


def _row(texts: str, y: float = 0) -> list[Word]:
    return [Word((60.0 * n, y, 60.0 * n + 30, y + 10), text, 0, 0) for n, text in enumerate(texts.split())]


def test_a_region_is_a_table_by_the_share_of_its_words_in_one_and_in_between_it_is_not_known() -> None:
    label = by_boxes([(0, 0, 200, 20)])
    assert [label(_row(text)) for text in ("a b c", "a b c d e f g h")] == [1, None]
    assert label(_row("a b c", 50)) == 0


def test_words_that_tables_and_text_share_tell_nothing() -> None:
    label = by_words("hemp flax sisal of", "ropes are made of fibres")
    assert [label(_row(text)) for text in ("hemp flax sisal", "ropes are made", "of of of")] == [1, 0, None]


def test_what_a_twin_lacks_may_be_a_table_nevertheless() -> None:
    label = by_twins(["<table><tr><td>hemp</td><td>flax</td></tr></table>"])
    assert [label(_row(text)) for text in ("Hemp flax", "jute sisal")] == [1, None]


def test_parts_of_a_table_are_examples_and_parts_of_what_is_none_are_not() -> None:
    words = [word for n in range(7) for word in _row("hemp flax sisal", 15.0 * n)]
    page = PageModel((0, 0, 600, 800), Source.DIGITAL, words=words, seen=[Region((-1, -1, 300, 110), "table", spaced=True)])
    labels = by_boxes([(-1, -1, 300, 110)]), by_boxes([])
    assert [len(regions_of_page(page, label).labels) for label in labels] == [3, 1]


def test_each_source_is_scored_by_trees_that_have_not_seen_it() -> None:
    pytest.importorskip("lightgbm", reason="only the extra `train` brings it")
    rows = np.random.default_rng(3).random((120, len(FEATURES)))
    source = Regions(rows, (rows[:, 0] > 0.5).astype(int))
    assert len(join([source, source]).labels) == 240
    table = write_scores({"reports": source, "papers": source})
    assert table.splitlines()[2].startswith(f"| reports | {source.labels.sum()} | {120 - source.labels.sum()} | ")


def test_labels_hold_no_texts_and_their_boxes_are_upright() -> None:
    for label in map(json.loads, LABELS.read_text().splitlines()):
        assert set(label) == {"source", "sha256", "page", "tables", "others"}
        assert all(x0 < x1 and y0 < y1 for x0, y0, x1, y1 in [*label["tables"], *label["others"]])
