"""Small contents share a call, in their order; large ones have a call of their own."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.media_types import PDF, PLAIN_TEXT
from schemas.references import Content
from tasks.refresh.grouping import (
    BATCH_WEIGHT,
    HEAVY,
    MOST_BATCHES,
    SHARES,
    SMALL_BYTES,
    TOGETHER,
    group_small,
    is_small,
    split_into_batches,
)

contents = st.lists(
    st.builds(
        Content,
        sha256=st.uuids().map(str),
        media_type=st.sampled_from([PDF, PLAIN_TEXT]),
        path=st.just("a"),
        size=st.integers(0, 2 * SMALL_BYTES),
    ),
    max_size=200,
)


@given(contents, st.integers(1, 8))
def test_groups_hold_all_in_order_and_only_small_ones_together(listed: list[Content], n_workers: int) -> None:
    groups = group_small(listed, n_workers)
    assert [content for group in groups for content in group] == listed
    assert all(0 < len(group) <= TOGETHER for group in groups)
    assert all(is_small(content) for group in groups if len(group) > 1 for content in group)


@given(st.integers(1, 500), st.integers(1, 8))
def test_every_worker_has_something_to_do(n: int, n_workers: int) -> None:
    small = [Content(sha256=str(at), media_type=PLAIN_TEXT, path="a", size=1) for at in range(n)]
    assert len(group_small(small, n_workers)) >= min(n, n_workers)


@given(contents)
def test_batches_hold_all_in_order_and_none_is_empty_or_too_heavy(listed: list[Content]) -> None:
    batches = split_into_batches(listed)
    assert [content for batch in batches for content in batch] == listed
    assert all(batch for batch in batches)
    assert all(sum(1 if each.media_type == PLAIN_TEXT else HEAVY for each in batch) <= BATCH_WEIGHT for batch in batches)


def test_a_large_plan_has_no_more_batches_than_a_server_carries() -> None:
    few, many = (split_into_batches([Content(sha256="a", media_type=PDF, path="a", size=1)] * n) for n in (20, 20_000))
    assert len(few) == 2
    assert MOST_BATCHES <= len(many) <= MOST_BATCHES + 1


@given(st.integers(1, 2000), st.integers(1, 300))
def test_other_machines_get_several_batches_for_each_place_if_there_are_enough_documents(n: int, n_places: int) -> None:
    batches = split_into_batches([Content(sha256="a", media_type=PDF, path="a", size=1)] * n, n_places)
    assert sum(map(len, batches)) == n
    assert min(n, 2 * n_places) <= len(batches) <= max(MOST_BATCHES, 2 * SHARES * n_places) + 1 + n // (BATCH_WEIGHT // HEAVY)
