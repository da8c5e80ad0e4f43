"""Packs are written again when that deletes as much as it copies; nothing that is needed is left out, nothing is read twice."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.publish.io.staged import JOINED_BYTES, MAX_SMALL_PACKS, SMALL_BYTES, PackUsage, choose_packs_to_rewrite


@st.composite
def shares(draw: st.DrawFn) -> list[PackUsage]:
    sizes = draw(st.lists(st.tuples(st.integers(1, 2 * SMALL_BYTES), st.integers(1, 9)), max_size=60))
    return [PackUsage(at, size, n, draw(st.integers(0, n))) for at, (size, n) in enumerate(sizes)]


@given(shares())
def test_what_stays_is_at_least_half_needed_and_few_packs_are_small(packs: list[PackUsage]) -> None:
    groups = choose_packs_to_rewrite(packs, strict=False)
    named = [at for group in groups for at in group]
    assert len(named) == len(set(named))
    stay = [pack for pack in packs if pack.pack not in named]
    assert all(pack.n_needed * 2 >= pack.n_rows > 0 for pack in stay)
    joined = [[packs[at] for at in group] for group in groups if len(group) > 1]
    assert all(sum(pack.n_bytes for pack in group) <= JOINED_BYTES for group in joined)
    assert sum(pack.n_bytes < SMALL_BYTES for pack in stay) <= MAX_SMALL_PACKS


@given(shares())
def test_strictly_no_row_stays_that_is_not_needed(packs: list[PackUsage]) -> None:
    named = {at for group in choose_packs_to_rewrite(packs, strict=True) for at in group}
    assert all(pack.n_needed == pack.n_rows for pack in packs if pack.pack not in named)


def test_a_night_of_one_change_writes_nothing_else() -> None:
    packs = [PackUsage(0, 50 * SMALL_BYTES, 10_000, 9_999), PackUsage(1, 5_000, 1, 1)]
    assert choose_packs_to_rewrite(packs, strict=False) == []
