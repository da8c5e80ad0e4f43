"""Media types by file name. Imports nothing heavy: the planner asks for every file."""

from pathlib import PurePath

PDF, PLAIN_TEXT, MARKDOWN = "application/pdf", "text/plain", "text/markdown"

SUFFIXES = {".pdf": PDF, ".txt": PLAIN_TEXT, ".text": PLAIN_TEXT, ".md": MARKDOWN, ".markdown": MARKDOWN}
"""What Pagemill reads, by suffix in lower case."""


def media_type_of(path: str | PurePath) -> str | None:
    """Return the media type that the name's suffix tells, or None if Pagemill reads no such files.

    >>> media_type_of("a/REPORT.PDF"), media_type_of("a.docx")
    ('application/pdf', None)
    """
    return SUFFIXES.get(PurePath(path).suffix.lower())
