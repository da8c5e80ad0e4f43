"""Media types by file name. Imports nothing heavy, because the planner asks for every file."""

import posixpath
from pathlib import PurePath
from typing import NamedTuple

PDF, TIFF, PLAIN_TEXT, MARKDOWN = "application/pdf", "image/tiff", "text/plain", "text/markdown"
RST = "text/x-rst"
EML, MSG = "message/rfc822", "application/vnd.ms-outlook"
HTML, XHTML = "text/html", "application/xhtml+xml"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS, ODS = "application/vnd.ms-excel", "application/vnd.oasis.opendocument.spreadsheet"
CSV, TSV = "text/csv", "text/tab-separated-values"


class Format(NamedTuple):
    """A format: its name for people, its suffixes in lower case, and whether its files are parsed very quickly."""

    name: str
    suffixes: tuple[str, ...]
    light: bool = False


FORMATS = {
    PDF: Format("PDF", (".pdf",)),
    TIFF: Format("TIFF", (".tif", ".tiff")),
    DOCX: Format("Word (.docx)", (".docx",)),
    PPTX: Format("PowerPoint (.pptx)", (".pptx",)),
    XLSX: Format("Excel (.xlsx, .xlsm)", (".xlsx", ".xlsm", ".xltx", ".xltm")),
    XLS: Format("Excel (.xls)", (".xls", ".xlt")),
    ODS: Format("Open Document workbook (.ods)", (".ods", ".ots")),
    CSV: Format("CSV", (".csv",)),
    TSV: Format("TSV", (".tsv", ".tab")),
    HTML: Format("HTML", (".html", ".htm"), light=True),
    XHTML: Format("XHTML", (".xhtml",), light=True),
    MARKDOWN: Format("Markdown", (".md", ".markdown"), light=True),
    RST: Format("reStructuredText (.rst)", (".rst", ".rest"), light=True),
    EML: Format("mail (.eml)", (".eml",), light=True),
    MSG: Format("Outlook message (.msg)", (".msg",), light=True),
    PLAIN_TEXT: Format("plain text", (".txt", ".text"), light=True),
}
"""The formats that Pagemill reads, by media type. TIFF is the only picture format: other pictures belong to texts."""

ZIP, TAR, TAR_GZ = "application/zip", "application/x-tar", "application/gzip"

MBOX = "application/mbox"

CONTAINERS = {ZIP: (".zip",), TAR: (".tar",), TAR_GZ: (".tar.gz", ".tgz"), MBOX: (".mbox",)}
"""Files that are no documents but hold some, by media type with their suffixes in lower case."""

SUFFIXES = {suffix: media_type for media_type, known in FORMATS.items() for suffix in known.suffixes}

MAILS = (EML, MSG)
"""Documents that may hold others."""


def media_type_of(path: str | PurePath) -> str | None:
    """Return the media type for the suffix of a file name, or None if Pagemill cannot read such files.

    >>> media_type_of("a/REPORT.PDF"), media_type_of("a.exe")
    ('application/pdf', None)
    """
    return SUFFIXES.get(posixpath.splitext(path)[1].lower())


def container_type_of(path: str) -> str | None:
    """Return the media type of a file that holds documents, for the suffix of its name, or None if it holds none.

    >>> container_type_of("a/LETTERS.TAR.GZ"), container_type_of("a.gz")
    ('application/gzip', None)
    """
    name = path.lower()
    return next((kind for kind, suffixes in CONTAINERS.items() if name.endswith(suffixes)), None)


def holds_documents(path: str) -> bool:
    """Return whether a file holds documents by its name: it is a container, or a document that has some."""
    return container_type_of(path) is not None or media_type_of(path) in MAILS


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is no document by its name: hidden, or the mark of Office that a document is open.

    >>> is_hidden(".git"), is_hidden("~$report.docx"), is_hidden("~notes.txt")
    (True, True, False)
    """
    return name.startswith((".", "~$"))
