from hypothesis import given
from hypothesis import strategies as st

from tasks.search.nearness import BASE_RANK, Near, base_of, nearness
from tasks.search.neighbours import Candidate
from tasks.search.ranking import Place


def chunk(position: int, start: int, end: int) -> Candidate:
    return Candidate(f"c{position}", "d", position, start, end)


def near(*cosines: float, base: float = 0.0) -> Near:
    return Near({Place("d", position): cosine for position, cosine in enumerate(cosines)}, base)


def test_a_sentence_in_the_middle_of_a_chunk_has_its_cosine_and_one_at_the_edge_half_of_each() -> None:
    passage = [chunk(1, 20, 30), chunk(0, 0, 20)]
    assert nearness([(8, 12), (16, 24), (24, 26)], passage, near(0.4, 0.8)) == [0.4, 0.4 + 0.4 * 10 / 15, 0.8]


def test_a_chunk_beside_the_passage_counts_if_it_was_found_and_is_at_the_base_if_not() -> None:
    passage = [chunk(1, 10, 20)]
    spans = [(10, 10), (20, 20)]
    found = nearness(spans, passage, near(0.5, 0.7, base=0.1))
    assert [round(value, 6) for value in found] == [0.5, 0.3]


def test_nothing_stands_before_the_first_chunk_of_a_document() -> None:
    assert nearness([(0, 0)], [chunk(0, 0, 10)], near(0.6)) == [0.6]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.floats(-1, 1))
def test_nearness_lies_between_that_of_the_chunks_and_the_base(cosines: list[float], base: float) -> None:
    passage = [chunk(position, 10 * position, 10 * position + 10) for position in range(len(cosines))]
    spans = [(at, at + 3) for at in range(0, 10 * len(cosines) - 3, 2)]
    over = [cosine - base for cosine in cosines]
    found = nearness(spans, passage, near(*cosines, base=base))
    assert len(found) == len(spans)
    assert all(min(0, *over) - 1e-9 <= value <= max(0, *over) + 1e-9 for value in found)


def test_the_base_is_that_of_a_chunk_far_down_or_half_the_best() -> None:
    many = [1 - rank / 100 for rank in range(BASE_RANK + 5)]
    assert base_of(many) == many[BASE_RANK - 1]
    assert base_of(many[:3]) == 0.5
