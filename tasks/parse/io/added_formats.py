"""Added formats: what an installed package reads. It makes HTML or Markdown, which is then read as files of these formats are.

It is loaded in a worker process, and has the rights and limits that others have there.
"""

from collections.abc import Callable

from schemas.errors import DocumentError, ServiceError
from schemas.media_types import find_added_formats
from schemas.options.sections import ParseOptions
from schemas.records import ParsedDocument
from schemas.references import Content
from tasks.parse.elements.flow_document import document_row
from tasks.parse.rejections import refusal

Tick = Callable[[int], None]


class Html(str):
    """What a reader returns that makes HTML."""


class Markdown(str):
    """What a reader returns that makes Markdown."""


def parse_added_format(data: bytes, content: Content, options: ParseOptions, tick: Tick) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED` for a document of an added format.

    Raises:
        DocumentError: the package cannot read it, or nothing is in it.
        ServiceError: the package, or the version that it was planned with, is not installed here.
    """
    markup = _read_markup(data, content)
    if isinstance(markup, Html):
        from tasks.parse.web.document import parse_html

        return document_row(parse_html(_encode(markup), xhtml=False), options.figure_dpi, tick)
    from tasks.parse.text.markdown import parse_markdown

    row = parse_markdown(_encode(markup))
    tick(1)
    return row


def _read_markup(data: bytes, content: Content) -> Html | Markdown:
    added = find_added_formats().get(content.media_type)
    planned = content.compound.reader if content.compound else ""
    if added is None or added.package != planned:
        here = added.package if added else "no package that reads it"
        raise ServiceError(f"the plan was made with {planned}, and here is {here}: install the same on every machine")
    try:
        markup = added.entry_point.load()(data)
    except (DocumentError, MemoryError):
        raise
    except Exception as error:
        message = f"{added.package} failed: {type(error).__name__}: {error}"
        raise refusal(DocumentError, message, "tell those who make that package, or exclude the file") from error
    if not isinstance(markup, Html | Markdown):
        message = f"{added.package} made {type(markup).__name__} of it, not Html or Markdown of pagemill.readers"
        raise refusal(DocumentError, message, "tell those who make that package, or exclude the file")
    return markup


def _encode(markup: str) -> bytes:
    """Return a text as bytes that tell their charset."""
    return b"\xef\xbb\xbf" + markup.encode("utf-8", "replace")
