"""MHTML: a page that a browser saved with its pictures in one file."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from urllib.parse import urljoin

from schemas.errors import DocumentError
from tasks.parse.books.inlined import with_pictures
from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.document import parse_html


def parse_mhtml(data: bytes) -> FlowDocument:
    """Return the content of a saved page.

    Raises:
        DocumentError: there is no page in it.
    """
    if not data.strip():
        raise blank(data)
    message = message_from_bytes(data, _class=EmailMessage, policy=default)
    parts: dict[str, bytes] = {}
    page, base = None, ""
    for part in message.walk():
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            continue
        location = str(part.get("Content-Location", "")).strip()
        if page is None and part.get_content_type() in ("text/html", "application/xhtml+xml"):
            page, base = _with_charset(content, part.get_content_charset()), location
        elif part.get_content_maintype() == "image":
            parts[location] = content
            parts["cid:" + str(part.get("Content-ID", "")).strip("<> ")] = content
    if page is None:
        raise refusal(DocumentError, "the file holds no page", "save the page again, as one file or as HTML")
    return parse_html(with_pictures(page, lambda address: parts.get(address) or parts.get(urljoin(base, address))), xhtml=False)


def _with_charset(page: bytes, charset: str | None) -> bytes:
    """Return a page that begins with the charset that the message states, since its own may be another."""
    return f"<meta charset={charset}>".encode() + page if charset and charset.isascii() and '"' not in charset else page
