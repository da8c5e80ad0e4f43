"""Trimming: keep the run of sentences in each passage that matches the question best.

The score of a sentence is its proximity to the question plus twice its share of the question's words. Words count more if they
are rare in the chunks that were found. Half of the neighbours' scores is added, because an answer seldom repeats the question.
From each score, 0.35 of the best score for the question is subtracted. The run with the largest sum is kept; a heading at its end
takes what follows. A passage whose best sentence has less than 0.6 of the best score for the question is left out, unless it is
ranked nearly as high as the first, or located at a named place: then its own best counts. What names a document or a section
ranks passages, but stands in few of their sentences.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tasks.chunk.sentences import ChunkEnds, Span, split_run_by_chunk_ends
from tasks.search.words import extract_stems


class TrimRule(NamedTuple):
    """The weights of trimming. Small changes have little effect on recall and IoU of the development questions."""

    words: float = 2.0
    neighbours: float = 0.5
    threshold: float = 0.35
    share: float = 0.6
    ranked: float = 0.85


HEADING = "#"
"""How headings begin in the text of a document."""


class PassageChunk(NamedTuple):
    """A chunk that was found: the id of its row, its document, its position and span in the document, and its kind.

    `sentence_ends`: where its sentences end, from its start on; None if that is not known.
    """

    chunk_id: str
    document_id: str
    position: int
    start: int
    end: int
    kind: str = "text"
    sentence_ends: Sequence[int] | None = None


def split_units(text: str, passage: Sequence[PassageChunk], language: str = "") -> list[Span]:
    """Return the parts of a passage that trimming keeps or drops as a whole, without white space at their ends.

    A part is a sentence of `language`, or a complete table, listing or figure: a piece of those says little on its own.
    """
    found: list[Span] = []
    run: list[int] = []
    prose: list[ChunkEnds] = []
    for chunk in sorted(passage, key=lambda chunk: (chunk.start, chunk.end)):
        start = max(chunk.start, found[-1][1] if found else 0, run[1] if run else 0)
        if chunk.kind == "text":
            run = [run[0] if run else start, max(chunk.end, start)]
            prose.append(ChunkEnds(chunk.start, chunk.end, chunk.sentence_ends))
            continue
        found.extend(_split_sentences(text, run, prose, language))
        found.extend([(start, chunk.end)] if start < chunk.end else [])
        run, prose = [], []
    return [*found, *_split_sentences(text, run, prose, language)]


def _split_sentences(text: str, run: Sequence[int], prose: Sequence[ChunkEnds], language: str) -> list[Span]:
    if not run:
        return []
    spans = split_run_by_chunk_ends(text, (run[0], run[1]), prose, language)
    bare = [(start, start + len(text[start:end].rstrip())) for start, end in spans]
    return [span for span in bare if span[0] < span[1]]


def choose_unit_runs(
    texts: Sequence[Sequence[str]],
    proximities: Sequence[Sequence[float]],
    weights: Mapping[str, float],
    ranked: Sequence[float],
    rule: TrimRule | None = None,
    at_place: Sequence[bool] = (),
) -> list[tuple[int, int] | None]:
    """Return the range [first, last] of the best run of units for each passage, from their texts and proximities.

    `ranked` are the scores by which the passages are ranked, best first. A run has at least one unit. None is returned for a
    passage that is to be left out; the first one never is, nor the one with the best unit, nor one that is
    located `at_place`, a place that the question names.
    """
    rule = rule or TrimRule()
    scores = [
        _smooth_scores(_score_units(of_passage, near, weights, rule.words), rule.neighbours)
        for of_passage, near in zip(texts, proximities, strict=True)
    ]
    best = max((score for of_passage in scores for score in of_passage), default=0.0)
    high = min(rule.ranked * ranked[0], ranked[0]) if ranked else 0.0
    return [
        _choose_unit_run(of_passage, of_texts, best, is_there or rank >= high, rule)
        for of_passage, of_texts, rank, is_there in zip(scores, texts, ranked, at_place or [False] * len(scores), strict=True)
    ]


def _choose_unit_run(
    scores: Sequence[float], texts: Sequence[str], best: float, stays: bool, rule: TrimRule
) -> tuple[int, int] | None:
    own = max(scores, default=-math.inf)
    enough = own >= min(rule.share * best, best)
    if not scores or not (enough or stays):
        return None
    least = rule.threshold * (best if enough else own)
    return _extend_past_heading(_find_run_of_largest_sum([score - least for score in scores]), texts)


def _extend_past_heading(run: tuple[int, int], texts: Sequence[str]) -> tuple[int, int]:
    """Return a run with what follows the heading at its end: a heading alone answers nothing.

    >>> _extend_past_heading((0, 1), ["Before.", "## Revenue", "It was 17 million.", "It fell."])
    (0, 2)
    """
    last = run[1]
    while last + 1 < len(texts) and texts[last].startswith(HEADING):
        last += 1
    return run[0], last


def _score_units(texts: Sequence[str], proximities: Sequence[float], weights: Mapping[str, float], weight: float) -> list[float]:
    shares = [sum(weights[word] for word in extract_stems(text) & weights.keys()) for text in texts]
    return [proximity + weight * share for proximity, share in zip(proximities, shares, strict=True)]


def _smooth_scores(scores: Sequence[float], weight: float) -> list[float]:
    padded = [0.0, *scores, 0.0]
    return [padded[i] + weight * (padded[i - 1] + padded[i + 1]) for i in range(1, len(padded) - 1)]


def _find_run_of_largest_sum(values: Sequence[float]) -> tuple[int, int]:
    """Return the range [first, last] of the run with the largest sum (Kadane's algorithm).

    >>> _find_run_of_largest_sum([-1, 2, -1, 2, -3])
    (1, 3)
    """
    best, total, first = (-math.inf, 0, 0), 0.0, 0
    for i, value in enumerate(values):
        if total <= 0:
            total, first = 0.0, i
        total += value
        if total > best[0]:
            best = (total, first, i)
    return best[1], best[2]
