"""Web archives: a page that Safari saved with its pictures and style sheets in one file, a property list of resources."""

import plistlib
from typing import Any
from xml.parsers.expat import ExpatError

from schemas.errors import DocumentError
from schemas.media_types import HTML, PAGES
from tasks.parse.books.mhtml import SAVE_AGAIN, parse_saved_page
from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.rejections import blank, refusal


def parse_webarchive(data: bytes) -> FlowDocument:
    """Return the content of a saved page. Pages in its frames are left out, as in other pages.

    Raises:
        DocumentError: it is no property list, or there is no page in it.
    """
    if not data.strip():
        raise blank(data)
    try:
        found = plistlib.loads(data)
    except (ValueError, ExpatError, RecursionError) as error:
        raise refusal(DocumentError, "the file is no web archive, or is damaged or truncated", SAVE_AGAIN) from error
    page = _get(found, "WebMainResource", dict)
    content = _get(page, "WebResourceData", bytes)
    if content is None or (_get(page, "WebResourceMIMEType", str) or HTML) not in PAGES:
        raise refusal(DocumentError, "the file holds no page", SAVE_AGAIN)
    beside = _get(found, "WebSubresources", list) or []
    parts = {_get(part, "WebResourceURL", str) or "": _get(part, "WebResourceData", bytes) or b"" for part in beside}
    return parse_saved_page(
        content, _get(page, "WebResourceTextEncodingName", str), _get(page, "WebResourceURL", str) or "", parts
    )


def _get(found: object, name: str, kind: type) -> Any:
    """Return a value of a dictionary if it is one and has it of that kind."""
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, kind) else None
