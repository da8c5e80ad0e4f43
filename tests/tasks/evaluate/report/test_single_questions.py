from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.report.single_questions import AROUND, cut_excerpts
from tasks.evaluate.scoring import Span, count_covered_units, measure_spans, merge_spans

spans = st.lists(
    st.tuples(st.integers(-5, 400), st.integers(0, 400)).map(lambda both: (both[0], both[0] + both[1] % 90)), max_size=6
)


@given(gold=spans, results=spans)
def test_pieces_say_of_each_character_whether_it_is_gold_and_whether_it_was_found(gold: list[Span], results: list[Span]) -> None:
    text = "".join(chr(0x4E00 + at) for at in range(350))
    found = cut_excerpts(text, gold, list(enumerate(results, 1)))
    lengths = {"found": 0, "missed": 0, "retrieved": 0, "plain": 0}
    for piece in (piece for one in found for piece in one):
        assert piece.text in text
        lengths[piece.kind] += len(piece.text)
    inside = [[(max(0, a), min(350, b)) for a, b in given_ if max(0, a) < min(350, b)] for given_ in (gold, results)]
    assert lengths["found"] == count_covered_units(*inside)
    assert lengths["found"] + lengths["missed"] == measure_spans(merge_spans(inside[0]))
    assert lengths["found"] + lengths["retrieved"] == measure_spans(merge_spans(inside[1]))
    ranks = sorted(rank for one in found for piece in one for rank in piece.ranks)
    assert ranks == [rank for rank, (a, b) in enumerate(results, 1) if max(0, a) < min(350, b)]


def test_only_what_lies_around_is_shown_and_long_passages_lose_their_middle() -> None:
    text = "a" * 2000 + "b" * 2000 + "c" * 2000
    [[before, passage, after]] = cut_excerpts(text, [], [(1, (2000, 4000))])
    assert (before.text, after.text) == ("a" * AROUND, "c" * AROUND)
    assert "[…1,640 characters…]" in passage.text and len(passage.text) < 400


def test_places_far_apart_are_two_excerpts() -> None:
    assert len(cut_excerpts("a" * 5000, [(10, 20)], [(1, (4000, 4100))])) == 2
