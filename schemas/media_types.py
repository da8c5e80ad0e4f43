"""Media types by file name. Imports nothing heavy, because the planner asks for every file."""

import posixpath
from pathlib import PurePath
from typing import NamedTuple

PDF, TIFF, PLAIN_TEXT, MARKDOWN = "application/pdf", "image/tiff", "text/plain", "text/markdown"
RST = "text/x-rst"
HTML, XHTML = "text/html", "application/xhtml+xml"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


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
    HTML: Format("HTML", (".html", ".htm"), light=True),
    XHTML: Format("XHTML", (".xhtml",), light=True),
    MARKDOWN: Format("Markdown", (".md", ".markdown"), light=True),
    RST: Format("reStructuredText (.rst)", (".rst", ".rest"), light=True),
    PLAIN_TEXT: Format("plain text", (".txt", ".text"), light=True),
}
"""The formats that Pagemill reads, by media type. TIFF is the only picture format: other pictures belong to texts."""

SUFFIXES = {suffix: media_type for media_type, known in FORMATS.items() for suffix in known.suffixes}


def media_type_of(path: str | PurePath) -> str | None:
    """Return the media type for the suffix of a file name, or None if Pagemill cannot read such files.

    >>> media_type_of("a/REPORT.PDF"), media_type_of("a.xls")
    ('application/pdf', None)
    """
    return SUFFIXES.get(posixpath.splitext(path)[1].lower())
