"""What each strategy does that the others do not."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.options.chunking import ChunkOptions
from schemas.records import DescribedDocument
from tasks.chunk.chunk import BoundaryInputs, chunk_content, split_document_into_sentences
from tasks.chunk.strategies import code, semantic
from tasks.chunk.strategies.semantic import find_best_segment_starts
from tests.tasks.described import count, described, plain

SENTENCE = "The mill turns once. "


def cut(row: DescribedDocument, boundaries: BoundaryInputs | None = None, **options: Any) -> list[dict[str, Any]]:
    table = chunk_content(row, ChunkOptions(**options), count, boundaries)
    found: list[dict[str, Any]] = table["chunks"][0].as_py()
    return found


def texts(row: DescribedDocument, boundaries: BoundaryInputs | None = None, **options: Any) -> list[str]:
    return [chunk["text"] for chunk in cut(row, boundaries, **options)]


def near(*groups: int) -> BoundaryInputs:
    """Vectors of sentences that are alike within a group and unlike across groups."""
    return BoundaryInputs(np.eye(8, dtype=np.float32)[[group for group in groups]])


def test_token_windows_are_full_and_step_by_size_less_overlap() -> None:
    row = plain(" ".join(f"w{n:02d}" for n in range(40)))
    found = texts(row, strategy="token-window", size_tokens=18, overlap_tokens=8)
    assert [text.split()[0] for text in found] == ["w00", "w10", "w20", "w30"]
    assert [len(text.split()) for text in found] == [16, 16, 16, 10]


def test_a_script_without_spaces_is_cut_into_full_windows_too() -> None:
    found = cut(plain("漢字" * 60), strategy="token-window", size_tokens=18)
    assert all(chunk["n_tokens"] <= 18 for chunk in found)
    assert len(found) <= 12


def test_sentence_windows_share_sentences() -> None:
    row = plain("".join(f"Mill {letter} stands. " for letter in "abcdefghij"))
    found = texts(row, strategy="sentence-window", n_sentences=4, overlap_sentences=1)
    assert [(text.split()[1], text.count(".")) for text in found] == [("a", 4), ("d", 4), ("g", 4)]


def test_sentences_are_repeated_up_to_the_overlap() -> None:
    found = texts(plain(SENTENCE * 12), strategy="sentence", size_tokens=32, overlap_tokens=16)
    assert len(found) > 3
    assert all(text.count(".") >= 2 for text in found)


def test_recursive_prefers_the_first_separator_and_packs_parts_again() -> None:
    row = plain("a b. c d.\n\ne f.\n\n" + "g h i j. " * 8)
    found = texts(row, strategy="recursive", size_tokens=16)
    assert found[0] == "a b. c d.\n\ne f."
    assert all(text.endswith(".") for text in found)


def test_other_separators_can_be_given() -> None:
    assert texts(plain("aa|bb|cc" * 6), strategy="recursive", size_tokens=16, separators=("|",))[0].endswith("|")


def test_a_separator_stays_with_what_is_before_it_or_with_what_follows() -> None:
    text = "# One\nGrain is brought.\n# Two\nFlour is sold.\n# Three\nBran is fed."
    own: dict[str, Any] = {"strategy": "recursive", "size_tokens": 16, "separators": ("\n# ", "\n")}
    assert texts(plain(text), **own, keep_separator="start")[1] == "# Two\nFlour is sold."
    assert texts(plain(text), **own)[1] == "Two\nFlour is sold.\n#"


def test_a_section_is_one_chunk_with_its_table_and_small_ones_are_joined() -> None:
    row = described(
        ("heading", "One", {"level": 1}),
        ("paragraph", SENTENCE * 3),
        ("table", "| a | b |\n| - | - |\n| 1 | 2 |"),
        ("heading", "Two", {"level": 1}),
        ("paragraph", "Short."),
        ("heading", "Three", {"level": 1}),
        ("paragraph", SENTENCE * 6),
    )
    found = texts(row, strategy="structural", size_tokens=64, min_tokens=8)
    assert [text.split()[0] for text in found] == ["One", "Three"]
    assert "| 1 | 2 |" in found[0] and found[0].endswith("Short.")


def test_a_section_that_is_too_large_is_packed_by_sentences() -> None:
    row = described(("heading", "One", {"level": 1}), ("paragraph", SENTENCE * 20))
    assert all(text.endswith(".") for text in texts(row, strategy="structural", size_tokens=32))


def test_a_page_is_a_chunk_with_all_its_content() -> None:
    row = described(
        ("paragraph", "One.", {"page_number": 1}),
        ("table", "| a | b |\n| - | - |\n| 1 | 2 |", {"page_number": 1}),
        ("paragraph", "Two.", {"page_number": 2}),
    )
    assert [chunk["pages"] for chunk in cut(row, strategy="page", size_tokens=64)] == [[1], [2]]


def test_semantic_strategies_break_where_neighbours_differ() -> None:
    row, boundaries = plain(SENTENCE * 6), near(0, 0, 0, 1, 1, 1)
    halves = [(SENTENCE * 3).strip()] * 2
    assert texts(row, boundaries, strategy="semantic-percentile", percentile=70.0) == halves
    assert texts(row, boundaries, strategy="semantic-merge") == halves
    assert texts(row, boundaries, strategy="semantic-threshold", min_tokens=1) == halves
    assert texts(row, boundaries, strategy="cluster") == halves


def test_a_running_mean_waits_for_the_smallest_size() -> None:
    row = plain(SENTENCE * 4)
    assert len(texts(row, near(0, 1, 2, 3), strategy="semantic-threshold", min_tokens=15)) == 2


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 7), room=st.integers(3, 12))
def test_clusters_are_the_best_of_all_segmentations(seed: int, n: int, room: int) -> None:
    dice = np.random.default_rng(seed)
    vectors = dice.normal(size=(n, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tokens = dice.integers(1, 5, n).tolist()
    mean = semantic._average_similarity(vectors)

    def value(starts: tuple[int, ...]) -> float:
        ends = [*starts[1:], n]
        if any(sum(tokens[a:b]) > room and b - a > 1 for a, b in zip(starts, ends, strict=True)):
            return -np.inf
        pairs = [(i, j) for a, b in zip(starts, ends, strict=True) for i, j in combinations(range(a, b), 2)]
        return sum(float(vectors[i] @ vectors[j]) - mean for i, j in pairs)

    every = [(0, *others) for k in range(n) for others in combinations(range(1, n), k)]
    found = tuple(find_best_segment_starts(vectors, tokens, room))
    assert value(found) == pytest.approx(max(map(value, every)), abs=1e-4)


LISTING = """```{}
import os


def grind(x):
    if x:
        return 1


@cached
def turn():
    return 2


class Mill:
    def go(self):
        pass
```"""


@pytest.mark.parametrize("language", ["", "python"])
def test_a_listing_is_cut_before_its_definitions(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if language:
        pytest.importorskip("tree_sitter_python")
    else:
        monkeypatch.setattr(code, "_load_code_parser", lambda language: None)
    row = described(("paragraph", SENTENCE * 3), ("code", LISTING.format(language)))
    found = texts(row, strategy="code", size_tokens=24)
    assert [text.split("\n")[0] for text in found[1:]] == [f"```{language}", "@cached", "class Mill:"]


def test_a_text_that_is_code_is_cut_before_its_definitions() -> None:
    row = plain("".join(f"def step_{n}(value):\n    other = value\n    return other\n\n\n" for n in range(6)))
    assert all(text.startswith("def step_") for text in texts(row, strategy="code", size_tokens=24))
    assert cut(row, strategy="adaptive", size_tokens=24) == cut(row, strategy="code", size_tokens=24)


def test_children_lie_within_their_parents() -> None:
    row = described(*[("heading", f"Part {n}", {"level": 1}) if n % 2 else ("paragraph", SENTENCE * 12) for n in range(8)])
    found = cut(row, strategy="parent-child", size_tokens=24, parent_tokens=80)
    assert len({chunk["parent_start_char"] for chunk in found}) > 3
    for chunk in found:
        assert chunk["parent_start_char"] <= chunk["start_char"] < chunk["end_char"] <= chunk["parent_end_char"]


def test_proposed_boundaries_are_used_and_missing_ones_are_recorded() -> None:
    row = plain(SENTENCE * 6)
    starts = split_document_into_sentences(row).starts
    assert texts(row, BoundaryInputs(breaks=[starts[2]]), strategy="llm") == [(SENTENCE * 2).strip(), (SENTENCE * 4).strip()]
    table = chunk_content(row, ChunkOptions(strategy="llm"), count, BoundaryInputs(reason="no answer"))
    assert table["chunks"][0].as_py() == cut(row, strategy="structural")
    [reject] = table["rejects"][0].as_py()
    assert (reject["error"], reject["page_number"]) == ("NoProposal", 1)
    assert "no answer" in reject["message"]


def test_adaptive_follows_headings_pages_or_sentences() -> None:
    headed = described(*[("heading", f"H{n}", {"level": 2}) if n % 2 else ("paragraph", SENTENCE) for n in range(8)])
    slides = described(*[("paragraph", SENTENCE, {"page_number": n}) for n in range(1, 5)])
    prose = plain(SENTENCE * 30)
    for row, strategy in ((headed, "structural"), (slides, "page"), (prose, "sentence")):
        assert cut(row, strategy="adaptive", size_tokens=48) == cut(row, strategy=strategy, size_tokens=48)


def test_title_and_section_precede_the_text_only_for_the_embedder() -> None:
    row = described(
        ("title", "Manual", {"section": ["Manual"]}),
        ("heading", "Wheel", {"level": 2, "section": ["Manual", "Wheel"]}),
        ("paragraph", SENTENCE * 12, {"section": ["Manual", "Wheel"]}),
    )
    chunks = cut(row, size_tokens=32, context=("title", "section"))
    assert len(chunks) > 2
    assert chunks[-1]["embedding_text"] == f"Manual > Wheel\n{chunks[-1]['text']}"
    assert chunks[-1]["n_tokens"] == count([chunks[-1]["embedding_text"]])[0] <= 32


def test_a_wide_table_is_embedded_row_by_row() -> None:
    table = "| Name | 2022 | 2023 |\n| --- | --- | --- |\n| North | 1 | 2 |\n| South |  | 4 |"
    [chunk] = cut(described(("table", table)), wide_table_columns=3)
    assert chunk["text"] == table
    assert chunk["embedding_text"] == "Name: North; 2022: 1; 2023: 2\nName: South; 2023: 4"
    assert cut(described(("table", table)), wide_table_columns=4)[0]["embedding_text"] == table
