"""Plain text: decoded as it is, cut into paragraphs at blank lines. Offsets are code points of the decoded text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES, Element, ParsedDocument, Properties
from tasks.parse.charsets import Decoded, binary_kind, guessed, marked, unmarked_utf16
from tasks.parse.elements.from_regions import element
from tasks.parse.invalid_bytes import repair, western
from tasks.parse.rejections import RENAME, blank, refusal

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def decode(data: bytes) -> Decoded:
    """Return UTF-8, or UTF-16 or UTF-32 with a byte order mark, as text; without the mark and with line ends unchanged.

    UTF-16 without the mark, and bytes that look like Western European prose in windows-1252, are read with an entry for
    `rejects`. Where most of what is outside ASCII is valid UTF-8, only the other bytes are read otherwise, and counted.

    Raises:
        DocumentError: the bytes are something else. The message names the first invalid byte.
        EmptyDocument: there is only white space.
    """
    found = _decoded(data)
    if "\0" in found.text:
        message = f"the text holds a NUL character at offset {found.text.index(chr(0))}, as binary files do and texts do not"
        raise refusal(DocumentError, message, "if it is a text, remove its NUL characters and save it as UTF-8; else exclude it")
    if not found.text.strip():
        raise blank(data)
    return found


def _decoded(data: bytes) -> Decoded:
    body, charset = marked(data) or (data, "utf-8")
    try:
        text = body.decode(charset)
        return Decoded(text, charset) if "\0" not in text else unmarked_utf16(data) or Decoded(text, charset)
    except UnicodeDecodeError as error:
        if kind := binary_kind(data):
            raise refusal(DocumentError, f"the content is {kind}, not text", RENAME) from error
        what = f"the text is not {charset.upper()}: byte {error.start} is not valid"
        if found := _otherwise(data, what) if body is data else None:
            return found
        raise refusal(DocumentError, what, "convert it to UTF-8, or exclude it") from error


def _otherwise(data: bytes, what: str) -> Decoded | None:
    """Return bytes that are not valid UTF-8 as what they may be; `what` says what is wrong with them."""
    if wide := unmarked_utf16(data):
        return wide
    repaired = repair(data)
    if repaired.is_utf8:
        return Decoded(repaired.text, "utf-8", (repaired.note("text"),))
    prose = western(data)
    return None if prose is None else Decoded(prose, "windows-1252", (guessed(what),))


def line_starts(text: str) -> list[int]:
    r"""Return where each line begins, and the text's length at the end. A line ends with \n, \r\n or \r.

    >>> line_starts("a\r\nb\n")
    [0, 3, 5]
    """
    starts = [match.start() for match in _LINE.finditer(text) if match.group()]
    return [*starts, len(text)]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space at its ends; empty, at `start`, if there is only white space."""
    inner = text[start:end]
    left = start + len(inner) - len(inner.lstrip())
    return (left, start + len(inner.rstrip())) if inner.strip() else (start, start)


def paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between blank lines of text[start:end], without white space around them."""
    first = None
    starts = [start + offset for offset in line_starts(text[start:end])]
    for begin, after in pairwise(starts):
        if text[begin:after].strip():
            first = begin if first is None else first
        elif first is not None:
            yield trimmed(text, first, begin)
            first = None
    if first is not None:
        yield trimmed(text, first, end)


def placed(text: str, kind: str, span: tuple[int, int], level: int | None = None) -> Element:
    """Return the element at `span` of `text`."""
    start, end = span
    return element(1, kind, text[start:end], start_char=start, end_char=end, level=level)


def text_row(text: str, elements: list[Element], properties: Properties) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED` for a document whose text is the decoded file: one page without size."""
    return {
        "text": text,
        "properties": properties,
        "pages": [{"page_number": 1, "width": 0.0, "height": 0.0, "ocr": False}],
        "elements": elements,
        "figures": [],
        "rejects": [],
    }


def parse_text(data: bytes) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED` for a plain text. Raises as `decode` does."""
    text, _, notes = decode(data)
    elements = [placed(text, "paragraph", span) for span in paragraphs(text, 0, len(text))]
    return {**text_row(text, elements, NO_PROPERTIES), "rejects": list(notes)}
