import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.describe.chart_axes import find_evenly_spaced_ticks, group_aligned, is_made_of_words, is_number, is_tick, parse_value
from tasks.parse.layout.figure_lines import FigureLine


def at(text: str, place: float) -> FigureLine:
    return FigureLine(text, (place - 5, 0, place + 5, 10), 10)


def found(*ticks: tuple[str, float]) -> list[str]:
    return [line.text for line in find_evenly_spaced_ticks([at(*tick) for tick in ticks], lambda line: line.x, 4)]


@given(st.integers(-10_000_000, 10_000_000))
def test_a_number_means_the_same_with_and_without_commas(number: int) -> None:
    assert parse_value(f"{number:,}") == parse_value(str(number)) == number
    assert parse_value(f"{number:,}".replace(",", "."), ",") == number


@pytest.mark.parametrize("text", ["0", "-5", "\N{MINUS SIGN}0.5", "1,500", "$20", "53,9 %", "10^\N{MINUS SIGN}3", ".00015", "2k"])
def test_numbers_are_distinguished_from_words(text: str) -> None:
    assert is_number(at(text, 0)) and is_tick(at(text, 0)) and not is_made_of_words(at(text, 0))


@pytest.mark.parametrize(
    "text", ["Jan", "Jan-08", "1-Sep-08", "July 2020", "Q3", "2020 Q1", "12:30", "2019/20", "0-4", "15 to 24", "Mon"]
)
def test_dates_and_ranges_are_ticks_and_no_numbers(text: str) -> None:
    assert is_tick(at(text, 0)) and not is_number(at(text, 0))


@pytest.mark.parametrize("text", ["Monaco", "Marathon", "Under 15", "80 and over", "May be", "kg"])
def test_words_are_not_ticks(text: str) -> None:
    assert not is_tick(at(text, 0)) and is_made_of_words(at(text, 0))


@given(st.integers(-50, 50), st.integers(1, 40), st.integers(3, 12), st.floats(20, 80), st.booleans())
def test_ticks_of_any_step_and_direction_are_found(start: int, step: int, n: int, pitch: float, falling: bool) -> None:
    ticks = [(str(start + step * k), pitch * (n - k if falling else k)) for k in range(n)]
    assert sorted(found(*ticks)) == sorted(text for text, _ in ticks)


def test_numbers_at_other_places_are_left_out() -> None:
    ticks = [(str(10 * n), 30.0 * n) for n in range(6)]
    assert found(*ticks, ("37", 47), ("12", 100)) == ["0", "10", "20", "30", "40", "50"]
    assert found(("71", 0), ("21", 50), ("5", 100)) == []


def test_ticks_may_have_the_places_of_their_logarithms() -> None:
    assert found(("1", 0), ("10", 50), ("100", 100)) == ["1", "10", "100"]
    assert found(("10^-2", 0), ("10^-1", 50), ("10^0", 100)) == ["10^-2", "10^-1", "10^0"]
    assert found(("1", 0), ("2", 30), ("4", 60), ("8", 90)) == ["1", "2", "4", "8"]


@given(st.lists(st.floats(0, 100), max_size=20), st.floats(0, 10))
def test_each_line_is_in_one_group_of_its_neighbours(places: list[float], slack: float) -> None:
    lines = [at(str(n), place) for n, place in enumerate(places)]
    groups = list(group_aligned(lines, lambda line: line.x, slack))
    assert sorted(line.text for group in groups for line in group) == sorted(line.text for line in lines)
    assert all(max(line.x for line in group) - min(line.x for line in group) <= slack for group in groups)
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)
