import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.evaluate.report.charts.bars import ROW, box_figures, box_plot, histogram, interval_strip, stacked_bars
from tests.tasks.evaluate.report.logs import HOSTILE

values = st.lists(st.floats(0, 1), min_size=1, max_size=50)


@given(values)
def test_a_box_plot_is_in_order(found: list[float]) -> None:
    drawn = box_figures(found)
    assert min(found) <= drawn.low <= drawn.first + 1e-9
    assert drawn.first <= drawn.median <= drawn.third
    assert drawn.third - 1e-9 <= drawn.high <= max(found)
    assert drawn.n == len(found)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["law", "chat"]), st.dictionaries(st.sampled_from("ab"), values, min_size=1), min_size=1))
def test_boxes_have_numbers_for_coordinates(groups: dict[str, dict[str, list[float]]]) -> None:
    drawn = box_plot(groups, "iou@5")
    assert "nan" not in drawn
    assert drawn.count("<rect") == sum(map(len, groups.values()))


def test_sixty_recipes_have_a_row_each() -> None:
    drawn = stacked_bars({f"{at} recipe": {"cut": 3, "ranked last": at} for at in range(60)}, ["cut", "ranked last"], "questions")
    rows = sorted(
        {float(y) for y in re.findall(r'text-anchor="end">|<text x="[\d.]+" y="([\d.]+)" text-anchor="end"', drawn) if y}
    )
    assert len(rows) == 60
    assert all(b - a == ROW for a, b in pairwise(rows))


def test_a_reason_is_told_by_letter_and_not_by_colour_alone() -> None:
    drawn = stacked_bars({"one": {"cut": 30, "ranked last": 70}}, ["cut", "ranked last"], "questions")
    assert ">A 30<" in drawn and ">B 70<" in drawn
    assert "<span>cut</span>" in drawn and "cut: 30" in drawn


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=300))
def test_a_histogram_has_few_bars_and_counts_all(counts: list[int]) -> None:
    drawn = histogram(counts, 16, "tokens")
    assert 1 <= drawn.count("<rect") <= 32
    assert "nan" not in drawn


def test_names_cannot_break_out_of_a_drawing() -> None:
    drawn = stacked_bars({HOSTILE: {HOSTILE: 3}}, [HOSTILE], HOSTILE) + box_plot({HOSTILE: {HOSTILE: [0.5]}}, HOSTILE)
    assert "<script" not in drawn and "<img" not in drawn and "\u202e" not in drawn


def test_an_interval_says_its_numbers_in_words() -> None:
    assert 'aria-label="0.500, interval 0.400 to 0.600"' in interval_strip(0.5, 0.4, 0.6, 1.0)
