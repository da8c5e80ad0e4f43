"""Trimming: keep the run of sentences in each passage that matches the question best.

The score of a sentence is its nearness to the question plus twice its share of the question's words. Words count more if they
are rare in the chunks that were found. Half of the neighbours' scores is added, because an answer seldom repeats the question.
From each score, 0.35 of the best score for the question is subtracted; the run with the largest sum is kept, and a heading at its
end takes what follows. A passage whose best sentence has less than 0.6 of the best score for the question is left out, unless it
is ranked nearly as high as the first, or sure to be meant: then its own best counts. What names a document or a section ranks
passages, but stands in few of their sentences.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tasks.chunk.sentences import ChunkEnds, Span, split_run
from tasks.language.words import is_unspaced, letter_pairs
from tasks.search.neighbours import Candidate


class TrimRule(NamedTuple):
    """The weights of trimming. Small changes have little effect on recall and IoU of the development questions."""

    words: float = 2.0
    neighbours: float = 0.5
    threshold: float = 0.35
    share: float = 0.6
    ranked: float = 0.85


STEM = 6
"""Words are compared by their first letters, this many: forms of one word are equal, and most different words are not."""
FUNCTION_WORDS = frozenset(
    "a an and are as at be but by for from had has have how if in into is it its of on or that the their there these they "
    "this to was were what when where which who whom whose why will with would do does did can could should about than then "
    "i you he she we me my your his her our us them not no so such some any".split()
)
"""Common English words of questions. Common words of other languages count little anyway, because they are frequent."""

HEADING = "#"
"""How headings begin in the text of a document."""

REMEMBERED = 16_384
"""Texts whose stems are remembered: an evaluation finds the same sentences for many questions."""

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=REMEMBERED)
def stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of a text, without function words; pairs of letters where no blanks part words.

    >>> sorted(stems("What did the millers grind?"))
    ['grind', 'miller']
    """
    words = (word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS)
    return frozenset(piece[:STEM] for word in words for piece in letter_pairs(word))


def rarity(question: str, texts: Iterable[str]) -> dict[str, float]:
    """Return the weight of each word of the question: its inverse frequency in `texts`, as in BM25. The weights sum to 1."""
    words = stems(question)
    return rarity_of(words, words_held(words, texts))


def words_held(words: Collection[str], texts: Iterable[str]) -> list[frozenset[str]]:
    """Return which of some stems each text has.

    >>> [sorted(held) for held in words_held(["mill", "river", "堤坝"], ["The mills by a mill.", "Rivers, 新的堤坝", "river"])]
    [['mill'], ['堤坝'], ['river']]
    """
    apart = frozenset(filter(is_unspaced, words))
    whole = (word if len(word) == STEM else rf"{word}\b" for word in words if word not in apart)
    forms = re.compile(rf"\b({'|'.join(whole) or '(?!)'})")
    lowered = (text.lower() for text in texts)
    return [frozenset(forms.findall(text)) | {word for word in apart if word in text} for text in lowered]


def rarity_of(words: Iterable[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the weights of words, as `rarity` does; `held` has those of each text, see `words_held`."""
    found = Counter(word for words_of_text in held for word in words_of_text)
    weights = {word: math.log(1 + (len(held) - found[word] + 0.5) / (found[word] + 0.5)) for word in words}
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()} if total else {}


def units(text: str, passage: Sequence[Candidate], language: str = "") -> list[Span]:
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
        found.extend(_sentences(text, run, prose, language))
        found.extend([(start, chunk.end)] if start < chunk.end else [])
        run, prose = [], []
    return [*found, *_sentences(text, run, prose, language)]


def _sentences(text: str, run: Sequence[int], prose: Sequence[ChunkEnds], language: str) -> list[Span]:
    if not run:
        return []
    spans = split_run(text, (run[0], run[1]), prose, language)
    bare = [(start, start + len(text[start:end].rstrip())) for start, end in spans]
    return [span for span in bare if span[0] < span[1]]


def best_runs(
    texts: Sequence[Sequence[str]],
    cosines: Sequence[Sequence[float]],
    weights: Mapping[str, float],
    ranked: Sequence[float],
    rule: TrimRule | None = None,
    sure: Sequence[bool] = (),
) -> list[tuple[int, int] | None]:
    """Return the range [first, last] of the best run of units for each passage, from their texts and cosines.

    `ranked` are the scores by which the passages are ranked, best first. A run has at least one unit. None is returned for a
    passage that is to be left out; the first one never is, nor the one with the best unit, nor one that is `sure` to be meant.
    """
    rule = rule or TrimRule()
    scores = [
        _smoothed(_scores(of_passage, near, weights, rule.words), rule.neighbours)
        for of_passage, near in zip(texts, cosines, strict=True)
    ]
    best = max((score for of_passage in scores for score in of_passage), default=0.0)
    high = min(rule.ranked * ranked[0], ranked[0]) if ranked else 0.0
    return [
        _best_run(of_passage, of_texts, best, is_sure or rank >= high, rule)
        for of_passage, of_texts, rank, is_sure in zip(scores, texts, ranked, sure or [False] * len(scores), strict=True)
    ]


def _best_run(scores: Sequence[float], texts: Sequence[str], best: float, sure: bool, rule: TrimRule) -> tuple[int, int] | None:
    own = max(scores, default=-math.inf)
    enough = own >= min(rule.share * best, best)
    if not scores or not (enough or sure):
        return None
    least = rule.threshold * (best if enough else own)
    return _with_body(_largest_sum([score - least for score in scores]), texts)


def _with_body(run: tuple[int, int], texts: Sequence[str]) -> tuple[int, int]:
    """Return a run with what follows the heading at its end: a heading alone answers nothing.

    >>> _with_body((0, 1), ["Before.", "## Revenue", "It was 17 million.", "It fell."])
    (0, 2)
    """
    last = run[1]
    while last + 1 < len(texts) and texts[last].startswith(HEADING):
        last += 1
    return run[0], last


def _scores(texts: Sequence[str], cosines: Sequence[float], weights: Mapping[str, float], weight: float) -> list[float]:
    shares = [sum(weights[word] for word in stems(text) & weights.keys()) for text in texts]
    return [cosine + weight * share for cosine, share in zip(cosines, shares, strict=True)]


def _smoothed(scores: Sequence[float], weight: float) -> list[float]:
    padded = [0.0, *scores, 0.0]
    return [padded[i] + weight * (padded[i - 1] + padded[i + 1]) for i in range(1, len(padded) - 1)]


def _largest_sum(values: Sequence[float]) -> tuple[int, int]:
    """Return the range [first, last] of the run with the largest sum (Kadane's algorithm).

    >>> _largest_sum([-1, 2, -1, 2, -3])
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
