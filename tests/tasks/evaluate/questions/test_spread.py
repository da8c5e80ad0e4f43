from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.questions.spread import sample_paths, split_into_passages, spread_evenly

texts = st.text(st.sampled_from("abC. \n!é"), max_size=400)


@given(n=st.integers(0, 200), seed=st.integers(0, 50))
def test_a_spread_has_every_item_once(n: int, seed: int) -> None:
    assert sorted(spread_evenly(range(n), seed)) == list(range(n))


@given(n=st.integers(16, 500), first=st.integers(2, 16), seed=st.integers(0, 50))
def test_the_first_items_are_far_apart(n: int, first: int, seed: int) -> None:
    taken = sorted(spread_evenly(range(n), seed)[:first])
    gaps = [later - earlier for earlier, later in zip(taken, [*taken[1:], taken[0] + n], strict=True)]
    assert max(gaps) <= 2 * n / first + 1
    assert min(gaps) >= n / first / 4 - 1


@given(paths=st.sets(st.text(min_size=1), max_size=30), n=st.integers(1, 40), seed=st.integers(0, 3))
def test_more_documents_are_drawn_by_adding_some(paths: set[str], n: int, seed: int) -> None:
    fewer, more = sample_paths(paths, n, seed), sample_paths(paths, n + 1, seed)
    assert set(fewer) <= set(more)
    assert (len(fewer), sample_paths(paths, None, seed)) == (min(n, len(paths)), sorted(paths))


@given(text=texts, length=st.integers(5, 80))
def test_passages_are_in_order_and_apart_and_not_blank(text: str, length: int) -> None:
    found = split_into_passages(text, length)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    assert bool(found) == bool(text.strip())


def test_passages_are_whole_sentences_of_about_the_length() -> None:
    text = " ".join(f"The mill number {number} grinds corn every day." for number in range(50))
    found = split_into_passages(text, 300)
    assert all(text[start:end].startswith("The mill") and text[start:end].endswith("day.") for start, end in found)
    assert all(200 < end - start <= 300 for start, end in found[:-1])
