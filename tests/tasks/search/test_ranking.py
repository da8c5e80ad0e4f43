from hypothesis import given
from hypothesis import strategies as st

from tasks.search.ranking import reciprocal_rank_fusion

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
