"""Passages: neighbouring chunks that were found together, joined and trimmed to the sentences that match."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from tasks.chunk.sentences import Span
from tasks.search.nearness import Near, nearness
from tasks.search.neighbours import Candidate, join_neighbours
from tasks.search.trimming import best_runs, units

Row = Mapping[str, Any]


class Asked(NamedTuple):
    """A question, its ranked chunks, the weights of its words, and cosines of chunks (None: only words count).

    `answered`: how likely it has an answer, if that is known. `whole`: passages at the places that it names are not trimmed.
    """

    question: str
    rows: list[dict[str, Any]]
    rarity: Mapping[str, float]
    near: Near | None
    answered: float | None = None
    whole: bool = False


class TextSpan(NamedTuple):
    """A span of a document."""

    document_id: str
    start: int
    end: int


class Texts(Protocol):
    """The texts of documents, and the citations of spans in them."""

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Read the texts of the documents that are not loaded yet, and meanwhile what it takes to cite parts of few spans."""
        ...

    def text(self, document: str) -> str:
        """Return the text of a loaded document."""
        ...

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a loaded document's language; "" if it is not known."""
        ...

    def cite(self, spans: Sequence[TextSpan]) -> list[dict[str, Any]]:
        """Return section, pages and boxes of each span; an empty dict for a span without elements."""
        ...


class Kept(NamedTuple):
    """What is kept of a passage: its span, its text, the row of its best chunk, and whether that row's citation is its own."""

    span: TextSpan
    text: str
    row: Row
    cited: bool


class Part(NamedTuple):
    """A passage in a text that holds it, from the `offset`-th character of its document on, and its units there."""

    chunks: Sequence[Candidate]
    text: str
    offset: int
    units: Sequence[Span]

    def between(self, span: Span) -> str:
        """Return the text of a span of the document."""
        return self.text[span[0] - self.offset : span[1] - self.offset]


def passages(asked: Sequence[Asked], k: int, documents: Texts) -> list[list[Kept]]:
    """Return up to `k` passages for each question.

    A passage that matches much less than the best one is left out, unless it ranks first or lies at a place that is named.
    """
    joined = [join_neighbours([_candidate(row) for row in one.rows], k) for one in asked]
    rows = [{row["chunk_id"]: row for row in one.rows} for one in asked]
    around = [
        _span(chunks) for found, of in zip(joined, rows, strict=True) for chunks in found if not _is_in_one_element(chunks, of)
    ]
    documents.load([chunks[0].document_id for found in joined for chunks in found if not _is_alone(chunks)], around)
    return [_kept(one, found, of, documents) for one, found, of in zip(asked, joined, rows, strict=True)]


def _kept(asked: Asked, found: Sequence[Sequence[Candidate]], rows: Mapping[str, Row], documents: Texts) -> list[Kept]:
    parts = [_part(chunks, rows, documents) for chunks in found]
    cosines = [nearness(part.units, part.chunks, asked.near) if asked.near else [0.0] * len(part.units) for part in parts]
    base = asked.near.base if asked.near else 0.0
    ranked = [rows[part.chunks[0].chunk_id]["score"] - base for part in parts]
    at_place = [any(rows[chunk.chunk_id].get("at_place") for chunk in part.chunks) for part in parts]
    texts = [[part.between(unit) for unit in part.units] for part in parts]
    runs = best_runs(texts, cosines, asked.rarity, ranked, sure=at_place)
    if asked.whole:
        runs = [(0, len(part.units) - 1) if there else run for part, run, there in zip(parts, runs, at_place, strict=True)]
    return [_trimmed(part, run, rows) for part, run in zip(parts, runs, strict=True) if run]


def _trimmed(part: Part, run: tuple[int, int], rows: Mapping[str, Row]) -> Kept:
    span, best = (part.units[run[0]][0], part.units[run[1]][1]), part.chunks[0]
    cited = _has_own_citation(part.chunks, span, rows)
    return Kept(TextSpan(best.document_id, *span), part.between(span), rows[best.chunk_id], cited)


def _part(chunks: Sequence[Candidate], rows: Mapping[str, Row], documents: Texts) -> Part:
    """Return a passage with its units. The text of a chunk alone is its row's."""
    best = chunks[0]
    if not _is_alone(chunks):
        text = documents.text(best.document_id)
        return Part(chunks, text, 0, units(text, chunks, documents.language(best.document_id)))
    text = rows[best.chunk_id]["text"]
    found = units(text, [best._replace(start=0, end=best.end - best.start)])
    return Part(chunks, text, best.start, [(low + best.start, high + best.start) for low, high in found])


def _span(chunks: Sequence[Candidate]) -> TextSpan:
    """Return the span from the first of some chunks of a document to the last."""
    return TextSpan(chunks[0].document_id, min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks))


def _is_alone(chunks: Sequence[Candidate]) -> bool:
    """Return whether a passage is one chunk that can be trimmed without its document: the ends of its sentences are known."""
    return len(chunks) == 1 and (chunks[0].kind != "text" or chunks[0].sentence_ends is not None)


def _has_own_citation(chunks: Sequence[Candidate], span: Span, rows: Mapping[str, Row]) -> bool:
    """Return whether a span of a passage is surely cited as its best chunk is: it is all of it, or all lies in one element."""
    return (len(chunks) == 1 and span == (chunks[0].start, chunks[0].end)) or _is_in_one_element(chunks, rows)


def _is_in_one_element(chunks: Sequence[Candidate], rows: Mapping[str, Row]) -> bool:
    [positions, *others] = [rows[chunk.chunk_id]["element_positions"] for chunk in chunks]
    return len(positions) <= 1 and all(positions == other for other in others)


def _candidate(row: Row) -> Candidate:
    """Return a chunk's row for joining. Older corpora know no ends of sentences."""
    span = row["start_char"], row["end_char"]
    return Candidate(row["chunk_id"], row["document_id"], row["position"], *span, row["kind"], row.get("sentence_ends"))
