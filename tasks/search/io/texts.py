"""The texts of published documents, and the citations of spans in them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property

from schemas.records import ElementRow
from schemas.tables.elements import ADDED_LATER
from tasks.chunk.citations import ElementIndex
from tasks.language.detection import parse_language_code
from tasks.search.chunk_source import SpanCitation
from tasks.search.passages import TextSpan
from tasks.search.results import make_citation
from tasks.store import conditions
from tasks.store.access import OpenTables

TEXT = ["document_id", "text", "language"]
CITED_AT_ONCE = 128
"""Spans whose citations are read together."""
CITED = ["element_id", "document_id", "position", "kind", "page_number", "bbox", "section", "start_char", "end_char"]

Elements = Mapping[TextSpan, ElementIndex]


class DocumentTexts:
    """The texts of published documents."""

    def __init__(self, tables: OpenTables, helpers: Executor | None = None) -> None:
        """`helpers` read what citations take while texts are read."""
        self._tables, self._helpers = tables, helpers
        self._texts: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._cited: dict[TextSpan, SpanCitation] = {}
        self._around: Elements = {}

    @cached_property
    def _placed(self) -> list[str]:
        """The columns of elements that corpora of older versions do not have."""
        return [name for name in ADDED_LATER if name in self._tables.schema("elements").names]

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Read the texts of the documents that are not loaded yet, and meanwhile what it takes to cite parts of few spans."""
        missing = sorted(set(documents) - self._texts.keys())
        if not missing:
            return
        early = self._helpers.submit(self._read_elements, around) if self._helpers and 0 < len(around) <= CITED_AT_ONCE else None
        rows = self._tables.read("documents", TEXT, conditions.make_documents_condition(missing)).to_pylist()
        self._texts |= {row["document_id"]: row["text"] for row in rows}
        self._languages |= {row["document_id"]: parse_language_code(row["language"] or "") for row in rows}
        self._around = early.result() if early else {}

    def text(self, document: str) -> str:
        """Return the text of a loaded document."""
        return self._texts[document]

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a loaded document's language; "" if it is not known."""
        return self._languages[document]

    def cite(self, spans: Sequence[TextSpan]) -> list[SpanCitation]:
        """Return section, pages, boxes and places of each span; an empty dict for a span without elements."""
        new = [span for span in dict.fromkeys(spans) if span not in self._cited]
        read = {span: found for span in new for around, found in self._around.items() if _is_part_of_span(span, around)}
        missing = [span for span in new if span not in read]
        for at in range(0, len(missing), CITED_AT_ONCE):
            read |= self._read_elements(missing[at : at + CITED_AT_ONCE])
        self._cited |= {span: make_citation(read.get(span), span.start, span.end) for span in new}
        return [self._cited[span] for span in spans]

    def _read_elements(self, spans: Sequence[TextSpan]) -> Elements:
        """Return for each span those elements of its document that touch any of the spans; a span without any is left out."""
        places = [f"(document_id = '{name}' AND start_char < {end} AND end_char > {start})" for name, start, end in spans]
        named = conditions.make_documents_condition(
            dict.fromkeys(span.document_id for span in spans)
        )  # this part the index answers
        where = f"{named} AND ({' OR '.join(places)})"
        rows = self._tables.read("elements", [*CITED, *self._placed], where).sort_by("position").to_pylist()
        if any(row.get("place") for row in rows):
            texts = self._tables.read("elements", ["element_id", "text"], f"{where} AND place IS NOT NULL")
            known_texts = dict(zip(texts["element_id"].to_pylist(), texts["text"].to_pylist(), strict=True))
            rows = [{**row, "text": known_texts.get(row["element_id"], "")} for row in rows]
        of_document: dict[str, list[ElementRow]] = {}
        for row in rows:
            of_document.setdefault(row["document_id"], []).append(row)
        known = {name: ElementIndex(rows) for name, rows in of_document.items()}
        return {span: known[span.document_id] for span in spans if span.document_id in known}


def _is_part_of_span(span: TextSpan, whole: TextSpan) -> bool:
    return span.document_id == whole.document_id and whole.start <= span.start and span.end <= whole.end
