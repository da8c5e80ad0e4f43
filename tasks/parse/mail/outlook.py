"""Outlook's messages (.msg): a compound file of properties, read into the same shape as any other mail (MS-OXMSG)."""

import io
import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from typing import Any

from schemas.errors import DocumentError
from tasks.parse.mail.message import Attachment, Body, Mail, decode_body, read_mail
from tasks.parse.rejections import RENAME, refusal

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
DAMAGED = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)
"""What reading a damaged compound file raises."""
SUBJECT, SENDER, SENDER_ADDRESS, SENDER_SMTP, TO, CC, HEADERS, MESSAGE_ID = (
    0x0037, 0x0C1A, 0x0C1F, 0x5D01, 0x0E04, 0x0E03, 0x007D, 0x1035,
)  # fmt: skip
TEXT, HTML, RICH = 0x1000, 0x1013, 0x1009
SENT, DELIVERED, CODEPAGE = 0x0039, 0x0E06, 0x3FDE
LONG_NAME, SHORT_NAME, SHOWN_NAME, DATA, CONTENT_TYPE, CONTENT_ID = 0x3707, 0x3704, 0x3001, 0x3701, 0x370E, 0x3712
UNICODE, STRING, BINARY, EMBEDDED = "001F", "001E", "0102", "000D"
_ATTACHMENT = "__attach_version1.0_"
_FIXED = "__properties_version1.0"
BOUNDARY = "=_pagemill_4f1c0a7e_part_of_a_message"
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_UTF8_PAGE = 65001
_ONLY_RICH = "the text of the mail is only in Outlook's rich text: save the mail as HTML or plain text"


def read_any_mail(data: bytes) -> Mail:
    """Return the mail in the bytes of a file: Outlook's compound file, or a message as mail servers pass it on.

    Raises:
        DocumentError: it is a compound file, but no message, or a damaged one.
    """
    if not data.startswith(OLE):
        return read_mail(data)
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data), raise_defects=olefile.DEFECT_INCORRECT) as file:
            if not file.exists(_FIXED):
                raise refusal(DocumentError, "the content is an old Office file, not a mail", RENAME)
            return _Storage(file, [], 32).read_mail()
    except DAMAGED as error:
        message = f"the Outlook message is damaged or truncated ({type(error).__name__}: {error})"
        raise refusal(DocumentError, message[:300], "save it again from Outlook, or exclude it") from error


class _Storage:
    """A message or an attachment in a compound file: the streams below `path`. The fixed properties begin after `head` bytes."""

    def __init__(self, file: Any, path: Sequence[str], head: int) -> None:
        self._file, self._path = file, list(path)
        fixed = self._read_stream(_FIXED)[head:]
        entries = [struct.unpack_from("<HHIQ", fixed, at) for at in range(0, len(fixed) - 15, 16)]
        self._fixed = {number: value for _, number, _, value in entries}

    def _read_stream(self, name: str) -> bytes:
        path = [*self._path, name]
        return bytes(self._file.openstream(path).read()) if self._file.exists(path) else b""

    def read_bytes(self, number: int) -> bytes:
        """Return a binary property."""
        return self._read_stream(f"__substg1.0_{number:04X}{BINARY}")

    def read_text(self, number: int) -> str:
        """Return a text property; blank if there is none."""
        name = f"__substg1.0_{number:04X}"
        if wide := self._read_stream(name + UNICODE):
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        return decode_body(self._read_stream(name + STRING), self._charset).rstrip("\0")

    @property
    def _charset(self) -> str | None:
        page = self._fixed.get(CODEPAGE, 0) & 0xFFFF
        return "utf-8" if page == _UTF8_PAGE else f"windows-{page}" if page else None

    def read_mail(self) -> Mail:
        """Return the message in this storage."""
        sent = read_mail(self.read_text(HEADERS).encode("utf-8", "replace"))
        ticks = self._fixed.get(SENT) or self._fixed.get(DELIVERED)
        date = sent.date or (_EPOCH + timedelta(microseconds=ticks // 10) if ticks else None)
        address = self.read_text(SENDER_SMTP) or self.read_text(SENDER_ADDRESS)
        own = {
            "From": formataddr((self.read_text(SENDER), address if "@" in address else ""), "utf-8") or self.read_text(SENDER),
            "To": self.read_text(TO),
            "Cc": self.read_text(CC),
            "Date": format_datetime(date) if date else "",
            "Subject": self.read_text(SUBJECT),
        }
        headers = {name: sent.headers.get(name) or value for name, value in own.items()}
        attachments = [attachment for at in self._list_attachments() for attachment in self._read_attachment(at)]
        bodies = self._read_bodies()
        if not bodies and self.read_bytes(RICH):
            attachments.insert(0, Attachment("body.rtf", bytes, _ONLY_RICH))
        shown = " ".join(body.text for body in bodies)
        pictures = {}
        for at in self._list_attachments():
            part = _Storage(self._file, [*self._path, at], 8)
            cid = part.read_text(CONTENT_ID)
            if cid and f"cid:{cid}" in shown:
                pictures[cid] = (part.read_text(CONTENT_TYPE) or "image/png", part.read_bytes(DATA))
        kept = [one for one in attachments if one.content_id not in pictures]
        message_id = (sent.message_id or self.read_text(MESSAGE_ID)).strip("<> ")
        return Mail({name: value for name, value in headers.items() if value}, date, message_id, bodies, pictures, kept, False)

    def _read_bodies(self) -> list[Body]:
        if source := self.read_text(HTML) or decode_body(self.read_bytes(HTML), self._charset):
            return [Body("text/html", source)]
        return [Body("text/plain", text)] if (text := self.read_text(TEXT)).strip() else []

    def _list_attachments(self) -> list[str]:
        depth = len(self._path)
        listed = self._file.listdir(streams=False, storages=True)
        inner = {path[depth] for path in listed if len(path) > depth and path[:depth] == self._path}
        return sorted(name for name in inner if name.startswith(_ATTACHMENT))

    def _read_attachment(self, at: str) -> list[Attachment]:
        path = [*self._path, at]
        part = _Storage(self._file, path, 8)
        name = part.read_text(LONG_NAME) or part.read_text(SHORT_NAME) or part.read_text(SHOWN_NAME) or at
        embedded = [*path, f"__substg1.0_{DATA:04X}{EMBEDDED}"]
        if self._file.exists(embedded):
            inner = _Storage(self._file, embedded, 24).read_mail()
            named = (inner.headers.get("Subject") or name).replace("/", "_")
            data = write_mail(inner)
            return [Attachment(f"{named}.eml", lambda: data)]
        data = part.read_bytes(DATA)
        return [Attachment(name, lambda: data, content_id=part.read_text(CONTENT_ID))]


def write_mail(mail: Mail) -> bytes:
    """Return a mail in the form that mail servers pass on: a message that lies in Outlook's has no bytes of its own."""
    made = EmailMessage()
    for name, value in mail.headers.items():
        made[name] = " ".join(value.split())
    if mail.message_id:
        made["Message-ID"] = f"<{mail.message_id}>"
    for body in mail.bodies[:1]:
        made.set_content(body.text, subtype=body.media_type.partition("/")[2])
    for attachment in mail.attachments:
        made.add_attachment(attachment.read(), maintype="application", subtype="octet-stream", filename=attachment.name)
    if made.is_multipart():
        made.set_boundary(BOUNDARY)  # else it is random, and with it the digest of the mail
    return made.as_bytes()
