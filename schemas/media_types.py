"""Media types by file name. Imports nothing heavy: the planner asks for every file."""

from pathlib import PurePath

PDF, TIFF, PLAIN_TEXT, MARKDOWN = "application/pdf", "image/tiff", "text/plain", "text/markdown"
RST = "text/x-rst"
HTML, XHTML = "text/html", "application/xhtml+xml"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

SUFFIXES = {
    ".pdf": PDF,
    ".tif": TIFF,
    ".tiff": TIFF,
    ".txt": PLAIN_TEXT,
    ".text": PLAIN_TEXT,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".rst": RST,
    ".rest": RST,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": XHTML,
    ".docx": DOCX,
    ".pptx": PPTX,
}
"""What Pagemill reads, by suffix in lower case. Of pictures only TIFF: others lie beside texts, as parts of them."""

NAMES = {
    PDF: "PDF",
    TIFF: "TIFF",
    DOCX: "Word (.docx)",
    PPTX: "PowerPoint (.pptx)",
    HTML: "HTML",
    XHTML: "XHTML",
    MARKDOWN: "Markdown",
    RST: "reStructuredText (.rst)",
    PLAIN_TEXT: "plain text",
}
"""What people call the kinds."""


def media_type_of(path: str | PurePath) -> str | None:
    """Return the media type that the name's suffix tells, or None if Pagemill reads no such files.

    >>> media_type_of("a/REPORT.PDF"), media_type_of("a.xls")
    ('application/pdf', None)
    """
    return SUFFIXES.get(PurePath(path).suffix.lower())
