"""Messages: what a mail says of itself, its bodies, the pictures in them, and its attachments, from the tree of its parts."""

import re
from base64 import b64decode
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes, policy
from email.errors import HeaderParseError, InvalidBase64CharactersDefect
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

from schemas.errors import DocumentError
from schemas.media_types import FORMATS
from tasks.parse.charsets import codec_of, is_one_byte
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import refusal

HEADER_ERRORS = (IndexError, KeyError, ValueError, AttributeError, TypeError, LookupError, RecursionError, HeaderParseError)
"""What the standard library raises on some headers that follow no standard."""
MOST_DEEP = 50
"""Parts that lie in each other at most; what lies deeper is left out."""
SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
UTF_7 = ("utf-7", "unicode-1-1-utf-7")
"""A charset that only mails may have: what pages call so is something else."""
ONLY_OUTLOOK = "attachments packed as only Outlook does: have the mail sent as HTML or plain text"
_ENCODED = "=?"
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_SIGNED = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:\w+:[^\n]*\n)*\r?\n((?:(?!-----BEGIN)[^\n]*\n)*)"
    r"-----BEGIN PGP SIGNATURE-----(?:\r?\n[\w+/=: .()-]*)*?\r?\n-----END PGP SIGNATURE-----"
)
"""A text that is signed in its lines, and its signature."""
_FULL_LINE = 60
"""Characters of a line that Base64 fills."""

Found = TypeVar("Found")


class Body(NamedTuple):
    """A text of a mail: HTML, plain text or a calendar entry.

    In `flowed` text, a space at the end joins a line to the next; with `delsp` it stands for nothing else.
    """

    media_type: str
    text: str
    flowed: bool = False
    delsp: bool = False


class Attachment(NamedTuple):
    """A file in a mail: its name and how to get its bytes; `left_out` says why it is no document, if that is not its kind.

    `content_id` is the name that the mail's text may show it by.
    """

    name: str
    read: Callable[[], bytes]
    left_out: str = ""
    content_id: str = ""


class Mail(NamedTuple):
    """A mail. `headers` are those that it has of NAMED, in that order; `pictures` are type and bytes by content id."""

    headers: dict[str, str]
    date: datetime | None
    message_id: str
    bodies: list[Body]
    pictures: dict[str, tuple[str, bytes]]
    attachments: list[Attachment]
    sealed: bool


NAMED = ("From", "To", "Cc", "Date", "Subject")


def read_mail(data: bytes) -> Mail:
    """Return the mail in the bytes of a file. Any bytes are a mail to the standard library: one without headers has none.

    Raises:
        DocumentError: hundreds of its parts lie in each other.
    """
    try:
        message = message_from_bytes(data, policy=policy.default)
    except RecursionError as error:
        raise refusal(DocumentError, "the parts of the mail lie too deep in each other", "exclude it") from error
    return collect_mail(message)


def collect_mail(message: Message) -> Mail:
    """Return what a message holds."""
    headers = {name: value for name in NAMED if (value := read_header(message, name))}
    collector = _Collector()
    collector.add(message, 0)
    shown = " ".join(body.text for body in collector.bodies if body.media_type == "text/html")
    attachments = list(collector.attachments)
    pictures = {}
    for cid, (kind, part, attachment) in collector.pictures.items():
        if f"cid:{cid}" in shown:
            pictures[cid] = (kind, read_payload(part))
        else:
            attachments.append(attachment)
    date = guard_header(lambda: parsedate_to_datetime(headers["Date"]), None)
    message_id = read_header(message, "Message-ID").strip("<> ")
    return Mail(headers, date, message_id, collector.bodies, pictures, attachments, collector.sealed)


def read_header(message: Message, name: str) -> str:
    """Return a header as text on one line; blank if there is none. What is not decodable stays as it is written."""

    def raw() -> str:
        return next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")

    found = guard_header(lambda: str(message[name] or ""), None)
    return decode_words(" ".join(clean(raw() if found is None else found).split()))


def decode_words(text: str) -> str:
    """Return a text with its encoded words decoded, also where they should not stand, as in quoted names of files.

    >>> decode_words("=?utf-8?q?Gr=C3=BC=C3=9Fe=2Epdf?="), decode_words("a=?b")
    ('Grüße.pdf', 'a=?b')
    """
    return guard_header(lambda: str(make_header(decode_header(text))), text) if _ENCODED in text else text


def guard_header(read: Callable[[], Found], otherwise: Found) -> Found:
    """Return what `read` returns, or `otherwise` if a header follows no standard."""
    try:
        return read()
    except HEADER_ERRORS:
        return otherwise


def read_payload(part: Message) -> bytes:
    """Return the decoded bytes of a part without parts of its own; in a text, what a mailing list added below its Base64 too."""
    payload = guard_header(lambda: part.get_payload(decode=True), None)
    is_damaged = any(isinstance(defect, InvalidBase64CharactersDefect) for defect in part.defects)
    if is_damaged and guard_header(part.get_content_maintype, "") == "text":
        encoded, added = split_base64(str(part.get_payload()))
        if added:
            return read_base64(encoded) + b"\n\n" + added.encode("utf-8", "surrogateescape")
    return payload if isinstance(payload, bytes) else str(part.get_payload()).encode("utf-8", "surrogateescape")


def split_base64(text: str) -> tuple[str, str]:
    r"""Return the Base64 at the beginning of a text and the text below it, blank if there is more Base64 below.

    >>> split_base64("R3LD\nvMOf\n-- \nA list")
    ('R3LDvMOf', '-- \nA list')
    """
    lines = text.splitlines()
    n = next((n for n, line in enumerate(lines) if not _BASE64.fullmatch(line)), len(lines))
    is_torn = any(len(line) >= _FULL_LINE and _BASE64.fullmatch(line) for line in lines[n:])
    return "".join("".join(lines[:n]).split()), "" if is_torn else "\n".join(lines[n:]).strip()


def read_base64(encoded: str) -> bytes:
    r"""Return what Base64 stands for, also without the signs at its end that make its length a multiple of four.

    >>> read_base64("R3LDvA"), read_base64("R3LDvMOfe")
    (b'Gr\xc3\xbc', b'Gr\xc3\xbc\xc3\x9f')
    """
    encoded = encoded.rstrip("=")
    encoded = encoded[: len(encoded) - (len(encoded) % 4 == 1)]
    return b64decode(encoded + "=" * (-len(encoded) % 4))


def decode_body(data: bytes, charset: str | None) -> str:
    """Return a text by the charset that its part declares, or UTF-8, or windows-1252, the first that fits.

    UTF-8 comes first where the other charset fits any bytes.
    """
    declared = codec_of(charset.encode("ascii", "replace")) if charset else None
    declared = "utf-7" if charset in UTF_7 and b"+" in data else declared
    for codec in ("utf-8", declared) if declared and is_one_byte(declared) else (declared, "utf-8"):
        if codec:
            try:
                return data.decode(codec)
            except (UnicodeError, LookupError):
                continue
    return data.decode("cp1252", "replace")


def _without_signature(found: re.Match[str]) -> str:
    """Return a signed text as its author wrote it: lines that begin with a dash have another before it."""
    return re.sub(r"^- ", "", found[1], flags=re.MULTILINE)


class _Collector:
    """Walks through the parts of a message."""

    def __init__(self) -> None:
        self.bodies: list[Body] = []
        self.pictures: dict[str, tuple[str, Message, Attachment]] = {}
        self.attachments: list[Attachment] = []
        self.sealed = False

    def add(self, part: Message, depth: int) -> None:
        """Add a part, and the parts in it."""
        kind = guard_header(part.get_content_type, "text/plain")
        inner = part.get_payload() if part.is_multipart() else None
        parts = [one for one in inner if isinstance(one, Message)] if isinstance(inner, list) else []
        if depth > MOST_DEEP:
            self.attachments.append(Attachment("parts", bytes, f"its parts lie more than {MOST_DEEP} deep in each other"))
        elif kind == "multipart/encrypted" or kind in SEALED:
            self.sealed = True
        elif kind == "multipart/alternative":
            self._add_best(parts, depth)
        elif kind.startswith("multipart/"):
            for one in parts:
                self.add(one, depth + 1)
        elif kind not in SIGNATURES:
            self._add_leaf(part, kind, parts)

    def _add_best(self, parts: list[Message], depth: int) -> None:
        """Add the richest of texts that say the same, which comes last, but the calendar entry beside it too."""
        kinds = [guard_header(one.get_content_type, "") for one in parts]
        readable = [at for at, kind in enumerate(kinds) if kind in ("text/html", "text/plain") or kind.startswith("multipart/")]
        best = (readable or [len(parts) - 1])[-1]
        for at, (one, kind) in enumerate(zip(parts, kinds, strict=True)):
            if at == best or kind == "text/calendar" or not kind.startswith(("text/", "multipart/")):
                self.add(one, depth + 1)

    def _add_leaf(self, part: Message, kind: str, parts: list[Message]) -> None:
        name = decode_words(guard_header(part.get_filename, None) or "").strip()
        apart = guard_header(part.get_content_disposition, None) == "attachment" or bool(name)
        if kind == "text/calendar" or (kind in ("text/html", "text/plain") and not apart):
            charset = guard_header(part.get_content_charset, None)
            text = _SIGNED.sub(_without_signature, decode_body(read_payload(part), charset))
            kind = "text/html" if part["Content-Type"] is None and _PAGE.match(text) else kind
            flowed = guard_header(lambda: str(part.get_param("format")), "").lower() == "flowed"
            delsp = guard_header(lambda: str(part.get_param("delsp")), "").lower() == "yes"
            self.bodies.append(Body(kind, text, flowed, delsp))
            return
        attachment = Attachment(name or self._name(kind), lambda: read_payload(part))
        if kind == "message/rfc822" and parts:
            attachment = _make_message_attachment(name, parts[0])
        elif kind in TNEF:
            attachment = attachment._replace(left_out=ONLY_OUTLOOK)
        cid = guard_header(lambda: str(part["Content-ID"] or ""), "").strip("<> ")
        if cid and kind.startswith("image/"):
            self.pictures.setdefault(cid, (kind, part, attachment))
        else:
            self.attachments.append(attachment)

    def _name(self, kind: str) -> str:
        """Return a name for a part without one."""
        known = FORMATS.get(kind)
        return f"part-{len(self.attachments) + 1}{known.suffixes[0] if known else '.' + kind.rpartition('/')[2]}"


def _make_message_attachment(name: str, message: Message) -> Attachment:
    named = name or read_header(message, "Subject").replace("/", "_") or "message"
    return Attachment(named if named.lower().endswith(".eml") else f"{named}.eml", lambda: serialise(message))


def serialise(message: Message) -> bytes:
    """Return the bytes of a message that lies in another, with its headers as they were written."""
    return message.as_bytes(policy=policy.default.clone(refold_source="none"))
