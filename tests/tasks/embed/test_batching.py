import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.batching import (
    MOST_TOKENS,
    PARTS_EACH,
    PATIENCE,
    Budget,
    run_in_batches,
    split_by_padded_length,
    split_for_devices,
    split_into_batches,
)


@given(lengths=st.lists(st.integers(1, 50), max_size=30), batch_tokens=st.integers(1, 200))
def test_batches_hold_every_text_once_and_keep_their_size(lengths: list[int], batch_tokens: int) -> None:
    made = list(split_into_batches(lengths, batch_tokens))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= batch_tokens for batch in made)


@given(lengths=st.lists(st.integers(1, 50), max_size=30), batch_tokens=st.integers(1, 200))
def test_a_text_is_padded_to_the_same_length_in_any_company(lengths: list[int], batch_tokens: int) -> None:
    made = list(split_by_padded_length(lengths, batch_tokens, 8))
    assert sorted(index for _, batch in made for index in batch) == list(range(len(lengths)))
    assert all(-(-lengths[i] // 8) * 8 == length for length, batch in made for i in batch)
    assert all(len(batch) == 1 or len(batch) * length <= batch_tokens for length, batch in made)


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
    run_in_batches(lengths, Budget(tokens, fixed), device.run, is_full)
    assert sorted(row for rows in device.done for row in rows) == list(range(len(lengths)))


@given(lengths=LENGTHS, tokens=st.integers(1, 500))
def test_a_fixed_budget_is_kept(lengths: list[int], tokens: int) -> None:
    device = Device(lengths, 10**9)
    run_in_batches(lengths, Budget(tokens, fixed=True), device.run, is_full)
    assert all(len(rows) == 1 or len(rows) * lengths[rows[0]] <= tokens for rows in device.done)


def test_a_budget_doubles_until_memory_says_no_and_waits_at_half() -> None:
    lengths = [10] * 400
    device, budget = Device(lengths, 700), Budget(100, fixed=False)
    run_in_batches(lengths, budget, device.run, is_full)
    assert [len(rows) for rows in device.done[:5]] == [10, 20, 40, 40, 40]
    assert device.n_refused == 1
    assert budget.tokens == 400


def test_a_budget_grows_again_when_memory_is_back_and_asks_ever_more_seldom_where_it_is_not() -> None:
    budget = Budget(100, fixed=False)
    device = Device([10] * 9_000, 150)
    run_in_batches(device.lengths, budget, device.run, is_full)
    assert (budget.tokens, device.n_refused) == (100, 6)
    device = Device([10] * 10_000, 10**9)
    run_in_batches(device.lengths, budget, device.run, is_full)
    assert len(device.done[0]) == 10 < 160 <= max(map(len, device.done))


def test_a_budget_of_single_texts_grows_too() -> None:
    budget = Budget(100, fixed=False)
    budget.record_refusal(20)
    device = Device([10] * 200, 10**9)
    run_in_batches(device.lengths, budget, device.run, is_full)
    assert len(device.done[PATIENCE]) == 1
    assert len(device.done[PATIENCE + 1]) == 2


def test_a_budget_has_an_end() -> None:
    budget = Budget(100, fixed=False)
    for _ in range(50):
        budget.record_fit()
    assert budget.tokens == MOST_TOKENS


def test_a_text_that_does_not_fit_alone_and_other_errors_are_told() -> None:
    with pytest.raises(Full):
        run_in_batches([10, 20], Budget(100, fixed=False), Device([10, 20], 15).run, is_full)
    with pytest.raises(Full):
        run_in_batches([10, 10], Budget(100, fixed=False), Device([10, 10], 15).run, lambda error: False)


@given(lengths=st.lists(st.integers(1, 512), max_size=300), n_devices=st.integers(1, 8))
def test_every_text_is_in_one_part_and_the_parts_are_alike(lengths: list[int], n_devices: int) -> None:
    parts = split_for_devices(lengths, n_devices)
    assert sorted(index for part in parts for index in part) == list(range(len(lengths)))
    assert len(parts) <= n_devices * PARTS_EACH
    share = sum(lengths) / (n_devices * PARTS_EACH)
    assert all(sum(lengths[index] for index in part) < share + max(lengths) for part in parts)


def test_parts_hold_texts_of_like_length_longest_first() -> None:
    parts = split_for_devices([1, 9] * 40, 2)
    assert [9 for _ in parts[0]] == [[1, 9][index % 2] for index in parts[0]]
    assert {[1, 9][index % 2] for index in parts[-1]} == {1}
