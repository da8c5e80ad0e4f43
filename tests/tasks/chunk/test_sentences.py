from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.chunk import sentences
from tasks.chunk.sentences import ChunkEnds, find_relative_sentence_ends, find_sentence_spans, split_run_by_chunk_ends

WORDS = st.sampled_from(
    "The mill. | runs | at 3.5 | rpm | (see | Fig. 2) | et al. | Dr. | ∯ | &ᓴ& | ♨ | ȸ | 1. | a) | \n | \r\n | \n\n | ! "
    "| ?! | ... | “No.” | . | 'tis | [12] | U.S. | 。 | \t | \x1c | \U0001f600 | e.g. | \u2028".split("|")
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=60).map("".join))

PROSE = "It runs. | The mill stood, e.g. here. | Dr. Li left at 5 p.m. yesterday. | He said “No. Stop.” Then | - |•\n|1.\n|\n\n| "
TEXT = st.one_of(TEXTS, st.lists(st.sampled_from(PROSE.split("|")), max_size=40).map("".join))


def split(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in find_sentence_spans(text)]


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, cut=st.tuples(st.integers(0, 50), st.integers(0, 50)))
def test_spans_tile_the_range(text: str, cut: tuple[int, int]) -> None:
    start = min(cut[0], len(text))
    end = max(start, len(text) - cut[1])
    spans = list(find_sentence_spans(text, start, end))
    assert all(low < high for low, high in spans)
    assert [low for low, _ in spans] + [end] == [start] + [high for _, high in spans] or not spans
    assert bool(spans) == (start < end)
    assert all(left[1] == right[0] for left, right in pairwise(spans))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_segmenting_again_gives_the_same(text: str) -> None:
    assert list(find_sentence_spans(text)) == list(find_sentence_spans(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        (" \n ", [""]),
        ("Dr. Li met Mrs. Wu. They ate.", ["Dr. Li met Mrs. Wu.", "They ate."]),
        ("It costs $3.50. He paid 1,234.56 euros.", ["It costs $3.50.", "He paid 1,234.56 euros."]),
        ("As Smith et al. (2020) show, it holds. See Fig. 3 and Eq. 4, cf. Jones.", 2),
        ("It was found [12]. Later work [13, 14] disagrees.", ["It was found [12].", "Later work [13, 14] disagrees."]),
        ("We, i.e. the U.S. team, won at 5 p.m. yesterday. Then we left.", 2),
        ("Is it? Yes! Good.", ["Is it?", "Yes!", "Good."]),
        ("He said “Stop.” Then he left.", 2),
        ("你好。再见！", ["你好。", "再见！"]),  # noqa: RUF001
        ("1. Cut the wood.\n2. Burn it.\n- Rest a bit", ["1. Cut the wood.", "2. Burn it.", "- Rest a bit"]),
        ("Version 3.11 of file.txt is at example.com today", ["Version 3.11 of file.txt is at example.com today"]),
        ("A title\n\nThe first one. The second.", ["A title", "The first one.", "The second."]),
        ("One. Two.\r\n\r\nThree.", ["One.", "Two.", "Three."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str] | int) -> None:
    found = split(text)
    assert len(found) == expected if isinstance(expected, int) else found == expected


def test_a_sentence_continues_after_a_wrapped_line() -> None:
    first = "The mill turns folders of documents into one\nsearchable corpus, and it does so every single\nnight."
    assert split(f"{first} Then it rests.\n") == [first, "Then it rests."]


def test_a_plain_rule_cuts_what_pysbd_alters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert split("Mr. Li left. He ran.") == ["Mr. Li left.", "He ran."]
    assert split("Mr. Li left. \u222f He ran.") == ["Mr.", "Li left.", "\u222f He ran."]
    monkeypatch.setattr(sentences, "make_english_segmenter", lambda: lambda piece: [piece[:3]])
    assert split("It rained. We left. Then sun came.") == ["It rained.", "We left.", "Then sun came."]


UNITS = ["!", "a!", "1. 2. ", 'so "a. B ', "(a. B ", ". ", "..", "a. ", "Mr. ", "-- a. B ", " 'a", "[1", "\n", "a) ", "x" * 300]


@pytest.mark.parametrize("unit", UNITS)
def test_pysbd_sees_only_short_pieces_of_prose_of_pathological_input(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ".[" + unit * (20_000 // len(unit)) + "x. A b"
    seen: list[str] = []
    segment = sentences.make_english_segmenter()

    def recorded(piece: str) -> list[str]:
        seen.append(piece)
        return segment(piece)

    monkeypatch.setattr(sentences, "make_english_segmenter", lambda: recorded)
    assert list(find_sentence_spans(text))
    assert sum(map(len, seen)) <= len(text)
    for piece in seen:
        assert len(piece) <= sentences.LONGEST_PIECE
        assert max(map(len, piece.split())) <= sentences.LONGEST_WORD


def test_a_long_number_in_brackets_takes_no_exponential_time() -> None:
    number = "[" + "1" * 150
    assert split(f"It holds.{number} x. A second one.") == ["It holds.", f"{number} x.", "A second one."]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = "The quick brown fox jumps over a lazy dog near Main St. in town. " * 200
    assert set(split(text)) == {"The quick brown fox jumps over a lazy dog near Main St. in town."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He found the mill. She left early. Mr. Li stayed.", ["He found the mill.", "She left early.", "Mr. Li stayed."]),
        ('"It was late. They left." She nodded.', ['"It was late. They left."', "She nodded."]),
        ("It holds (see the notes. They matter.) and ends.", ["It holds (see the notes. They matter.) and ends."]),
    ],
)
def test_what_is_clear_is_cut_as_pysbd_would_cut_it(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@settings(max_examples=400, deadline=None)
@given(
    text=TEXT,
    cuts=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    language=st.sampled_from(["", "en", "de", "zh"]),
    unknown=st.sets(st.integers(0, 4)),
)
def test_kept_ends_give_the_sentences_that_cutting_anew_gives(
    text: str, cuts: list[float], language: str, unknown: set[int]
) -> None:
    places = sorted({0, len(text), *(int(cut * len(text)) for cut in cuts)})
    chunks = []
    for number, (low, high) in enumerate(pairwise(places)):
        start = low + len(text[low:high]) - len(text[low:high].lstrip())
        if (end := low + len(text[low:high].rstrip())) > start:
            chunks.append(
                ChunkEnds(start, end, None if number in unknown else find_relative_sentence_ends(text, start, end, language))
            )
    for first in range(len(chunks)):
        for last in range(first, len(chunks)):
            run = chunks[first].start, chunks[last].end
            kept = list(split_run_by_chunk_ends(text, run, chunks[first : last + 1], language))
            assert kept == list(find_sentence_spans(text, *run, language))


def test_joined_chunks_are_cut_anew_only_where_they_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Dr. Li left at 5 p.m. yesterday. She ran to St. Ives, e.g. by Mr. Wu. Then Prof. Oz sat. Dr. Yu slept. It rained."
    parts = [(0, 53), (54, 88), (89, len(text))]
    chunks = [ChunkEnds(*part, find_relative_sentence_ends(text, *part, "en")) for part in parts]
    expected, cut = list(find_sentence_spans(text)), sentences._find_unclear_sentence_ends
    anew: list[sentences.Span] = []

    def recorded(text: str, start: int, end: int) -> list[int]:
        anew.append((start, end))
        return cut(text, start, end)

    monkeypatch.setattr(sentences, "_find_unclear_sentence_ends", recorded)
    assert list(split_run_by_chunk_ends(text, parts[0], chunks[:1], "en"))
    assert not anew, "a chunk by itself is not cut anew"
    assert list(split_run_by_chunk_ends(text, (0, len(text)), chunks, "en")) == expected
    assert anew == [(33, 102)], "between sure ends, this lies in two chunks"


@pytest.mark.parametrize(
    "address", ["https://a.example/b.html?c=1&d=2#e", "www.a.example/b?c=d", "mailto:a.b@c.example?subject=d"]
)
def test_no_sentence_ends_within_an_address(address: str) -> None:
    text = f"Ask {address} for it. See Fig. 2! It is {address}. Go."
    found = [text[start:end] for start, end in find_sentence_spans(text)]
    assert found[0] == f"Ask {address} for it. "
    assert all(sentence[-1].isspace() for sentence in found[:-1])
