from hypothesis import given
from hypothesis import strategies as st

from tasks.search.answerability import UNANSWERED, answer_probability

SHARES = {"heron": 0.6, "eels": 0.4}
CHUNKS = st.lists(st.tuples(st.floats(-1, 1), st.sampled_from([("heron",), ("eels", "heron"), ()])), max_size=5)


@given(CHUNKS)
def test_it_is_a_probability_that_more_chunks_do_not_lower(chunks: list[tuple[float, tuple[str, ...]]]) -> None:
    likely = answer_probability(chunks, SHARES)
    assert 0 <= likely <= 1
    assert answer_probability([*chunks, (0.1, ())], SHARES) >= likely


def test_what_is_near_or_has_the_words_answers_and_what_has_neither_does_not() -> None:
    assert answer_probability([(0.6, ("heron", "eels"))], SHARES) > 0.9
    assert answer_probability([(0.3, ())], SHARES) < UNANSWERED
    assert answer_probability([], SHARES) == 0
