"""MHTML: a page that a browser saved with its pictures and style sheets in one file."""

from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from urllib.parse import urljoin

from schemas.errors import DocumentError
from schemas.media_types import PAGES
from tasks.parse.books.inlined import with_pictures
from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.document import parse_html

SAVE_AGAIN = "save the page again, as one file or as HTML"


def parse_mhtml(data: bytes) -> FlowDocument:
    """Return the content of a saved page.

    Raises:
        DocumentError: there is no page in it.
    """
    if not data.strip():
        raise blank(data)
    message = message_from_bytes(data, _class=EmailMessage, policy=default)
    parts: dict[str, bytes] = {}
    page, base, charset = None, "", None
    for part in message.walk():
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            continue
        location = str(part.get("Content-Location", "")).strip()
        if page is None and part.get_content_type() in PAGES:
            page, base, charset = content, location, part.get_content_charset()
        elif part.get_content_maintype() == "image" or part.get_content_type() == "text/css":
            parts[location] = content
            parts["cid:" + str(part.get("Content-ID", "")).strip("<> ")] = content
    if page is None:
        raise refusal(DocumentError, "the file holds no page", SAVE_AGAIN)
    return parse_saved_page(page, charset, base, parts)


def parse_saved_page(page: bytes, charset: str | None, base: str, parts: Mapping[str, bytes]) -> FlowDocument:
    """Return the content of a page from the address `base`, with pictures and style sheets by their addresses.

    A `charset` that was stated when the page was saved goes before its own, which may be another.
    """
    if charset and charset.isascii() and '"' not in charset:
        page = f"<meta charset={charset}>".encode() + page

    def find(address: str) -> bytes | None:
        try:
            return parts.get(address) or parts.get(urljoin(base, address))
        except ValueError:  # no address at all, such as http://[
            return None

    return parse_html(with_pictures(page, find), False, find)
