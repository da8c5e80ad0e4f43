"""Score the results for a question against its gold.

Spans are half-open ranges in one unit, tokens or characters. Recall, precision and IoU count these units as in "Evaluating
Chunking Strategies for Retrieval" (Chroma, 2024): text that is retrieved twice counts twice as retrieved, but once as found.
Gold that overlaps counts once.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]
Scores = dict[tuple[str, int], float]
"""Values in [0, 1] by metric and cutoff."""


class Retrieved(NamedTuple):
    """A result: its document, its span in the document, and its pages."""

    document: str
    start: int
    end: int
    pages: tuple[int, ...] = ()

    @property
    def span(self) -> Span:
        """Return the span of the result in its document."""
        return self.start, self.end


class Relevant(NamedTuple):
    """What answers a question: spans and pages by document. Whole documents count only if there are no spans and no pages."""

    spans: Mapping[str, Sequence[Span]] = {}
    pages: Collection[tuple[str, int]] = ()
    documents: Collection[str] = ()


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the union of `spans` as ordered, disjoint spans. Spans that touch are joined; empty spans are left out.

    >>> merge_spans([(5, 7), (0, 2), (1, 3), (3, 4), (9, 9)])
    [(0, 4), (5, 7)]
    """
    merged: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def measure_spans(spans: Iterable[Span]) -> int:
    """Return the sum of the lengths of `spans`."""
    return sum(end - start for start, end in spans)


def count_covered_units(gold: Iterable[Span], retrieved: Iterable[Span]) -> int:
    """Return how many units of `gold` are in `retrieved`. Each unit counts once.

    >>> count_covered_units([(0, 10)], [(8, 12), (9, 11)])
    2
    """
    golden, found = merge_spans(gold), merge_spans(retrieved)
    return measure_spans(golden) + measure_spans(found) - measure_spans(merge_spans([*golden, *found]))


def find_token_span(offsets: NDArray[np.int64], span: Span) -> Span:
    """Return the range of the tokens that overlap `span`, which is in characters.

    `offsets` has one row (start, end) per token, in characters, in order.
    """
    first = int(np.searchsorted(offsets[:, 1], span[0], side="right"))
    last = int(np.searchsorted(offsets[:, 0], span[1], side="left"))
    return first, max(first, last)


def score_question(relevant: Relevant, ranked: Sequence[Retrieved], cutoffs: Iterable[int]) -> Scores:
    """Return hit_rate, recall and mrr of the first k of `ranked` for each cutoff k; for spans, also precision and iou.

    recall is the share of the units of spans, of the pages, or of the documents that was found. With both spans and pages, it
    is the mean of both shares, weighted by the number of spans and of pages.
    """
    touching = [contains_relevant(relevant, result) for result in ranked]
    scores: Scores = {}
    for k in cutoffs:
        scores["hit_rate", k] = float(any(touching[:k]))
        scores["mrr", k] = next((1 / rank for rank, touched in enumerate(touching[:k], 1) if touched), 0.0)
        scores["recall", k] = _score_recall(relevant, ranked[:k])
        if relevant.spans and not relevant.pages:
            scores["precision", k], scores["iou", k] = _score_precision_and_iou(relevant, ranked[:k])
    return scores


def score_characters(relevant: Relevant, ranked: Sequence[Retrieved], cutoffs: Iterable[int]) -> Scores:
    """Return recall, precision and iou of spans in characters, and how many `characters` are retrieved, for each cutoff."""
    scores: Scores = {}
    for k in cutoffs:
        scores["characters", k] = float(measure_spans(result.span for result in ranked[:k]))
        if relevant.spans and not relevant.pages:
            scores["recall_chars", k] = _score_recall(relevant, ranked[:k])
            scores["precision_chars", k], scores["iou_chars", k] = _score_precision_and_iou(relevant, ranked[:k])
    return scores


def precision_omega(relevant: Relevant, chunks: Sequence[Retrieved]) -> float:
    """Return the precision of a perfect search: of the chunks that overlap or touch relevant text, the share that is relevant.

    It shows how well borders of chunks fit the gold, as in "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024): text
    of several chunks counts once, and relevant text that they leave out counts as if it was in them. 0 without such chunks.
    """
    right = either = 0
    for document, spans in relevant.spans.items():
        of_document = [chunk.span for chunk in chunks if chunk.document == document]
        chosen = [chunk for chunk in of_document if any(chunk[0] <= end and start <= chunk[1] for start, end in spans)]
        right += count_covered_units(spans, chosen)
        either += measure_spans(merge_spans([*chosen, *spans]))
    return right / either if right else 0.0


def take_within_budget(ranked: Sequence[Retrieved], budget: int) -> list[Retrieved]:
    """Return the first of `ranked` that together have `budget` units at most; the last is cut to fit.

    >>> take_within_budget([Retrieved("a", 0, 6), Retrieved("b", 5, 11)], 8)
    [Retrieved(document='a', start=0, end=6, pages=()), Retrieved(document='b', start=5, end=7, pages=())]
    """
    kept: list[Retrieved] = []
    for result in ranked:
        end = min(result.end, result.start + budget)
        if end <= result.start:
            break
        kept.append(result._replace(end=end))
        budget -= end - result.start
    return kept


def contains_relevant(relevant: Relevant, result: Retrieved) -> bool:
    """Return whether `result` contains any relevant text, page or document."""
    if not relevant.spans and not relevant.pages:
        return result.document in relevant.documents
    on_page = any((result.document, page) in relevant.pages for page in result.pages)
    return on_page or count_covered_units(relevant.spans.get(result.document, ()), [result.span]) > 0


def _score_recall(relevant: Relevant, results: Sequence[Retrieved]) -> float:
    if not relevant.spans and not relevant.pages:
        return _compute_share_found(relevant.documents, {result.document for result in results})
    found = {(result.document, page) for result in results for page in result.pages}
    n_spans, n_pages = sum(map(len, relevant.spans.values())), len(relevant.pages)
    total = sum(measure_spans(merge_spans(spans)) for spans in relevant.spans.values())
    in_spans = n_spans * _count_found_units(relevant, results) / total if total else 0.0
    in_pages = n_pages * _compute_share_found(relevant.pages, found) if n_pages else 0.0
    return (in_spans + in_pages) / (n_spans + n_pages)


def _score_precision_and_iou(relevant: Relevant, results: Sequence[Retrieved]) -> tuple[float, float]:
    right, retrieved = _count_found_units(relevant, results), measure_spans(result.span for result in results)
    gold = sum(measure_spans(merge_spans(spans)) for spans in relevant.spans.values())
    either = retrieved + gold - right
    return right / retrieved if retrieved else 0.0, right / either if either else 0.0


def _count_found_units(relevant: Relevant, results: Sequence[Retrieved]) -> int:
    return sum(
        count_covered_units(spans, [result.span for result in results if result.document == document])
        for document, spans in relevant.spans.items()
    )


def _compute_share_found(wanted: Collection[object], found: Collection[object]) -> float:
    return sum(item in found for item in wanted) / len(wanted)


def score_ranking(ranked: Sequence[Hashable], relevant: Collection[Hashable], cutoffs: Iterable[int], prefix: str) -> Scores:
    """Return the scores of the first k of `ranked`, which has nothing twice, for each cutoff k.

    The names of the metrics begin with `prefix`. Nothing is returned if nothing is relevant.
    """
    scores: Scores = {}
    for k in cutoffs if relevant else ():
        ranks = [rank for rank, item in enumerate(ranked[:k], 1) if item in relevant]
        best = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
        scores[f"{prefix}hit_rate", k] = float(bool(ranks))
        scores[f"{prefix}recall", k] = len(ranks) / len(relevant)
        scores[f"{prefix}mrr", k] = 1 / ranks[0] if ranks else 0.0
        scores[f"{prefix}ndcg", k] = sum(1 / log2(rank + 1) for rank in ranks) / best
        scores[f"{prefix}map", k] = sum(n / rank for n, rank in enumerate(ranks, 1)) / len(relevant)
    return scores
