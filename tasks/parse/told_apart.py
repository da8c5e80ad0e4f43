"""Formats told by content: a suffix may lie, and then the file is read as what it is, or refused as what it is."""

import re

from schemas import media_types
from schemas.errors import DocumentError
from schemas.media_types import FORMATS
from schemas.records import Reason
from tasks.parse.office.package import EXCEL, POWERPOINT, WORD, kind_of
from tasks.parse.rejections import RENAME, entry, refusal

_PACKED = (media_types.ODT, media_types.ODP, media_types.EPUB)
_SHEETS = (media_types.XLSX, media_types.XLS, media_types.ODS)
_BINARY = (
    media_types.PDF,
    media_types.TIFF,
    media_types.DOCX,
    media_types.PPTX,
    *_SHEETS,
    *media_types.MAILS,
    *media_types.PICTURES,
    *_PACKED,
    media_types.WEBARCHIVE,
    *media_types.CONVERTED,
)
_OFFICE = {
    WORD: media_types.DOCX, POWERPOINT: media_types.PPTX, EXCEL: media_types.XLSX, media_types.ODS: media_types.ODS,
    **{kind: kind for kind in _PACKED},
}  # fmt: skip
_STREAMS = {
    "Workbook": media_types.XLS, "Book": media_types.XLS, "WordDocument": media_types.DOC, "PowerPoint Document": media_types.PPT
}  # fmt: skip
"""Streams of OLE files that only files of one format have."""
_ZIP = b"PK\x03\x04"
_REFUSED = {
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!\x1a": "a RAR archive",
    b"SQLite format 3\0": "an SQLite database",
    media_types.OLE: "an old Office file (.doc, .xls, .ppt, .msg)",
    _ZIP: "a ZIP archive",
}
"""How files begin that no text begins as."""
_MARKUP = {b"<!doctype html": "an HTML page", b"<html": "an HTML page"}
_LOOKED_AT = 1024
_MARKED = re.compile(rb"<(?:!doctype html|html|table|head|body|meta)\b", re.IGNORECASE)


def media_type_by_content(data: bytes, told: str) -> str:
    """Return the media type of a file: that of its first bytes if they belong to a format that Pagemill reads, else `told`.

    Raises:
        DocumentError: the content is certainly of another format than `told`, and of none that Pagemill reads.
    """
    found = media_types.media_type_by_mark(data) or told
    if data.startswith(_ZIP):
        found = _OFFICE.get(kind_of(data), told)
    if data.startswith(media_types.OLE) and told not in media_types.MAILS:
        found = next((kind for name, kind in _STREAMS.items() if _stream_name(name) in data), told)
    if found == told and told in media_types.CONVERTED and _MARKED.search(data[:_LOOKED_AT]):
        found = media_types.HTML
    if found == told and told in _SHEETS and _is_text(data):
        start = data[:_LOOKED_AT]
        found = media_types.HTML if _MARKED.search(start) else media_types.CSV if re.search(rb"[\t;,]", start) else told
    if found == told:
        _refuse_others(data, told)
    return found


def _stream_name(name: str) -> bytes:
    """Return the beginning of the entry of a stream in an OLE file's directory: its name, filled up with zeros."""
    return f"{name}\0\0".encode("utf-16-le")


def _is_text(data: bytes) -> bool:
    """Return whether a file is text: programs write HTML and values with tabs into files that they call workbooks."""
    return not data.startswith((_ZIP, media_types.OLE)) and b"\0" not in data[:_LOOKED_AT] and bool(data.strip())


def _refuse_others(data: bytes, told: str) -> None:
    start = data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if told not in _BINARY and (what := next((what for magic, what in _REFUSED.items() if data.startswith(magic)), "")):
        raise refusal(DocumentError, f"the content is {what}, not {FORMATS[told].said}", RENAME)
    if told in _BINARY and (what := next((what for magic, what in _MARKUP.items() if start.startswith(magic)), "")):
        page = "if it is an error or a login in place of the document, download the document again; else give it the suffix .html"
        remedy = page if "HTML" in what else "save it as .docx or PDF, or exclude it"
        raise refusal(DocumentError, f"the content is {what}, not {FORMATS[told].said}", remedy)


def misnamed(found: str, told: str) -> Reason:
    """Return the entry of `rejects` that says as what a file was read whose suffix names another format."""
    suffix = FORMATS[found].suffixes[0]
    message = f"the content is {FORMATS[found].said}, not {FORMATS[told].said}: it was read as {FORMATS[found].said}"
    return entry("parse", "SuffixError", message, f"give the file the suffix {suffix}", 1)


def misnamed_error(error: DocumentError, found: str, told: str) -> DocumentError:
    """Return `error` with the format that the file really has."""
    remedy = " ".join(getattr(error, "__notes__", ()))
    return refusal(type(error), f"the content is {FORMATS[found].said}, not {FORMATS[told].said}: {error}", remedy)
