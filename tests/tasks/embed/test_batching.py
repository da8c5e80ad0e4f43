from hypothesis import given
from hypothesis import strategies as st

from tasks.embed.batching import alike, batches


@given(lengths=st.lists(st.integers(1, 50), max_size=30), batch_tokens=st.integers(1, 200))
def test_batches_hold_every_text_once_and_keep_their_size(lengths: list[int], batch_tokens: int) -> None:
    made = list(batches(lengths, batch_tokens))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= batch_tokens for batch in made)


@given(lengths=st.lists(st.integers(1, 50), max_size=30), batch_tokens=st.integers(1, 200))
def test_a_text_is_padded_to_the_same_length_in_any_company(lengths: list[int], batch_tokens: int) -> None:
    made = list(alike(lengths, batch_tokens, 8))
    assert sorted(index for _, batch in made for index in batch) == list(range(len(lengths)))
    assert all(-(-lengths[i] // 8) * 8 == length for length, batch in made for i in batch)
    assert all(len(batch) == 1 or len(batch) * length <= batch_tokens for length, batch in made)
