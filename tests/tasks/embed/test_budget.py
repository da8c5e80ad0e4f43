import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.budget import MOST_TOKENS, PATIENCE, Budget, in_batches

LENGTHS = st.lists(st.integers(1, 50), max_size=60)


class Full(Exception):
    """The device has no more memory."""


class Device:
    """A device that takes `room` tokens at once."""

    def __init__(self, lengths: list[int], room: int) -> None:
        self.lengths, self.room = lengths, room
        self.done: list[list[int]] = []
        self.n_refused = 0

    def run(self, rows: list[int]) -> None:
        if len(rows) * max(self.lengths[row] for row in rows) > self.room:
            self.n_refused += 1
            raise Full
        self.done.append(rows)


def is_full(error: Exception) -> bool:
    return isinstance(error, Full)


@given(lengths=LENGTHS, tokens=st.integers(1, 500), room=st.integers(50, 500), fixed=st.booleans())
def test_every_text_is_run_once_whatever_the_device_takes(lengths: list[int], tokens: int, room: int, fixed: bool) -> None:
    device = Device(lengths, room)
    in_batches(lengths, Budget(tokens, fixed), device.run, is_full)
    assert sorted(row for rows in device.done for row in rows) == list(range(len(lengths)))


@given(lengths=LENGTHS, tokens=st.integers(1, 500))
def test_a_fixed_budget_is_kept(lengths: list[int], tokens: int) -> None:
    device = Device(lengths, 10**9)
    in_batches(lengths, Budget(tokens, fixed=True), device.run, is_full)
    assert all(len(rows) == 1 or len(rows) * lengths[rows[0]] <= tokens for rows in device.done)


def test_a_budget_doubles_until_memory_says_no_and_waits_at_half() -> None:
    lengths = [10] * 400
    device, budget = Device(lengths, 700), Budget(100, fixed=False)
    in_batches(lengths, budget, device.run, is_full)
    assert [len(rows) for rows in device.done[:5]] == [10, 20, 40, 40, 40]
    assert device.n_refused == 1
    assert budget.tokens == 400


def test_a_budget_grows_again_when_memory_is_back_and_asks_ever_more_seldom_where_it_is_not() -> None:
    budget = Budget(100, fixed=False)
    device = Device([10] * 9_000, 150)
    in_batches(device.lengths, budget, device.run, is_full)
    assert (budget.tokens, device.n_refused) == (100, 6)
    device = Device([10] * 10_000, 10**9)
    in_batches(device.lengths, budget, device.run, is_full)
    assert len(device.done[0]) == 10 < 160 <= max(map(len, device.done))


def test_a_budget_of_single_texts_grows_too() -> None:
    budget = Budget(100, fixed=False)
    budget.refused(20)
    device = Device([10] * 200, 10**9)
    in_batches(device.lengths, budget, device.run, is_full)
    assert len(device.done[PATIENCE]) == 1
    assert len(device.done[PATIENCE + 1]) == 2


def test_a_budget_has_an_end() -> None:
    budget = Budget(100, fixed=False)
    for _ in range(50):
        budget.fitted()
    assert budget.tokens == MOST_TOKENS


def test_a_text_that_does_not_fit_alone_and_other_errors_are_told() -> None:
    with pytest.raises(Full):
        in_batches([10, 20], Budget(100, fixed=False), Device([10, 20], 15).run, is_full)
    with pytest.raises(Full):
        in_batches([10, 10], Budget(100, fixed=False), Device([10, 10], 15).run, lambda error: False)
