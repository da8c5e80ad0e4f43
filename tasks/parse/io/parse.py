"""Parse: reads properties, pages, elements and figures from the bytes of a file.

This runs inside a worker process, which may be ended at any time.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pyarrow as pa

from schemas import media_types
from schemas.conform import make_table_from_rows
from schemas.errors import ChangedError, DocumentError, ServiceError
from schemas.options.sections import ParseOptions
from schemas.records import NO_PROPERTIES, ParsedDocument, Reason
from schemas.references import Compound, Content
from schemas.staged import PARSED
from tasks.parse.elements.assembly import on_pages
from tasks.parse.elements.flow_document import FlowDocument, document_row
from tasks.parse.rejections import entry, one_a_page, reason, refusal
from tasks.parse.told_apart import media_type_by_content, misnamed, misnamed_error
from tasks.store.files import compute_sha256

RANGE_PAGES = 24
"""Pages that one worker reads at a time: about a second of work, so opening the document again costs little."""
RANGED_BYTES = 100_000
"""A smaller PDF rarely has enough pages for several ranges."""

Tick = Callable[[int], None]
Reader = Callable[[bytes], FlowDocument]

READERS = {
    media_types.DOCX: "tasks.parse.office.word:parse_docx",
    media_types.XLSX: "tasks.parse.sheets.xlsx:parse_xlsx",
    media_types.XLS: "tasks.parse.sheets.xls:parse_xls",
    media_types.ODS: "tasks.parse.sheets.ods:parse_ods",
    media_types.ODT: "tasks.parse.office.open_text:parse_odt",
    media_types.ODP: "tasks.parse.office.open_text:parse_odp",
    media_types.EPUB: "tasks.parse.books.epub:parse_epub",
    media_types.MHTML: "tasks.parse.books.mhtml:parse_mhtml",
    media_types.WEBARCHIVE: "tasks.parse.books.webarchive:parse_webarchive",
    media_types.JSON: "tasks.parse.data.json_values:parse_json",
    media_types.JSONL: "tasks.parse.data.json_values:parse_json_lines",
    media_types.XML: "tasks.parse.data.xml_documents:parse_xml",
    media_types.IPYNB: "tasks.parse.data.notebooks:parse_notebook",
    media_types.VTT: "tasks.parse.data.subtitles:parse_subtitles",
    media_types.SRT: "tasks.parse.data.subtitles:parse_subtitles",
}
"""The readers of formats that need nothing but the bytes: module and function, loaded for the first file of the format."""


def parse_content(content: Content, options: ParseOptions, tick: Tick) -> pa.Table:
    """Return one row of PARSED for the bytes of a content. `tick(n)` is called after page n.

    Raises:
        DocumentError: the document cannot be read, and another try cannot help.
        ChangedError: the file has changed since it was planned.
        ServiceError: the file cannot be read now.
    """
    data = _read(content.path, content.file_sha256)
    if content.media_type.startswith(media_types.ADDED):
        from tasks.parse.io.added_formats import parse_added_format

        return _table(parse_added_format(data, content, options, tick))
    row = _row(_with_pictures_beside(data, content.compound), content.media_type, options, tick)
    return _table({**row, "rejects": one_a_page([*row["rejects"], *_list_left_out(content.compound)])})


def _with_pictures_beside(data: bytes, compound: Compound | None) -> bytes:
    """Return a page with the pictures that lie beside it.

    Raises:
        ChangedError, ServiceError: as `parse_content`.
    """
    if not compound or not compound.pictures:
        return data
    from tasks.parse.books.inlined import with_pictures

    files = {picture.address: picture for picture in compound.pictures}
    return with_pictures(data, lambda address: _read(files[address].path, files[address].sha256) if address in files else None)


def _list_left_out(compound: Compound | None) -> Iterator[Reason]:
    if compound and compound.n_left_out:
        message = f"{compound.n_left_out} pictures beside the page were left out, because they are too many or too large"
        yield entry("parse", "PictureError", message, "make them smaller; docs/formats.md has the limits", 1)


def parse_staged(content: Content, options: ParseOptions, tick: Tick) -> pa.Table:
    """Return what `parse_content` returns, or a row with only the reason of a final error.

    Raises:
        ChangedError, ServiceError: as `parse_content`.
    """
    return _or_reason(lambda: parse_content(content, options, tick))


def parse_if_short(content: Content, options: ParseOptions, tick: Tick) -> pa.Table | int:
    """Return what `parse_staged` returns, but for a long document only its number of pages.

    Raises:
        ChangedError, ServiceError: as `parse_content`.
    """
    return _or_reason(lambda: find_long(content) or parse_content(content, options, tick))


def find_long(content: Content) -> int | None:
    """Return the number of pages of a document that should be parsed in ranges, else None. Small files are not opened.

    None also for one that cannot be opened: `parse_content` says why. Nobody has checked yet that the file is what it was.
    """
    if content.media_type != media_types.PDF or content.size < RANGED_BYTES:
        return None
    from tasks.parse.pdf.io.page_view import n_pages_of

    try:
        n_pages = n_pages_of(Path(content.path))
    except DocumentError:
        return None
    return n_pages if n_pages > 2 * RANGE_PAGES else None


def parse_range(content: Content, options: ParseOptions, start: int, folder: str, tick: Tick) -> float:
    """Read the range of pages from `start`, counted from 0, into a file in `folder`. Return the CPU seconds that it took.

    That the file is what it was is checked once, when the ranges are joined.

    Raises:
        DocumentError, ChangedError, ServiceError: as `parse_content`.
    """
    from tasks.parse.io.range_files import write_range
    from tasks.parse.pdf.io.document import read_pages

    began = _cpu_seconds()
    try:
        read = read_pages(Path(content.path), range(start, start + RANGE_PAGES), options, tick)
    except DocumentError:
        check_unchanged(content)
        raise
    write_range(Path(folder), start, read)
    return _cpu_seconds() - began


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of the programs that it ran and that have ended."""
    return sum(os.times()[:4])


def join_ranges(content: Content, folder: str) -> pa.Table:
    """Return what `parse_content` returns for the document whose ranges are in `folder`.

    Raises:
        DocumentError: no page contains text.
        ChangedError, ServiceError: as `parse_content`.
    """
    from tasks.parse.io.range_files import read_ranges
    from tasks.parse.pdf.io.document import document_row

    check_unchanged(content)
    return _table(document_row(*read_ranges(Path(folder))))


def join_staged(content: Content, options: ParseOptions, folder: str, tick: Tick) -> pa.Table:
    """Return what `parse_staged` returns for the document whose ranges are in `folder`."""
    return _or_reason(lambda: join_ranges(content, folder))


def _table(row: ParsedDocument) -> pa.Table:
    return make_table_from_rows([{**row, "elements": on_pages(row["elements"], row["pages"])}], PARSED)


def _or_reason(parse: Callable[[], pa.Table]) -> pa.Table:
    try:
        return parse()
    except DocumentError as error:
        return make_table_from_rows([_nothing(reason("parse", error))], PARSED)


def _read(path: str, sha256: str) -> bytes:
    with _readable(path):
        data = Path(path).read_bytes()
    _compare(path, hashlib.sha256(data).hexdigest(), sha256)
    return data


def check_unchanged(content: Content) -> None:
    """Check that the file still holds the bytes of the content.

    Raises:
        ChangedError, ServiceError: as `parse_content`.
    """
    with _readable(content.path):
        found = compute_sha256(Path(content.path))
    _compare(content.path, found, content.file_sha256)


def _compare(path: str, found: str, planned: str) -> None:
    if found != planned:
        raise ChangedError(f"{Path(path).name} changed while it was read: run again")


@contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ChangedError(f"{Path(path).name} was removed after the plan was made: run again") from error
    except OSError as error:
        raise ServiceError(f"{Path(path).name} cannot be read: {error.strerror}: check its permissions and its disk") from error


def _row(data: bytes, told: str, options: ParseOptions, tick: Tick) -> ParsedDocument:
    """Read a file as what it is, whatever its suffix says."""
    found = media_type_by_content(data, told)
    if found == told:
        return _row_of(data, told, options, tick)
    try:
        row = _row_of(data, found, options, tick)
    except DocumentError as error:
        raise misnamed_error(error, found, told) from error
    return {**row, "rejects": one_a_page([*row["rejects"], misnamed(found, told)])}


def _row_of(data: bytes, media_type: str, options: ParseOptions, tick: Tick) -> ParsedDocument:
    if media_type == media_types.PDF:
        from tasks.parse.pdf.io.document import parse_pdf

        return parse_pdf(data, options, tick)
    if media_type == media_types.TIFF:
        from tasks.parse.pdf.io.tiff import parse_tiff

        return parse_tiff(data, options, tick)
    if media_type in media_types.PICTURES:
        from tasks.parse.pdf.io.picture import parse_picture

        return parse_picture(data, options, tick)
    row = _text_row(data, media_type)
    if row is not None:
        tick(1)
        return row
    return document_row(_document(data, media_type, tick), options.figure_dpi, tick)


def _text_row(data: bytes, media_type: str) -> ParsedDocument | None:
    """Return the row of a format whose text is the decoded file; None for other formats."""
    if media_type == media_types.MARKDOWN:
        from tasks.parse.text.markdown import parse_markdown

        return parse_markdown(data)
    if media_type == media_types.RST:
        from tasks.parse.text.rst.document import parse_rst

        return parse_rst(data)
    if media_type in (media_types.CODE, media_types.YAML):
        from tasks.parse.text.code import parse_code, parse_yaml

        return parse_code(data) if media_type == media_types.CODE else parse_yaml(data)
    if media_type == media_types.PLAIN_TEXT:
        from tasks.parse.text.plain import parse_text

        return parse_text(data)
    return None


def _document(data: bytes, media_type: str, tick: Tick) -> FlowDocument:
    """Read a document of a format without fixed pages."""
    if media_type in (media_types.HTML, media_types.XHTML):
        from tasks.parse.web.document import parse_html

        return parse_html(data, xhtml=media_type == media_types.XHTML)
    if media_type in media_types.MAILS:
        from tasks.parse.mail.document import parse_mail
        from tasks.parse.mail.outlook import read_any_mail

        return parse_mail(read_any_mail(data))
    if media_type in media_types.CONVERTED:
        from tasks.parse.office.io.libreoffice import convert_to_open_xml

        converted = media_types.PPTX if media_type == media_types.PPT else media_types.DOCX
        return _document(convert_to_open_xml(data, media_type), converted, tick)
    if media_type == media_types.PPTX:
        from tasks.parse.office.slides import parse_pptx

        return parse_pptx(data, tick)
    if media_type in (media_types.CSV, media_types.TSV):
        from tasks.parse.sheets.delimited import parse_delimited

        return parse_delimited(data, "\t" if media_type == media_types.TSV else "")
    if media_type in READERS:
        module, _, name = READERS[media_type].partition(":")
        read: Reader = getattr(import_module(module), name)
        return read(data)
    known = ", ".join(media_types.USUAL_SUFFIXES)
    raise refusal(
        DocumentError, f"Pagemill cannot read files of type {media_type}", f"convert it to one of {known}, or exclude it"
    )


def _nothing(reject: Reason) -> ParsedDocument:
    return {
        "text": None,
        "properties": NO_PROPERTIES,
        "pages": [],
        "elements": [],
        "figures": [],
        "rejects": [reject],
    }
