from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.losses import GoldPlace, explain_loss, find_missing_gold, find_uncovered_spans
from tasks.evaluate.scoring import Relevant, Retrieved, Span, measure_spans

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (min(pair), max(pair))), max_size=5)
GOLD = Relevant({"a": [(10, 20)]})
WHOLE = Retrieved("a", 0, 30)


def points(spans: list[Span]) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}


@given(gold=SPANS, retrieved=SPANS)
def test_gaps_are_what_gold_has_and_results_have_not(gold: list[Span], retrieved: list[Span]) -> None:
    found = find_uncovered_spans(gold, retrieved)
    assert points(found) == points(gold) - points(retrieved)
    assert measure_spans(found) == len(points(found))
    assert found == sorted(found)


def test_pages_and_documents_are_missing_until_a_result_has_them() -> None:
    pages = Relevant({}, {("a", 1), ("a", 2)})
    assert find_missing_gold(pages, [Retrieved("a", 0, 5, (2,))]) == [GoldPlace("a", None, 1)]
    assert find_missing_gold(Relevant({}, (), {"a", "b"}), [Retrieved("b", 0, 1)]) == [GoldPlace("a", None)]


def test_gold_that_is_found_is_not_lost() -> None:
    assert explain_loss(GOLD, [Retrieved("a", 0, 15), Retrieved("a", 15, 30)], [], 3, [], {}) is None


def test_gold_of_a_rejected_page_is_lost_with_it() -> None:
    assert explain_loss(Relevant({}, {("a", 3)}), [], [], 3, [], {"a": {3}}) == "rejected page"


def test_gold_of_a_used_chunk_was_trimmed_away() -> None:
    assert explain_loss(GOLD, [Retrieved("a", 0, 9)], [WHOLE], 1, [WHOLE], {}) == "trimmed"


def test_gold_across_a_border_is_cut() -> None:
    ranking = [Retrieved("a", 0, 15), Retrieved("b", 0, 9), Retrieved("a", 15, 30)]
    assert explain_loss(GOLD, ranking[:1], ranking, 1, ranking, {}) == "cut"


def test_gold_further_down_is_ranked_lower_or_last() -> None:
    ranking = [Retrieved("b", 0, 9), Retrieved("a", 0, 30)]
    assert explain_loss(GOLD, ranking[:1], ranking, 1, ranking, {}) == "ranked lower"
    assert explain_loss(GOLD, ranking[:1], ranking[:1], 1, ranking, {}) == "ranked last"
    assert explain_loss(Relevant({}, (), {"a"}), ranking[:1], ranking, 1, ranking, {}) == "ranked lower"


def test_gold_that_no_chunk_has_is_lost_before_any_search() -> None:
    assert explain_loss(GOLD, [], [], 3, [Retrieved("a", 0, 9), Retrieved("a", 25, 30)], {}) == "no chunk"
