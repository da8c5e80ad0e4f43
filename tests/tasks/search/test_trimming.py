from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tasks.chunk.sentences import find_relative_sentence_ends
from tasks.search.trimming import PassageChunk, TrimRule, choose_unit_runs, split_units

TEXT = "The mill stands. The river rose. It froze. The wheel broke. Then came spring."


def chunk(position: int, start: int = 0, end: int = 1, document: str = "a", kind: str = "text") -> PassageChunk:
    return PassageChunk(f"{document}{position}", document, position, start, end, kind)


def test_units_are_sentences_and_whole_tables() -> None:
    text = "One mill. Two mills.\n\n| a | b |\n| 1 | 2 |\n\nThree mills."
    passage = [chunk(2, 43, 55), chunk(0, 0, 20), chunk(1, 22, 41, kind="table")]
    assert [text[a:b] for a, b in split_units(text, passage)] == [
        "One mill.",
        "Two mills.",
        "| a | b |\n| 1 | 2 |",
        "Three mills.",
    ]


@given(
    cuts=st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))), min_size=1, max_size=5), table=st.booleans()
)
def test_units_never_overlap_even_if_chunks_do(cuts: list[tuple[int, int]], table: bool) -> None:
    passage = [chunk(i, min(cut), max(cut), kind="table" if table and i % 2 else "text") for i, cut in enumerate(cuts)]
    found = split_units(TEXT, passage)
    assert all(start < end for start, end in found)
    assert all(left[1] <= right[0] for left, right in pairwise(found))


@given(
    texts=st.lists(
        st.sampled_from(["e.g. one. Two.", "It ran to St. Ives. Dr. Li sat.", "- a", "1. ", "| b |"]), min_size=1, max_size=4
    ),
    gap=st.sampled_from([" ", "\n", "\n\n"]),
    table=st.integers(0, 3),
)
def test_units_are_the_same_with_kept_ends_of_sentences(texts: list[str], gap: str, table: int) -> None:
    whole, start, passage = gap.join(texts), 0, list[PassageChunk]()
    for position, text in enumerate(texts):
        kind = "table" if position == table else "text"
        passage.append(chunk(position, start, start + len(text.rstrip()), kind=kind))
        start += len(text) + len(gap)
    kept = [one._replace(sentence_ends=find_relative_sentence_ends(whole, one.start, one.end, "en")) for one in passage]
    assert split_units(whole, kept, "en") == split_units(whole, passage, "en")


def test_the_run_with_the_best_sentences_is_kept_and_one_at_least() -> None:
    texts = [["nothing", "the river", "froze", "nothing", "else"], ["a", "b"]]
    cosines = [[0.0, 0.6, 0.6, 0.0, 0.0], [0.01, 0.0]]
    runs = choose_unit_runs(texts, cosines, {"river": 0.5, "froze": 0.5}, [1.0, 0.5], TrimRule(neighbours=0.0, share=0.0))
    assert runs == [(1, 2), (0, 0)]
    assert choose_unit_runs([], [], {}, []) == []


@given(st.lists(st.lists(st.floats(-1, 1), min_size=1, max_size=4), min_size=1, max_size=5), st.floats(0, 1), st.floats(0, 1))
def test_the_best_and_the_first_passage_stay_and_those_far_below_them_go(
    cosines: list[list[float]], share: float, threshold: float
) -> None:
    texts = [[""] * len(of_passage) for of_passage in cosines]
    ranked = [1.0, *[0.1] * (len(cosines) - 1)]
    runs = choose_unit_runs(texts, cosines, {}, ranked, TrimRule(neighbours=0.0, share=share, threshold=threshold))
    best = max(map(max, cosines))
    low = min(share * best, best)
    assert runs[0] and all(run for run, of_passage in zip(runs, cosines, strict=True) if max(of_passage) == best)
    assert not any(run for run, of_passage in zip(runs[1:], cosines[1:], strict=True) if max(of_passage) < low)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.floats(0, 1))
def test_a_passage_ranked_nearly_as_high_as_the_first_stays(scores: list[float], share: float) -> None:
    ranked = sorted(scores, reverse=True)
    texts, cosines = [["x"]] * len(ranked), [[0.0]] * (len(ranked) - 1) + [[9.0]]
    runs = choose_unit_runs(texts, cosines, {}, ranked, TrimRule(ranked=share))
    high = min(share * ranked[0], ranked[0])
    assert [run is not None for run in runs[:-1]] == [score >= high for score in ranked[:-1]]


def test_a_heading_takes_what_follows() -> None:
    texts = [["The mill stands.", "## Revenue", "It was 17 million.", "It fell."]]
    assert choose_unit_runs(texts, [[0.0] * 4], {"revenu": 1.0}, [1.0], TrimRule(neighbours=0.0)) == [(1, 2)]


def test_a_passage_at_a_named_place_is_trimmed_by_its_own_best_sentence() -> None:
    texts = [["Herons eat eels at the weir.", "Snow fell."], ["A heron.", "Grain was sold.", "Snow fell."]]
    cosines = [[0.9, 0.1], [0.2, 0.0, 0.0]]
    weights = {"herons": 0.5, "eels": 0.3, "heron": 0.2}
    assert choose_unit_runs(texts, cosines, weights, [1.0, 0.1]) == [(0, 1), None]
    assert choose_unit_runs(texts, cosines, weights, [1.0, 0.1], at_place=[False, True]) == [(0, 1), (0, 1)]
