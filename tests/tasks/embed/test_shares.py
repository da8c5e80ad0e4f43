from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.shares import PARTS_EACH, in_parts


@given(lengths=st.lists(st.integers(1, 512), max_size=300), n_devices=st.integers(1, 8))
def test_every_text_is_in_one_part_and_the_parts_are_alike(lengths: list[int], n_devices: int) -> None:
    parts = in_parts(lengths, n_devices)
    assert sorted(index for part in parts for index in part) == list(range(len(lengths)))
    assert len(parts) <= n_devices * PARTS_EACH
    share = sum(lengths) / (n_devices * PARTS_EACH)
    assert all(sum(lengths[index] for index in part) < share + max(lengths) for part in parts)


def test_parts_hold_texts_of_like_length_longest_first() -> None:
    parts = in_parts([1, 9] * 40, 2)
    assert [9 for _ in parts[0]] == [[1, 9][index % 2] for index in parts[0]]
    assert {[1, 9][index % 2] for index in parts[-1]} == {1}
