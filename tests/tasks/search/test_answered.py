from hypothesis import given
from hypothesis import strategies as st

from tasks.search.answered import UNANSWERED, answered

SHARES = {"heron": 0.6, "eels": 0.4}
CHUNKS = st.lists(st.tuples(st.floats(-1, 1), st.sampled_from(["A heron.", "Eels and a heron.", "Snow."])), max_size=5)


@given(CHUNKS)
def test_it_is_a_probability_that_more_chunks_do_not_lower(chunks: list[tuple[float, str]]) -> None:
    likely = answered(chunks, SHARES)
    assert 0 <= likely <= 1
    assert answered([*chunks, (0.1, "Snow.")], SHARES) >= likely


def test_what_is_near_or_has_the_words_answers_and_what_has_neither_does_not() -> None:
    assert answered([(0.6, "The heron eats eels.")], SHARES) > 0.9
    assert answered([(0.3, "Snow.")], SHARES) < UNANSWERED
    assert answered([], SHARES) == 0
