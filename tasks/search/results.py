"""Results with citations, made from ranked chunks: the chunks, their parents, or joined and trimmed passages."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from schemas.hits import Hit
from schemas.options.search import Returned
from tasks.chunk.citations import ElementIndex
from tasks.chunk.sentences import Span
from tasks.parse.elements.places import narrow_place
from tasks.search.chunk_source import RankedRow, SpanCitation, Vector
from tasks.search.passages import RankedQuestion, Texts, TextSpan, make_passages
from tasks.search.ranker import Prefetch, Ranker, SearchRequest, max_chunks_for


class SearchResults(NamedTuple):
    """For each cutoff the results for each question, best first; and for each question the rows of the ranked chunks.

    `answered` says how likely each question has an answer, see `answer_probability`; None unless the search is hybrid and the
    embedder CALIBRATED.
    """

    results: dict[int, list[list[Hit]]]
    chunks: list[list[RankedRow]]
    answered: list[float | None]


def search_questions(
    ranker: Ranker,
    questions: Sequence[tuple[str, Vector | None]],
    requests: Mapping[int, SearchRequest],
    returned: Returned,
    documents: Texts,
    prefetch: Callable[[str, SearchRequest], Prefetch],
) -> SearchResults:
    """Return the results for questions, which come with their vectors; `requests` has one for each cutoff.

    `prefetch` returns what is known of a question without its vector. The results for a cutoff are those of a search for so many,
    not the first of more results, because k results are joined and trimmed by themselves.
    """
    ranked, found = dict[int, list[RankedQuestion]](), dict[int, list[list[Hit]]]()
    for k, request in sorted(requests.items(), reverse=True):
        if request.depth not in ranked:
            ranked[request.depth] = [
                ranker.rank(question, vector, prefetch(question, request), request) for question, vector in questions
            ]
        first = [one._replace(rows=one.rows[: max_chunks_for(k, returned)]) for one in ranked[request.depth]]
        found[k] = make_hits(first, k, returned, documents)
    deepest = ranked[requests[max(requests)].depth]
    return SearchResults(found, [one.rows for one in deepest], [one.answered for one in deepest])


def make_hits(questions: Sequence[RankedQuestion], k: int, returned: Returned, documents: Texts) -> list[list[Hit]]:
    """Return the best `k` results for each question, made from its ranked chunks."""
    if returned == "passages":
        return make_passage_hits(questions, k, documents)
    return [make_chunk_hits(one.rows) if returned == "chunks" else make_parent_hits(one.rows, k, documents) for one in questions]


def make_chunk_hits(rows: Sequence[RankedRow]) -> list[Hit]:
    """Return the chunks as results."""
    return [_make_hit(rank, row, (row["start_char"], row["end_char"]), row["text"], {}) for rank, row in enumerate(rows, start=1)]


def make_parent_hits(rows: Sequence[RankedRow], k: int, documents: Texts) -> list[Hit]:
    """Return the parents of chunks, without repeats. A chunk without a parent is a result itself."""
    best: dict[TextSpan, RankedRow] = {}
    for row in rows:
        start, end = row["parent_start_char"], row["parent_end_char"]
        span = (row["start_char"], row["end_char"]) if start is None or end is None else (start, end)
        best.setdefault(TextSpan(row["document_id"], *span), row)
    chosen = dict(list(best.items())[:k])
    return _cite_passages(list(chosen), list(chosen.values()), documents)


def make_passage_hits(questions: Sequence[RankedQuestion], k: int, documents: Texts) -> list[list[Hit]]:
    """Return up to `k` passages for each question, see `make_passages`."""
    passages = make_passages(questions, k, documents)
    spans = [one.span for found in passages for one in found if not one.cited]
    known = dict(zip(spans, documents.cite(spans), strict=True))
    return [
        [_make_hit(rank, row, span[1:], text, known.get(span, {})) for rank, (span, text, row, _) in enumerate(found, start=1)]
        for found in passages
    ]


def _cite_passages(spans: Sequence[TextSpan], rows: Sequence[RankedRow], documents: Texts) -> list[Hit]:
    documents.load([span.document_id for span in spans])
    cited = documents.cite(spans)
    return [
        _make_hit(rank, row, (span.start, span.end), documents.text(span.document_id)[span.start : span.end], citation)
        for rank, (span, row, citation) in enumerate(zip(spans, rows, cited, strict=True), start=1)
    ]


def _make_hit(rank: int, row: RankedRow, span: Span, text: str, citation: SpanCitation) -> Hit:
    """Return the result for a chunk's row. Values that `citation` does not have come from the row."""
    own = {name: row[name] for name in ("chunk_id", "document_id", "path", "title", "pages", "boxes", "section", "kind", "score")}
    return Hit(
        **{**own, "places": cite_part_of_chunk(row, span), **citation},
        rank=rank,
        start_char=span[0],
        end_char=span[1],
        text=text,
        embedding_text=_prepend_context(row, text),
        chunk_start_char=row["start_char"],
        chunk_end_char=row["end_char"],
        chunk_text=row["text"],
    )


def cite_part_of_chunk(row: RankedRow, span: Span) -> list[str]:
    """Return the places of a span, as a chunk's row has them: of a part of a table only those of its rows."""
    places, first = row.get("places") or [], row["start_char"]
    if len(places) != 1 or not first <= span[0] < span[1] <= row["end_char"]:
        return places
    return [narrow_place(places[0], row["text"], span[0] - first, span[1] - first)]


def _prepend_context(row: RankedRow, text: str) -> str:
    """Return `text` after the chunk's context, which the embedder saw too: caption and header rows, or title and section."""
    before = row["embedding_text"].removesuffix(row["text"])
    return before + text if before != row["embedding_text"] else text


def make_citation(elements: ElementIndex | None, start: int, end: int) -> SpanCitation:
    """Return section, pages, boxes and places of a span; an empty dict if no element touches it."""
    if elements is None or not elements.find_touched_elements(start, end):
        return {}
    cited = elements.cite_span(start, end)
    return {
        "section": cited["section"],
        "pages": cited["pages"],
        "boxes": cited["boxes"],
        "places": cited["places"] or [],
    }
