"""Small contents share a call, in their order; large ones have a call of their own."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.media_types import PDF, PLAIN_TEXT
from schemas.references import Content
from tasks.refresh.grouping import SMALL_BYTES, TOGETHER, grouped, is_small

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
    groups = grouped(listed, n_workers)
    assert [content for group in groups for content in group] == listed
    assert all(0 < len(group) <= TOGETHER for group in groups)
    assert all(is_small(content) for group in groups if len(group) > 1 for content in group)


@given(st.integers(1, 500), st.integers(1, 8))
def test_every_worker_has_something_to_do(n: int, n_workers: int) -> None:
    small = [Content(sha256=str(at), media_type=PLAIN_TEXT, path="a", size=1) for at in range(n)]
    assert len(grouped(small, n_workers)) >= min(n, n_workers)
