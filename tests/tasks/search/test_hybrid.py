import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.hybrid import SCENT_WEIGHT, Candidate, Evidence, hybrid_ranked
from tasks.search.ranking import Place, score_sum, with_neighbours

NOTHING = Evidence({}, {}, {}, {})


def chunk(document: str, position: int, cosine: float = 0.0, section: tuple[str, ...] = ()) -> Candidate:
    return Candidate(cosine, Place(document, position), section)


@given(st.lists(st.tuples(st.floats(-1, 1), st.just(0.0) | st.floats(0.001, 9)), max_size=8))
def test_without_documents_and_sections_it_is_the_sum_with_neighbours(chunks: list[tuple[float, float]]) -> None:
    candidates = {str(at): chunk("d", at, cosine) for at, (cosine, _) in enumerate(chunks)}
    lexical = {str(at): score for at, (_, score) in enumerate(chunks) if score}
    expected = with_neighbours(
        score_sum({name: one.cosine for name, one in candidates.items()}, lexical),
        {name: one.place for name, one in candidates.items()},
    )
    assert dict(hybrid_ranked(candidates, NOTHING._replace(lexical=lexical))) == pytest.approx(dict(expected))


def test_a_chunk_of_the_document_that_is_meant_comes_first() -> None:
    candidates = {"a": chunk("x", 0, 0.6), "b": chunk("y", 0, 0.4)}
    assert hybrid_ranked(candidates, NOTHING)[0][0] == "a"
    assert hybrid_ranked(candidates, NOTHING._replace(scents={"y": 1.0}))[0] == ("b", 0.4 + SCENT_WEIGHT)


def test_words_of_the_section_count() -> None:
    candidates = {"a": chunk("x", 0, 0.5), "b": chunk("x", 9, 0.45, ("Results", "Dividends"))}
    ranked = hybrid_ranked(candidates, NOTHING._replace(rarity={"divide": 0.9, "acme": 0.1}))
    assert [name for name, _ in ranked] == ["b", "a"]


def test_within_a_document_its_own_rarity_decides_but_its_best_chunk_keeps_its_share() -> None:
    candidates = {"a": chunk("x", 0), "b": chunk("x", 5), "c": chunk("y", 0)}
    evidence = NOTHING._replace(lexical={"a": 6.0, "b": 3.0, "c": 12.0}, within={"a": 0.2, "b": 1.0})
    ranked = dict(hybrid_ranked(candidates, evidence))
    assert ranked["c"] > ranked["b"] > ranked["a"]
    assert ranked["b"] == ranked["c"] / 2
