"""PDF through PyMuPDF: the document, its properties, and its pages one by one."""

import json
import re
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import DocumentError, EmptyDocument
from schemas.options.sections import ParseOptions
from schemas.records import Element, ParsedDocument, ParsedFigure, Properties, Reason
from tasks.parse.elements.continued import PositionedElement
from tasks.parse.elements.from_regions import element
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.outline import OutlineEntry
from tasks.parse.layout.prose import clean
from tasks.parse.layout.regions import Change, Remark
from tasks.parse.page_errors import page_failure, raise_unless_the_pages
from tasks.parse.passes.document import BEFORE_MOVES, MOVES_AND_LEVELS, DocumentModel, PageElements, elements_on, settle
from tasks.parse.pdf.front_page import with_front_page
from tasks.parse.pdf.io.file_end import is_cut_off, is_empty
from tasks.parse.pdf.io.page import SeenPage, read_page, see_page
from tasks.parse.pdf.io.shells import attached_files, check_shell, cover_warning, is_portfolio
from tasks.parse.rejections import one_a_page, refusal
from tasks.workers.memory import release_freed_memory

if TYPE_CHECKING:
    import pymupdf

_DATE = re.compile(r"^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|(Z))?")


RELEASE_PAGES = 10
ASIDE = Change("aside", "no part of the page's layout")
"""What is told of notes, hidden text, watermarks and numbers of lines."""


class PdfMetadata(NamedTuple):
    """Properties and outline that the file itself states, and the names of attached files, which may be all of a portfolio."""

    properties: Properties
    outline: list[OutlineEntry]
    attached: list[str]
    is_portfolio: bool


Pages = tuple[list[PageResult], PdfMetadata]


def parse_pdf(content: bytes, options: ParseOptions, tick: Callable[[int], None]) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`. A page that cannot be read becomes an entry of its `rejects`.

    Raises:
        DocumentError: it needs a password, is damaged, has no pages, or only a notice on them that asks for another program.
        EmptyDocument: no page contains text.
    """
    with opened(content) as document:
        metadata = _metadata(document)
        return document_row(_pages(document, range(document.page_count), options, tick), metadata)


class ExplainedPage(NamedTuple):
    """The elements of a page as `parse_pdf` returns them, each with what made it what it is, in order; remarks on the page."""

    elements: list[tuple[Element, tuple[Change, ...]]]
    remarks: list[Remark]


def explain_pdf_page(content: bytes, page_number: int, options: ParseOptions, tick: Callable[[int], None]) -> ExplainedPage:
    """Return the elements that `parse_pdf` returns of a page, and what its passes did to make them.

    All pages are read, because running headers and levels show only in them.

    Raises:
        DocumentError, EmptyDocument: as `parse_pdf`.
    """
    with opened(content) as document:
        metadata = _metadata(document)
        pages = _pages(document, range(document.page_count), options, tick, page_number)
    settled = settle_document(pages, metadata)
    elements = [(piece.element, settled.changes[piece.number]) for piece in settled.found]
    remarks = [remark for page in pages for remark in page.remarks]
    return ExplainedPage([pair for pair in elements if pair[0]["page_number"] == page_number], remarks)


@contextmanager
def seen_pdf(content: bytes, options: ParseOptions) -> Iterator[tuple[list[SeenPage], PdfMetadata]]:
    """Yield the pages of an open PDF before their passes, and its metadata, for `settle_page` and `settle_document`.

    Raises:
        DocumentError: as `parse_pdf`.
    """
    with opened(content) as document:
        yield [see_page(document.load_page(n), options) for n in range(document.page_count)], _metadata(document)


def read_pages(content: bytes | Path, span: range, options: ParseOptions, tick: Callable[[int], None]) -> Pages:
    """Return the results of the pages in `span` and the metadata of the file, for `document_row`.

    Pages count from 0. Pages beyond the end of the document are skipped.

    Raises:
        DocumentError: as `parse_pdf`.
    """
    with opened(content) as document:
        metadata = _metadata(document)
        return _pages(document, span[: max(0, document.page_count - span.start)], options, tick), metadata


def _pages(
    document: "pymupdf.Document", span: range, options: ParseOptions, tick: Callable[[int], None], explained: int = 0
) -> list[PageResult]:
    """Return the pages in `span`, counted from 0; the one whose number, counted from 1, is `explained` has remarks."""
    pages = []
    for done, n in enumerate(span):
        pages.append(_page(document, n, options, n + 1 == explained))
        tick(done + 1)
        if done % RELEASE_PAGES == 0:
            release_freed_memory()
    return pages


@contextmanager
def opened(content: bytes | Path) -> "Iterator[pymupdf.Document]":
    """Open a PDF that has pages, given its bytes or its file, of which only what is needed is read.

    Raises:
        DocumentError: it needs a password, is damaged, or has no pages.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    if is_empty(content):
        raise refusal(DocumentError, "the file is empty (0 bytes)", "replace it by the complete document, or exclude it")
    try:
        source = {"filename": content} if isinstance(content, Path) else {"stream": content}
        document = pymupdf.open(**source, filetype="pdf")
    except (RuntimeError, ValueError) as error:
        remedy = "get a complete copy of the file, or print it to PDF again"
        raise refusal(DocumentError, "the file is not a PDF, or is damaged beyond repair", remedy) from error
    with document:
        with _readable():
            _check(document, content)
        yield document


@contextmanager
def _readable() -> Iterator[None]:
    """Refuse a file whose structure MuPDF cannot read, such as one that claims more pages than it has objects.

    Raises:
        DocumentError: that is so.
    """
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise_unless_the_pages(error)
        message = f"the PDF's structure is damaged: {clean(str(error)).partition(': ')[2] or error}"
        raise refusal(DocumentError, message, "get a complete copy of the file, or print it to PDF again") from error


def _check(document: "pymupdf.Document", content: bytes | Path) -> None:
    if document.needs_pass and not document.authenticate(""):
        raise refusal(DocumentError, "the PDF opens only with a password", "save a copy without one, or exclude the file")
    if not document.is_pdf:
        raise refusal(DocumentError, "the content is not a PDF", "give the file the suffix of its format, or exclude it")
    if document.is_repaired and is_cut_off(content):  # MuPDF opens it, with the pages that it finds
        raise refusal(DocumentError, "the PDF is truncated: its end is missing", "get a complete copy of the file")
    if not document.page_count:
        raise refusal(DocumentError, "the PDF has no pages", "get a complete copy of the file, or exclude it")


def _page(document: "pymupdf.Document", n: int, options: ParseOptions, explain: bool) -> PageResult:
    """Read page `n`, counted from 0. Damaged PDFs make MuPDF raise almost any error, which must not affect other pages."""
    try:
        return read_page(document.load_page(n), options, explain)
    except Exception as error:
        raise_unless_the_pages(error)
        return PageResult(n + 1, 0.0, 0.0, reject=page_failure(n + 1, "PageError", "cannot be read", error))


def document_row(pages: list[PageResult], metadata: PdfMetadata) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`, including everything that depends on all pages together.

    Raises:
        EmptyDocument: no page contains text.
    """
    settled = settle_document(pages, metadata)
    return {
        "text": None,
        "properties": with_front_page(metadata.properties, settled.in_place),
        "pages": [{"page_number": p.number, "width": p.width, "height": p.height, "ocr": p.ocr} for p in pages],
        "elements": [piece.element for piece in settled.found],
        "figures": _figures(pages, settled),
        "rejects": one_a_page([*(page.reject for page in pages if page.reject), *_warnings(metadata)]),
    }


class SettledDocument(NamedTuple):
    """All elements in reading order, those before any moved with their type sizes, and by number what made each what it is.

    `starts` are the numbers of the first elements of pages.
    """

    starts: list[int]
    found: list[PositionedElement]
    in_place: list[tuple[Element, float]]
    changes: dict[int, tuple[Change, ...]]


def settle_document(pages: list[PageResult], metadata: PdfMetadata, without: Container[str] = ()) -> SettledDocument:
    """Return the elements of all pages after all passes of the document but those `without`.

    Raises:
        EmptyDocument: no page contains text.
    """
    note = [(element(1, "note", f"Attached files, not read: {', '.join(metadata.attached)}"), 0.0)] if metadata.attached else []
    asides = [[*page.asides, *(note if n == 0 else [])] for n, page in enumerate(pages)]
    read = [
        PageElements(page.number, page.height, page.ocr, page.elements, page.n_top, page.n_bottom, aside)
        for page, aside in zip(pages, asides, strict=True)
    ]
    found = elements_on(read)
    if not any(piece.element["text"].strip() for piece in found):
        raise _empty([page.reject for page in pages if page.reject])
    document = DocumentModel(read, metadata.outline)
    told = (one for page, aside in zip(pages, asides, strict=True) for one in (*page.changes, *((ASIDE,) for _ in aside)))
    changes = dict(enumerate(told))
    found = settle(document, found, BEFORE_MOVES, changes, without)
    in_place = [(piece.element, piece.size) for piece in found]
    found = settle(document, found, MOVES_AND_LEVELS, changes, without)
    return SettledDocument(document.starts(), found, in_place, changes)


def _warnings(metadata: PdfMetadata) -> list[Reason]:
    return [cover_warning(metadata.attached)] if metadata.is_portfolio else []


def _empty(rejects: list[Reason]) -> DocumentError:
    """Return the error for a document without text, of which `rejects` say why; none if all pages are blank."""
    if not rejects:
        return refusal(EmptyDocument, "no text found: all pages are blank", "exclude it, or get a copy that shows its text")
    reasons = "; ".join(reject["message"] for reject in rejects[:3])
    remedies = "; ".join(dict.fromkeys(reject["remedy"] for reject in rejects[:3]))
    return refusal(EmptyDocument, f"no text found: {reasons}", f"{remedies}; or exclude it")


def _figures(pages: list[PageResult], settled: SettledDocument) -> list[ParsedFigure]:
    """Return the figures with the position of their element, which may have moved."""
    positions = {piece.number: position for position, piece in enumerate(settled.found)}
    starts = zip(settled.starts, pages, strict=True)
    figures = [(start + index, figure) for start, page in starts for index, figure in page.figures.items()]
    return sorted(({"position": positions[n], **figure} for n, figure in figures), key=itemgetter("position"))


def _metadata(document: "pymupdf.Document") -> PdfMetadata:
    with _readable():
        attached = attached_files(document)
        check_shell(document, attached)
        return PdfMetadata(_properties(document), _outline(document), attached, bool(attached) and is_portfolio(document))


def _outline(document: "pymupdf.Document") -> list[OutlineEntry]:
    """Return the lines of the outline, none if it is damaged: MuPDF then raises almost any error."""
    try:
        return [OutlineEntry(level, clean(title).strip(), page_number) for level, title, page_number in document.get_toc()]
    except MemoryError:
        raise
    except Exception:
        return []


def _properties(document: "pymupdf.Document") -> Properties:
    found = {name: clean(value).strip() or None for name, value in (document.metadata or {}).items() if isinstance(value, str)}
    extra = {name: found[name] for name in ("subject", "keywords") if found.get(name)}
    return {
        "title": found.get("title"),
        "author": found.get("author"),
        "created": iso_date(found.get("creationDate")),
        "modified": iso_date(found.get("modDate")),
        "language": clean(document.language or "") or None,
        "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
    }


def iso_date(date: str | None) -> str | None:
    """Return a PDF date in ISO 8601, as precise as it is; None if it is not a date.

    >>> iso_date("D:20220408194723+02'00'"), iso_date("D:2021"), iso_date("yesterday")
    ('2022-04-08T19:47:23+02:00', '2021', None)
    """
    found = _DATE.match(date or "")
    if not found:
        return None
    year, month, day, hour, minute, second, sign, zone_hours, zone_minutes, utc = found.groups()
    calendar = "-".join(part for part in (year, month, day) if part)
    if not (day and hour and minute):
        return calendar
    zone = "Z" if utc else f"{sign}{zone_hours}:{zone_minutes or '00'}" if sign else ""
    return f"{calendar}T{hour}:{minute}:{second or '00'}{zone}"
