from itertools import pairwise

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, Qrel, R, ScoredDoc, Success, nDCG

from tasks.evaluate.scoring import (
    Relevant,
    Retrieved,
    Span,
    contains_relevant,
    count_covered_units,
    find_token_span,
    measure_spans,
    merge_spans,
    precision_omega,
    score_question,
    score_ranking,
)

spans = st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
filled = spans.filter(lambda span: span[0] < span[1])
results = st.builds(
    lambda document, span, pages: Retrieved(document, span[0], span[1], tuple(pages)),
    st.sampled_from("ab"),
    filled,
    st.lists(st.integers(1, 3), max_size=2),
)
by_document = st.dictionaries(st.sampled_from("ab"), st.lists(filled, min_size=1, max_size=3), min_size=1)
pages = st.sets(st.tuples(st.sampled_from("ab"), st.integers(1, 3)), min_size=1)
places = st.sampled_from("ab")
relevants = st.one_of(
    by_document.map(lambda gold: Relevant(spans=gold)),
    pages.map(lambda gold: Relevant(pages=gold)),
    st.tuples(by_document, pages).map(lambda gold: Relevant(spans=gold[0], pages=gold[1])),
    st.sets(places, min_size=1).map(lambda gold: Relevant(documents=gold)),
)
CUTOFFS = (1, 3, 10)

ITEMS = [f"item {number}" for number in range(12)]


def units(ranges: list[Span]) -> set[int]:
    return {unit for start, end in ranges for unit in range(start, end)}


@given(st.lists(spans))
def test_a_union_is_the_same_set_in_disjoint_order(ranges: list[Span]) -> None:
    joined = merge_spans(ranges)
    assert units(joined) == units(ranges)
    assert all(first[1] < second[0] for first, second in pairwise(joined))
    assert measure_spans(joined) == len(units(ranges))


@given(st.lists(spans), st.lists(spans))
def test_covered_counts_the_units_in_both(gold: list[Span], retrieved: list[Span]) -> None:
    assert count_covered_units(gold, retrieved) == len(units(gold) & units(retrieved))


@given(relevant=relevants, ranked=st.lists(results, max_size=6))
def test_scores_are_shares_and_hits_agree_with_ranks(relevant: Relevant, ranked: list[Retrieved]) -> None:
    scores = score_question(relevant, ranked, CUTOFFS)
    assert all(0 <= value <= 1 for value in scores.values())
    for k in CUTOFFS:
        assert (scores["hit_rate", k] == 1) == (scores["mrr", k] > 0) == (scores["recall", k] > 0)
        assert ("iou", k) in scores or relevant.pages or relevant.documents


@given(relevant=relevants, ranked=st.lists(results, max_size=6))
def test_more_results_never_lower_hits_ranks_or_recall(relevant: Relevant, ranked: list[Retrieved]) -> None:
    scores = score_question(relevant, ranked, CUTOFFS)
    for metric in ("hit_rate", "mrr", "recall"):
        values = [scores[metric, k] for k in CUTOFFS]
        assert values == sorted(values)


@given(by_document)
def test_retrieving_just_the_gold_is_perfect(gold: dict[str, list[Span]]) -> None:
    ranked = [Retrieved(document, *span) for document, ranges in gold.items() for span in merge_spans(ranges)]
    scores = score_question(Relevant(spans=gold), ranked, [len(ranked)])
    assert set(scores.values()) == {1.0}


@given(relevant=relevants)
def test_nothing_retrieved_scores_nothing(relevant: Relevant) -> None:
    assert set(score_question(relevant, [], CUTOFFS).values()) == {0.0}


def test_text_retrieved_twice_counts_twice_as_retrieved() -> None:
    gold = Relevant(spans={"a": [(0, 10)]})
    scores = score_question(gold, [Retrieved("a", 0, 20), Retrieved("a", 0, 20), Retrieved("b", 0, 10)], [1, 2, 3])
    assert [scores["precision", k] for k in (1, 2, 3)] == [10 / 20, 10 / 40, 10 / 50]
    assert [scores["iou", k] for k in (1, 2, 3)] == [10 / 20, 10 / 40, 10 / 50]
    assert [scores["recall", k] for k in (1, 2, 3)] == [1, 1, 1]


def test_what_is_left_uncovered_lowers_iou_and_recall() -> None:
    scores = score_question(Relevant(spans={"a": [(0, 10), (90, 100)]}), [Retrieved("a", 5, 25)], [1])
    assert (scores["recall", 1], scores["precision", 1], scores["iou", 1]) == (5 / 20, 5 / 20, 5 / 35)


def test_the_first_result_that_touches_gold_gives_the_rank() -> None:
    ranked = [Retrieved("b", 0, 9), Retrieved("a", 10, 20), Retrieved("a", 0, 10)]
    scores = score_question(Relevant(spans={"a": [(5, 6)]}), ranked, [1, 2, 3])
    assert [scores["mrr", k] for k in (1, 2, 3)] == [0, 0, 1 / 3]


def test_pages_are_found_by_the_pages_of_results() -> None:
    gold = Relevant(pages={("a", 2), ("a", 3)})
    scores = score_question(gold, [Retrieved("b", 0, 9, (2,)), Retrieved("a", 0, 9, (1, 2))], [1, 2])
    assert [scores["recall", k] for k in (1, 2)] == [0, 0.5]
    assert ("iou", 2) not in scores


def test_spans_and_pages_share_recall_by_their_number() -> None:
    gold = Relevant(spans={"a": [(0, 10), (20, 30)]}, pages={("b", 1)})
    scores = score_question(gold, [Retrieved("a", 0, 10)], [1])
    assert scores["recall", 1] == pytest.approx((2 * 0.5 + 1 * 0) / 3)


def test_whole_documents_count_only_without_places() -> None:
    assert contains_relevant(Relevant(documents=["a"]), Retrieved("a", 0, 1))
    assert not contains_relevant(Relevant(spans={"a": [(5, 6)]}, documents=["a"]), Retrieved("a", 0, 1))


@given(text=st.text(alphabet="ab  \n", max_size=40), data=st.data())
def test_the_tokens_of_a_span_are_those_it_shares_a_character_with(text: str, data: st.DataObject) -> None:
    tokens = [(at, at + 1) for at, letter in enumerate(text) if not letter.isspace()]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = find_token_span(np.array(tokens, dtype=np.int64).reshape(-1, 2), (start, end))
    assert tokens[first:last] == [(left, right) for left, right in tokens if left < end and right > start]


def test_a_span_within_a_token_is_that_token() -> None:
    assert find_token_span(np.array([(0, 5), (6, 11)]), (7, 8)) == (1, 2)


@given(by_document, st.lists(results, max_size=8))
def test_omega_is_the_precision_of_the_chunks_that_meet_the_gold(gold: dict[str, list[Span]], chunks: list[Retrieved]) -> None:
    right = either = 0
    for document, wanted in gold.items():
        inside = {at for start, end in wanted for at in range(start, end)}
        of_document = [chunk for chunk in chunks if chunk.document == document]
        met = [chunk for chunk in of_document if any(chunk.start <= end and start <= chunk.end for start, end in wanted)]
        found = {at for chunk in met for at in range(chunk.start, chunk.end)}
        right += len(inside & found)
        either += len(inside | found)
    assert precision_omega(Relevant(gold), chunks) == pytest.approx(right / either)


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
