from hypothesis import given
from hypothesis import strategies as st

from tasks.search.ranking import Place, reciprocal_rank_fusion, with_neighbours

rankings = st.lists(st.lists(st.sampled_from("abcdefg"), unique=True), max_size=3)


@given(rankings)
def test_fusion_keeps_every_id_once_in_falling_order_of_score(lists: list[list[str]]) -> None:
    fused = reciprocal_rank_fusion(lists)
    names, scores = [name for name, _ in fused], [score for _, score in fused]
    assert sorted(names) == sorted({name for ranking in lists for name in ranking})
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from("abcdefg"), unique=True))
def test_one_list_alone_keeps_its_order(ranking: list[str]) -> None:
    assert [name for name, _ in reciprocal_rank_fusion([ranking])] == ranking


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    assert dict(reciprocal_rank_fusion([["a", "b"], ["b"]], k=60)) == {"b": 1 / 62 + 1 / 61, "a": 1 / 61}


@given(st.dictionaries(st.tuples(st.sampled_from("de"), st.integers(0, 6)), st.floats(0, 2), max_size=10))
def test_neighbours_of_the_same_document_lift_each_other(scores: dict[tuple[str, int], float]) -> None:
    places = {f"{document}{position}": Place(document, position) for document, position in scores}
    found = dict(with_neighbours([(f"{place[0]}{place[1]}", score) for place, score in scores.items()], places, 0.5))
    for (document, position), score in scores.items():
        beside = scores.get((document, position - 1), 0.0) + scores.get((document, position + 1), 0.0)
        assert abs(found[f"{document}{position}"] - score - beside / 4) < 1e-9


def test_without_neighbours_the_order_stays() -> None:
    ranked = [("b", 1.0), ("a", 1.0), ("c", 0.5)]
    assert with_neighbours(ranked, {name: Place(name, 0) for name in "abc"}) == ranked
