import math

from hypothesis import example, given
from hypothesis import strategies as st

from tasks.charts.scale import Scale, find_round_range, format_number, list_round_ticks

numbers = st.floats(-1e9, 1e9, allow_nan=False)
odd = st.one_of(numbers, st.none(), st.just(math.nan), st.just(math.inf))


@given(low=numbers, high=numbers, value=st.floats(allow_nan=False))
def test_every_number_has_a_place_between_the_ends(low: float, high: float, value: float) -> None:
    at = Scale(min(low, high), max(low, high), 50, 300).to_coordinate(value)
    assert 50 <= at <= 300


@given(low=st.floats(1e-6, 1e6), factor=st.floats(1, 1e6), value=st.floats(allow_nan=False))
def test_every_number_has_a_place_on_a_logarithmic_axis(low: float, factor: float, value: float) -> None:
    scale = Scale(low, low * factor, 50, 300, logarithmic=True)
    assert 50 - 1e-6 <= scale.to_coordinate(value) <= 300 + 1e-6
    assert all(low <= tick <= low * factor for tick in scale.list_ticks())


@given(st.lists(odd, max_size=20), st.booleans())
def test_a_range_is_round_and_holds_all_values(values: list[float | None], zero: bool) -> None:
    low, high = find_round_range(values, zero)
    found = [value for value in values if value is not None and math.isfinite(value)]
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    assert math.isfinite(low) and math.isfinite(high) and low < high
    assert all(low - slack <= value <= high + slack for value in found)
    assert low <= 0 <= high or not zero


@given(low=numbers, size=st.floats(1e-6, 1e9), most=st.integers(2, 12))
@example(low=1e8, size=0.0005, most=4)
def test_ticks_are_few_and_inside(low: float, size: float, most: int) -> None:
    found = list_round_ticks(low, low + size, most)
    slack = 1e-6 * max(1.0, abs(low), size)
    assert len(found) <= most
    assert found == sorted(set(found))
    assert all(low - slack <= value <= low + size + slack for value in found)


def test_what_has_no_fractions_has_no_ticks_between_whole_numbers() -> None:
    assert Scale(1, 2, 0, 100, whole=True).list_ticks() == [1, 2]


def test_numbers_are_short() -> None:
    assert [format_number(value) for value in (0.0, 0.123456, 12.0, 999.9, 1e6)] == ["0", "0.123", "12", "1e+03", "1,000,000"]
