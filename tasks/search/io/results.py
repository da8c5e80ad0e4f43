"""Results with citations, made from ranked chunks: the chunks, their parents, or joined and trimmed passages."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from schemas.hits import Hit
from schemas.options.search import Returned
from tasks.chunk import citations
from tasks.chunk.sentences import Span
from tasks.language.detection import code_of
from tasks.search.passages import Asked, Row, Texts, TextSpan, passages
from tasks.store import conditions
from tasks.store.published import OpenTables

COLUMNS = [
    "chunk_id",
    "document_id",
    "path",
    "title",
    "position",
    "start_char",
    "end_char",
    "pages",
    "boxes",
    "section",
    "kind",
    "text",
    "embedding_text",
    "parent_start_char",
    "parent_end_char",
    "element_positions",
    "sentence_ends",
]
TEXT = ["document_id", "text", "language"]
CITED_AT_ONCE = 128
"""Spans whose citations are read together."""

CITED = ["document_id", "position", "kind", "page_number", "bbox", "section", "start_char", "end_char"]

Elements = Mapping[TextSpan, citations.ElementIndex]


class DocumentTexts:
    """The texts of published documents."""

    def __init__(self, tables: OpenTables, helpers: Executor | None = None) -> None:
        """`helpers` read what citations take while texts are read."""
        self._tables, self._helpers = tables, helpers
        self._texts: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._cited: dict[TextSpan, dict[str, Any]] = {}
        self._around: Elements = {}

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Read the texts of the documents that are not loaded yet, and meanwhile what it takes to cite parts of few spans."""
        missing = sorted(set(documents) - self._texts.keys())
        if not missing:
            return
        early = self._helpers.submit(self._elements_of, around) if self._helpers and 0 < len(around) <= CITED_AT_ONCE else None
        rows = self._tables.read("documents", TEXT, conditions.in_documents(missing)).to_pylist()
        self._texts |= {row["document_id"]: row["text"] for row in rows}
        self._languages |= {row["document_id"]: code_of(row["language"] or "") for row in rows}
        self._around = early.result() if early else {}

    def text(self, document: str) -> str:
        """Return the text of a loaded document."""
        return self._texts[document]

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a loaded document's language; "" if it is not known."""
        return self._languages[document]

    def cite(self, spans: Sequence[TextSpan]) -> list[dict[str, Any]]:
        """Return section, pages and boxes of each span; an empty dict for a span without elements."""
        new = [span for span in dict.fromkeys(spans) if span not in self._cited]
        read = {span: found for span in new for around, found in self._around.items() if _is_part(span, around)}
        missing = [span for span in new if span not in read]
        for at in range(0, len(missing), CITED_AT_ONCE):
            read |= self._elements_of(missing[at : at + CITED_AT_ONCE])
        self._cited |= {span: citation(read.get(span), span.start, span.end) for span in new}
        return [self._cited[span] for span in spans]

    def _elements_of(self, spans: Sequence[TextSpan]) -> Elements:
        """Return for each span the elements of its document, as far as they touch one of the spans; without those of none."""
        places = [f"(document_id = '{name}' AND start_char < {end} AND end_char > {start})" for name, start, end in spans]
        named = conditions.in_documents(dict.fromkeys(span.document_id for span in spans))  # this part the index answers
        table = self._tables.read("elements", CITED, f"{named} AND ({' OR '.join(places)})")
        of_document: dict[str, list[dict[str, Any]]] = {}
        for row in table.sort_by("position").to_pylist():
            of_document.setdefault(row["document_id"], []).append(row)
        known = {name: citations.ElementIndex(rows) for name, rows in of_document.items()}
        return {span: known[span.document_id] for span in spans if span.document_id in known}


def _is_part(span: TextSpan, whole: TextSpan) -> bool:
    return span.document_id == whole.document_id and whole.start <= span.start and span.end <= whole.end


def citation(elements: citations.ElementIndex | None, start: int, end: int) -> dict[str, Any]:
    """Return section, pages and boxes of a span; an empty dict if no element touches it."""
    if elements is None or not elements.find_touched(start, end):
        return {}
    return {name: value for name, value in elements.cite(start, end).items() if name != "element_positions"}


def as_returned(asked: Sequence[Asked], k: int, returned: Returned, documents: Texts) -> list[list[Hit]]:
    """Return the best `k` results for each question, made from its ranked chunks."""
    if returned == "passages":
        return as_passages(asked, k, documents)
    return [as_chunks(one.rows) if returned == "chunks" else as_parents(one.rows, k, documents) for one in asked]


def as_chunks(rows: Sequence[Row]) -> list[Hit]:
    """Return the chunks as results."""
    return [_hit(rank, row, (row["start_char"], row["end_char"]), row["text"], {}) for rank, row in enumerate(rows, start=1)]


def as_parents(rows: Sequence[Row], k: int, documents: Texts) -> list[Hit]:
    """Return the parents of chunks, without repeats. A chunk without a parent is a result itself."""
    best: dict[TextSpan, Row] = {}
    for row in rows:
        own = row["parent_start_char"] is None
        span = (row["start_char"], row["end_char"]) if own else (row["parent_start_char"], row["parent_end_char"])
        best.setdefault(TextSpan(row["document_id"], *span), row)
    chosen = dict(list(best.items())[:k])
    return _cited(list(chosen), list(chosen.values()), documents)


def as_passages(asked: Sequence[Asked], k: int, documents: Texts) -> list[list[Hit]]:
    """Return up to `k` passages for each question, see `passages`."""
    kept = passages(asked, k, documents)
    spans = [one.span for found in kept for one in found if not one.cited]
    known = dict(zip(spans, documents.cite(spans), strict=True))
    return [
        [_hit(rank, row, span[1:], text, known.get(span, {})) for rank, (span, text, row, _) in enumerate(found, start=1)]
        for found in kept
    ]


def _cited(spans: Sequence[TextSpan], rows: Sequence[Row], documents: Texts) -> list[Hit]:
    documents.load([span.document_id for span in spans])
    cited = documents.cite(spans)
    return [
        _hit(rank, row, (span.start, span.end), documents.text(span.document_id)[span.start : span.end], citation)
        for rank, (span, row, citation) in enumerate(zip(spans, rows, cited, strict=True), start=1)
    ]


def _hit(rank: int, row: Row, span: Span, text: str, citation: Mapping[str, Any]) -> Hit:
    """Return the result for a chunk's row. Values that `citation` does not have come from the row."""
    own = {name: row[name] for name in ("chunk_id", "document_id", "path", "title", "pages", "boxes", "section", "kind", "score")}
    return Hit(
        **{**own, **citation},
        rank=rank,
        start_char=span[0],
        end_char=span[1],
        text=text,
        embedding_text=_seen(row, text),
        chunk_start_char=row["start_char"],
        chunk_end_char=row["end_char"],
        chunk_text=row["text"],
    )


def _seen(row: Row, text: str) -> str:
    """Return `text` after the chunk's context, which the embedder saw too: caption and header rows, or title and section."""
    before = row["embedding_text"].removesuffix(row["text"])
    return before + text if before != row["embedding_text"] else text
