from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.chunk import sentences
from tasks.chunk.sentence_ends import ChunkEnds, sentence_ends, split_run
from tasks.chunk.sentences import sentence_spans
from tests.tasks.chunk.test_sentences import TEXTS

PROSE = "It runs. | The mill stood, e.g. here. | Dr. Li left at 5 p.m. yesterday. | He said “No. Stop.” Then | - |•\n|1.\n|\n\n| "
TEXT = st.one_of(TEXTS, st.lists(st.sampled_from(PROSE.split("|")), max_size=40).map("".join))


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
            chunks.append(ChunkEnds(start, end, None if number in unknown else sentence_ends(text, start, end, language)))
    for first in range(len(chunks)):
        for last in range(first, len(chunks)):
            run = chunks[first].start, chunks[last].end
            kept = list(split_run(text, run, chunks[first : last + 1], language))
            assert kept == list(sentence_spans(text, *run, language))


def test_joined_chunks_are_cut_anew_only_where_they_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Dr. Li left at 5 p.m. yesterday. She ran to St. Ives, e.g. by Mr. Wu. Then Prof. Oz sat. Dr. Yu slept. It rained."
    parts = [(0, 53), (54, 88), (89, len(text))]
    chunks = [ChunkEnds(*part, sentence_ends(text, *part, "en")) for part in parts]
    expected, cut = list(sentence_spans(text)), sentences._find_unclear_ends
    anew: list[sentences.Span] = []

    def recorded(text: str, start: int, end: int) -> list[int]:
        anew.append((start, end))
        return cut(text, start, end)

    monkeypatch.setattr(sentences, "_find_unclear_ends", recorded)
    assert list(split_run(text, parts[0], chunks[:1], "en"))
    assert not anew, "a chunk by itself is not cut anew"
    assert list(split_run(text, (0, len(text)), chunks, "en")) == expected
    assert anew == [(33, 102)], "between sure ends, this lies in two chunks"
