import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tasks.experiment.ranking import rank

COSINES = arrays(np.float32, st.integers(1, 30), elements=st.floats(-1, 1, width=32))


@given(COSINES, st.integers(1, 40))
def test_dense_ranking_is_by_cosine_and_equal_chunks_keep_their_order(cosines: np.ndarray, depth: int) -> None:
    ranked = rank(cosines, {}, "dense", depth, 5)
    numbers = [number for number, _ in ranked.chunks]
    assert numbers == sorted(range(len(cosines)), key=lambda number: (-cosines[number], number))[:depth]
    assert ranked.sample == numbers[:5]


@given(COSINES, st.data())
def test_every_ranking_holds_each_candidate_once_best_first(cosines: np.ndarray, data: st.DataObject) -> None:
    found = data.draw(st.lists(st.integers(0, len(cosines) - 1), unique=True))
    lexical = {number: float(len(found) - place) for place, number in enumerate(found)}
    for ranking in ("dense", "lexical", "rrf", "sum"):
        ranked = rank(cosines, lexical, ranking, 10, 3)
        scores = [score for _, score in ranked.chunks]
        assert scores == sorted(scores, reverse=True)
        assert len({number for number, _ in ranked.chunks}) == len(scores)
        assert set(ranked.sample) <= {number for number, _ in ranked.chunks}


def test_words_lift_a_chunk_that_vectors_do_not_find() -> None:
    cosines = np.array([0.9, 0.1, 0.5], np.float32)
    assert rank(cosines, {1: 7.0}, "sum", 1, 1).chunks[0][0] == 0
    assert rank(cosines, {1: 7.0}, "sum", 1, 1).sample == [0, 1]
    assert rank(np.array([0.6, 0.1, 0.5], np.float32), {1: 7.0}, "sum", 1, 1).chunks[0][0] == 1
    assert [number for number, _ in rank(cosines, {1: 7.0}, "lexical", 1, 1).chunks] == [1]
