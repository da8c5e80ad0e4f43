"""Formats told by content: a suffix may lie, and then the file is read as what it is, or refused as what it is."""

from schemas import media_types
from schemas.errors import DocumentError
from schemas.records import Reason
from tasks.parse.office.package import POWERPOINT, WORD, kind_of
from tasks.parse.rejections import RENAME, entry, refusal

NAMES = {
    media_types.PDF: "a PDF",
    media_types.TIFF: "a TIFF",
    media_types.DOCX: "a Word document",
    media_types.PPTX: "a PowerPoint presentation",
    media_types.HTML: "HTML",
    media_types.XHTML: "XHTML",
    media_types.MARKDOWN: "Markdown",
    media_types.RST: "reStructuredText",
    media_types.EML: "a mail",
    media_types.MSG: "an Outlook message",
    media_types.PLAIN_TEXT: "plain text",
}
_BINARY = (media_types.PDF, media_types.TIFF, media_types.DOCX, media_types.PPTX, *media_types.MAILS)
_READ = {b"%PDF-": media_types.PDF, b"II*\0": media_types.TIFF, b"MM\0*": media_types.TIFF}
_OFFICE = {WORD: media_types.DOCX, POWERPOINT: media_types.PPTX}
_ZIP = b"PK\x03\x04"
_REFUSED = {
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!\x1a": "a RAR archive",
    b"SQLite format 3\0": "an SQLite database",
    b"\xd0\xcf\x11\xe0": "an old Office file (.doc, .xls, .ppt, .msg)",
    _ZIP: "a ZIP archive",
}
"""How files begin that no text begins as."""
_MARKUP = {b"<!doctype html": "an HTML page", b"<html": "an HTML page", b"{\\rtf": "rich text (RTF)"}
_LOOKED_AT = 1024


def media_type_by_content(data: bytes, told: str) -> str:
    """Return the media type of a file: that of its first bytes if they belong to a format that Pagemill reads, else `told`.

    Raises:
        DocumentError: the content is certainly of another format than `told`, and of none that Pagemill reads.
    """
    found = next((kind for start, kind in _READ.items() if data.startswith(start)), told)
    if data.startswith(_ZIP):
        found = _OFFICE.get(kind_of(data), told)
    if found == told:
        _refuse_others(data, told)
    return found


def _refuse_others(data: bytes, told: str) -> None:
    start = data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if told not in _BINARY and (what := next((what for magic, what in _REFUSED.items() if data.startswith(magic)), "")):
        raise refusal(DocumentError, f"the content is {what}, not {NAMES[told]}", RENAME)
    if told in _BINARY and (what := next((what for magic, what in _MARKUP.items() if start.startswith(magic)), "")):
        page = "if it is an error or a login in place of the document, download the document again; else give it the suffix .html"
        remedy = page if "HTML" in what else "save it as .docx or PDF, or exclude it"
        raise refusal(DocumentError, f"the content is {what}, not {NAMES[told]}", remedy)


def misnamed(found: str, told: str) -> Reason:
    """Return the entry of `rejects` that says as what a file was read whose suffix names another format."""
    suffix = media_types.FORMATS[found].suffixes[0]
    message = f"the content is {NAMES[found]}, not {NAMES[told]}: it was read as {NAMES[found]}"
    return entry("parse", "SuffixError", message, f"give the file the suffix {suffix}", 1)


def misnamed_error(error: DocumentError, found: str, told: str) -> DocumentError:
    """Return `error` with the format that the file really has."""
    remedy = " ".join(getattr(error, "__notes__", ()))
    return refusal(type(error), f"the content is {NAMES[found]}, not {NAMES[told]}: {error}", remedy)
