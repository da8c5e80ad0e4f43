import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.ranking import (
    LEXICAL_WEIGHT,
    PRIOR_WEIGHT,
    Candidate,
    ChunkPosition,
    Evidence,
    add_neighbour_scores,
    rank_candidates,
    reciprocal_rank_fusion,
)

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
    places = {f"{document}{position}": ChunkPosition(document, position) for document, position in scores}
    found = dict(add_neighbour_scores([(f"{place[0]}{place[1]}", score) for place, score in scores.items()], places, 0.5))
    for (document, position), score in scores.items():
        beside = scores.get((document, position - 1), 0.0) + scores.get((document, position + 1), 0.0)
        assert abs(found[f"{document}{position}"] - score - beside / 4) < 1e-9


def test_without_neighbours_the_order_stays() -> None:
    ranked = [("b", 1.0), ("a", 1.0), ("c", 0.5)]
    assert add_neighbour_scores(ranked, {name: ChunkPosition(name, 0) for name in "abc"}) == ranked


NOTHING = Evidence({}, {}, {}, {})


def chunk(document: str, position: int, cosine: float = 0.0, section: tuple[str, ...] = ()) -> Candidate:
    return Candidate(cosine, ChunkPosition(document, position), section)


@given(st.lists(st.tuples(st.floats(-1, 1), st.just(0.0) | st.floats(0.001, 9)), max_size=8))
def test_without_documents_and_sections_it_is_the_sum_with_neighbours(chunks: list[tuple[float, float]]) -> None:
    candidates = {str(at): chunk("d", at, cosine) for at, (cosine, _) in enumerate(chunks)}
    lexical = {str(at): score for at, (_, score) in enumerate(chunks) if score}
    best = max(lexical.values(), default=1.0)
    sums = {name: one.cosine + LEXICAL_WEIGHT * lexical.get(name, 0.0) / best for name, one in candidates.items()}
    expected = add_neighbour_scores(list(sums.items()), {name: one.position for name, one in candidates.items()})
    assert dict(rank_candidates(candidates, NOTHING._replace(lexical=lexical))) == pytest.approx(dict(expected))


def test_a_chunk_of_the_document_that_is_meant_comes_first() -> None:
    candidates = {"a": chunk("x", 0, 0.6), "b": chunk("y", 0, 0.4)}
    assert rank_candidates(candidates, NOTHING)[0][0] == "a"
    assert rank_candidates(candidates, NOTHING._replace(affinities={"y": 1.0}))[0] == ("b", 0.4 + PRIOR_WEIGHT)


def test_words_of_the_section_count() -> None:
    candidates = {"a": chunk("x", 0, 0.5), "b": chunk("x", 9, 0.45, ("Results", "Dividends"))}
    ranked = rank_candidates(candidates, NOTHING._replace(idf={"divide": 0.9, "acme": 0.1}))
    assert [name for name, _ in ranked] == ["b", "a"]


def test_within_a_document_its_own_idf_decides_but_its_best_chunk_keeps_its_share() -> None:
    candidates = {"a": chunk("x", 0), "b": chunk("x", 5), "c": chunk("y", 0)}
    evidence = NOTHING._replace(lexical={"a": 6.0, "b": 3.0, "c": 12.0}, in_document={"a": 0.2, "b": 1.0})
    ranked = dict(rank_candidates(candidates, evidence))
    assert ranked["c"] > ranked["b"] > ranked["a"]
    assert ranked["b"] == ranked["c"] / 2
