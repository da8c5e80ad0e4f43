import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, Qrel, R, ScoredDoc, Success, nDCG

from tasks.evaluate.rankings import score_ranking

ITEMS = [f"item {number}" for number in range(12)]


@given(
    ranked=st.lists(st.sampled_from(ITEMS), unique=True),
    relevant=st.sets(st.sampled_from(ITEMS), min_size=1),
    k=st.integers(1, 14),
)
def test_the_scores_are_those_of_ir_measures(ranked: list[str], relevant: set[str], k: int) -> None:
    theirs = {"hit_rate": Success @ k, "recall": R @ k, "mrr": RR @ k, "ndcg": nDCG @ k, "map": AP @ k}
    qrels = [Qrel("q", item, 1) for item in sorted(relevant)]
    run = [ScoredDoc("q", item, float(len(ranked) - rank)) for rank, item in enumerate(ranked)]
    expected = ir_measures.calc_aggregate(list(theirs.values()), qrels, run)
    found = score_ranking(ranked, relevant, (k,), "chunk_")
    assert found == {
        (f"chunk_{name}", k): pytest.approx(expected.get(measure, 0.0), abs=1e-9) for name, measure in theirs.items()
    }


def test_a_ranking_without_anything_relevant_has_no_scores() -> None:
    assert score_ranking(["a"], set(), (1,), "page_") == {}
