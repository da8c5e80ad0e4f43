"""Documents: parsed and described once, by the steps of a refresh; kept in the experiment's folder, and read as a library."""

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from schemas.records import DescribedDocument
from schemas.references import Frozen
from schemas.shown import plain
from schemas.tables.elements import HEADINGS
from tasks.chunk.citations import ElementIndex
from tasks.describe.io.classify import classify_figures, place_ocr_cache
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.evaluate.gold import DocumentText
from tasks.experiment.io.plan import Document, Plan
from tasks.language.detection import detect_language, parse_language_code
from tasks.parse.io.members import map_members
from tasks.parse.io.ranges import RangedParser
from tasks.search.chunk_source import SpanCitation
from tasks.search.passages import TextSpan
from tasks.search.results import make_citation
from tasks.store import files
from tasks.workers.pool import WorkerPool

logger = logging.getLogger(__name__)


PROPERTIES = b"properties"
"""The metadata of a kept table of DESCRIBED: title and language as the file itself gives them, as JSON."""


class Unread(Frozen):
    """A document that could not be read, and why."""

    path: str
    reason: str


class Text(NamedTuple):
    """A document: its id, its path relative to the source, its row of DESCRIBED, and its own title and language, or ""."""

    document_id: str
    path: str
    row: DescribedDocument
    own_title: str = ""
    own_language: str = ""

    @property
    def text(self) -> str:
        """The whole text."""
        return str(self.row["text"])

    @property
    def title(self) -> str:
        """The title that a corpus gives it: its own, or the first title or heading, or the file's name."""
        first = next((element["text"] for element in self.row["elements"] if element["kind"] in HEADINGS), "")
        return self.own_title or first.strip("# \n") or self.path.rpartition("/")[2]

    @property
    def language(self) -> str:
        """The ISO 639-1 code of the text's language, or else of the file's own; "" if neither is known."""
        return parse_language_code(detect_language(self.text) or self.own_language)


class Library:
    """Documents by id, with the citations of spans in them: what a corpus reads from its tables."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.texts = {text.document_id: text for text in texts}
        self._elements: dict[str, ElementIndex] = {}
        self._languages: dict[str, str] = {}

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Do nothing, because all texts are loaded."""

    def text(self, document: str) -> str:
        """Return the text of a document."""
        return self.texts[document].text

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a document's language, "" if it is not known."""
        if document not in self._languages:
            self._languages[document] = self.texts[document].language
        return self._languages[document]

    def read_furniture(self, documents: Iterable[str]) -> Iterator[tuple[str, int, str]]:
        """Yield document, page number and text of the running headers and footers of documents."""
        for document in documents:
            for element in self.texts[document].row["elements"]:
                if element["kind"] == "furniture":
                    yield document, element["page_number"], element["text"]

    def cite(self, spans: Sequence[TextSpan]) -> list[SpanCitation]:
        """Return section, pages and boxes of each span; an empty dict for a span without elements."""
        return [make_citation(self._index_elements(name), start, end) for name, start, end in spans]

    def _index_elements(self, document: str) -> ElementIndex:
        if document not in self._elements:
            self._elements[document] = ElementIndex(self.texts[document].row["elements"])
        return self._elements[document]


def describe_missing_documents(plan: Plan) -> list[Unread]:
    """Parse and describe what is not kept yet, in worker processes; return the documents that have no text.

    Raises:
        InputError: no document has any text.
    """
    contents = {document.content.name: document for document in plan.documents if not _path_of_described(plan, document).exists()}
    failed = {name: error for name, error in _describe_in_workers(plan, list(contents.values())) if error}
    unread = [
        Unread(path=document.path, reason=failed.get(document.content.name) or "it contains no text")
        for document in plan.documents
        if document.content.name in failed or not files.read_table(_path_of_described(plan, document))["text"][0].as_py().strip()
    ]
    if len(unread) == len(plan.documents):
        raise InputError(f"no document of {plan.options.source} can be read: {unread[0].path}: {unread[0].reason}")
    for one in unread:
        logger.warning("%s is left out: %s", plain(one.path), one.reason)
    return unread


def _path_of_described(plan: Plan, document: Document) -> Path:
    return plan.out.step_folder("describe", plan.described) / f"{document.content.sha256}.arrow"


def _describe_in_workers(plan: Plan, documents: list[Document]) -> Iterator[tuple[str, str]]:
    """Describe documents; yield the name of each content, and why it cannot be read, or a blank."""
    options = plan.options
    settings = OcrSettings(options.describe, options.parse, place_ocr_cache(plan.out, plan.described))
    with WorkerPool(options.limits) as pool:
        contents = [document.content for document in documents]
        files.find_storage(plan.out.private).sweep(plan.out.private)
        parser = RangedParser(options.parse, options.limits, plan.out.drafts)
        for number, parsed in map_members(pool, contents, options.parse, parser):
            reason = _explain_unread(parsed)
            if not reason:
                call = (parsed, settings, classify_figures(parsed, options.describe))
                [(_, found)] = pool.map(describe_content, [call])
                reason = _explain_unread(found)
            if not reason:
                files.write_table_atomically(_path_of_described(plan, documents[number]), _attach_properties(found, parsed))
            yield contents[number].name, reason


def _attach_properties(found: pa.Table, parsed: pa.Table) -> pa.Table:
    properties = parsed["properties"][0].as_py()
    own = {name: (properties[name] or "").strip() for name in ("title", "language")}
    return found.replace_schema_metadata({PROPERTIES: json.dumps(own)})


def _explain_unread(outcome: pa.Table | PagemillError) -> str:
    """Return why a document cannot be read, from an outcome of a step: an error, or a row that rejects the document."""
    if isinstance(outcome, PagemillError):
        return str(outcome)
    rejects = [reject for reject in outcome["rejects"][0].as_py() if reject["page_number"] == 0]
    return f"{rejects[0]['message']}: {rejects[0]['remedy']}" if rejects else ""


def read_library(plan: Plan) -> Library:
    """Return the documents that have text; the last ones stay in memory."""
    return _load_library(plan.out, plan.described, plan.documents)


@lru_cache(maxsize=1)
def _load_library(out: Corpus, recipe: str, documents: tuple[Document, ...]) -> Library:
    folder = out.step_folder("describe", recipe)
    paths = [(document, folder / f"{document.content.sha256}.arrow") for document in documents]
    texts = [_read_described_text(document, path) for document, path in paths if path.exists()]
    return Library(text for text in texts if text.text.strip())


def _read_described_text(document: Document, path: Path) -> Text:
    table = files.read_table(path)
    own = json.loads((table.schema.metadata or {}).get(PROPERTIES, b"{}"))
    [row] = table.to_pylist()
    return Text(document.document_id, document.path, row, own.get("title", ""), own.get("language", ""))


def list_texts_by_path(library: Library) -> dict[str, DocumentText]:
    """Return the texts and numbers of pages by path, to locate gold in."""
    texts = library.texts.values()
    return {
        text.path: DocumentText(text.text, max((e["page_number"] for e in text.row["elements"]), default=1)) for text in texts
    }
