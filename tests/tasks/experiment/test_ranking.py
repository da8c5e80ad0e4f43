import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from schemas.options.experiment import Ranking
from tasks.experiment.ranking import Ranked, rank
from tasks.search.ranking import Place

COSINES = arrays(np.float32, st.integers(1, 30), elements=st.floats(-1, 1, width=32))


def ranked_apart(
    cosines: np.ndarray, lexical: dict[int, float], ranking: Ranking, depth: int, sample: int, document: str = ""
) -> Ranked:
    """Rank chunks that are all of one document, or else each of a document of its own."""
    places = [Place(document or str(number), number) for number in range(len(cosines))]
    return rank(cosines, lexical, places, ranking, depth, sample)


@given(COSINES, st.integers(1, 40))
def test_dense_ranking_is_by_cosine_and_equal_chunks_keep_their_order(cosines: np.ndarray, depth: int) -> None:
    ranked = ranked_apart(cosines, {}, "dense", depth, 5)
    numbers = [number for number, _ in ranked.chunks]
    assert numbers == sorted(range(len(cosines)), key=lambda number: (-cosines[number], number))[:depth]
    assert ranked.sample == numbers[:5]


@given(COSINES, st.data())
def test_every_ranking_holds_each_candidate_once_best_first(cosines: np.ndarray, data: st.DataObject) -> None:
    found = data.draw(st.lists(st.integers(0, len(cosines) - 1), unique=True))
    lexical = {number: float(len(found) - place) for place, number in enumerate(found)}
    rankings: tuple[Ranking, ...] = ("dense", "lexical", "rrf", "sum")
    for ranking in rankings:
        ranked = ranked_apart(cosines, lexical, ranking, 10, 3)
        scores = [score for _, score in ranked.chunks]
        assert scores == sorted(scores, reverse=True)
        assert len({number for number, _ in ranked.chunks}) == len(scores)
        assert set(ranked.sample) <= {number for number, _ in ranked.chunks}


def test_words_lift_a_chunk_that_vectors_do_not_find() -> None:
    cosines = np.array([0.9, 0.1, 0.5], np.float32)
    assert ranked_apart(cosines, {1: 7.0}, "sum", 1, 1).chunks[0][0] == 0
    assert ranked_apart(cosines, {1: 7.0}, "sum", 1, 1).sample == [0, 1]
    assert ranked_apart(np.array([0.6, 0.1, 0.5], np.float32), {1: 7.0}, "sum", 1, 1).chunks[0][0] == 1
    assert [number for number, _ in ranked_apart(cosines, {1: 7.0}, "lexical", 1, 1).chunks] == [1]


def test_a_chunk_between_two_that_match_is_lifted() -> None:
    cosines = np.array([0.6, 0.5, 0.6, 0.0, 0.7], np.float32)
    assert ranked_apart(cosines, {}, "sum", 5, 5).chunks[0][0] == 4
    assert ranked_apart(cosines, {}, "sum", 5, 5, document="a").chunks[0][0] == 1
    assert ranked_apart(cosines, {}, "dense", 5, 5, document="a").chunks[0][0] == 4
