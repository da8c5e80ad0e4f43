"""Losses: the reason why the results for a question miss gold, from the places of its chunks in the ranking."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from tasks.evaluate.scoring import Relevant, Retrieved, Span, measure_spans, merge_spans

Loss = Literal["no document", "rejected page", "no chunk", "trimmed", "cut", "ranked lower", "ranked last"]
"""Why gold is missing, from the earliest step to the latest that could have kept it.

- `no document`: the corpus does not have the document, or not the gold.
- `rejected page`: a page of the gold was rejected.
- `no chunk`: the document has it, but none of its chunks.
- `trimmed`: a chunk with missing gold was among those that results were made of, and the trimming left the gold out.
- `cut`: a border of chunks runs through the gold; a part was found, and the chunk with the rest was not.
- `ranked lower`: chunks with gold are among the first LOOKED_AT.
- `ranked last`: they are not.
"""

LOSSES: tuple[Loss, ...] = get_args(Loss)

LOOKED_AT = 50
"""How many chunks of a ranking are looked at."""


class GoldPlace(NamedTuple):
    """Gold in a document: a span in code points, or a page."""

    document: str
    span: Span | None
    page: int | None = None


def find_missing_gold(relevant: Relevant, results: Sequence[Retrieved]) -> list[GoldPlace]:
    """Return the gold that no result has: the parts of spans, the pages, and whole documents where only these are gold."""
    places = [
        GoldPlace(document, gap)
        for document, spans in relevant.spans.items()
        for gap in find_uncovered_spans(spans, [result.span for result in results if result.document == document])
    ]
    found = {(result.document, page) for result in results for page in result.pages}
    places += [GoldPlace(document, None, page) for document, page in sorted(relevant.pages) if (document, page) not in found]
    if not relevant.spans and not relevant.pages:
        places += [GoldPlace(name, None) for name in sorted(set(relevant.documents) - {result.document for result in results})]
    return places


def find_uncovered_spans(gold: Sequence[Span], retrieved: Sequence[Span]) -> list[Span]:
    """Return the parts of `gold` that are not in `retrieved`, in order.

    >>> find_uncovered_spans([(0, 10), (20, 30)], [(5, 8), (18, 30)])
    [(0, 5), (8, 10)]
    """
    covers, left = merge_spans(retrieved), []
    for start, end in merge_spans(gold):
        at = start
        for from_, to in covers:
            if to <= at or from_ >= end:
                continue
            if from_ > at:
                left.append((at, from_))
            at = max(at, to)
        if at < end:
            left.append((at, end))
    return left


def explain_loss(
    relevant: Relevant,
    results: Sequence[Retrieved],
    ranking: Sequence[Retrieved],
    used: int,
    chunks: Sequence[Retrieved],
    rejected: Mapping[str, set[int]],
) -> Loss | None:
    """Return the reason why `results` miss gold, or None if they have all of it.

    `ranking` are the first chunks for the question, `used` how many of them results were made of, `chunks` all of the documents
    with gold, `rejected` pages by document.
    White space does not matter to whoever asks, so callers leave it out of `relevant`.
    """
    lacking = find_missing_gold(relevant, results)
    if not lacking:
        return None
    if any(place.page in rejected.get(place.document, set()) for place in lacking if place.page is not None):
        return "rejected page"
    if not all(any(_covers_place(chunk, place) for chunk in chunks) for place in lacking):
        return "no chunk"
    ranks = [rank for rank, chunk in enumerate(ranking[:LOOKED_AT], 1) if any(_covers_place(chunk, place) for place in lacking)]
    if ranks and ranks[0] <= used:
        return "trimmed"
    found = sum(measure_spans(spans) for spans in relevant.spans.values()) - sum(
        measure_spans([place.span]) for place in lacking if place.span
    )
    if any(place.span for place in lacking) and found > 0:
        return "cut"
    return "ranked lower" if ranks else "ranked last"


def _covers_place(chunk: Retrieved, place: GoldPlace) -> bool:
    if chunk.document != place.document:
        return False
    if place.span is not None:
        return chunk.start < place.span[1] and place.span[0] < chunk.end
    return place.page is None or place.page in chunk.pages
