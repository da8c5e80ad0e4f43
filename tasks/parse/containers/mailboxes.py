"""Mailboxes and mails: the messages of an mbox file, and the attachments of a mail, as entries of containers."""

import hashlib
import io
import mmap
import re
from collections.abc import Collection, Iterator
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import partial
from typing import BinaryIO

from schemas.errors import DocumentError
from tasks.parse.containers.archives import Entry
from tasks.parse.mail.message import HEADER_ERRORS, Attachment
from tasks.parse.mail.outlook import read_any_mail
from tasks.parse.rejections import refusal

_BEGIN = re.compile(
    rb"(?:\A|\n\r?\n)From [^\n]*\d\d:\d\d[^\n]*\n"
    rb"|\nFrom \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d [^\n]*\n"
)
"""The line before a message: it tells a time, and follows a blank line, or tells day and time in full. In a text none should."""
_LAST_BLANK = re.compile(rb"\n\r?\n\Z")
"""The blank line after the last message: it is no part of it, so that the message stays as it is when another follows."""
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER_BYTES = 2**16


def list_mbox_entries(file: BinaryIO, only: Collection[str] | None = None) -> Iterator[Entry]:
    """Yield the messages of an mbox file, or only those with some locators: where their bytes begin and end.

    A message is named by its id, so that the names of the others stay when one is deleted; without an id, by its digest.

    Raises:
        DocumentError: the file is no mailbox.
    """
    whole = _map(file)
    spans = [tuple(map(int, locator.split("-"))) for locator in only] if only is not None else list(_find_messages(whole))
    if only is None and len(whole) and not spans:
        remedy = "give it the suffix of its format, or exclude it"
        raise refusal(DocumentError, "the file is not a mailbox (mbox): it does not begin with a From line", remedy)
    for start, end in spans:
        yield Entry(_name_message(whole[start:end]), f"{start}-{end}", partial(_open_message, whole, start, end))


def _map(file: BinaryIO) -> bytes | mmap.mmap:
    """Return the bytes of a file: those on a disk are mapped, because a mailbox can be larger than memory."""
    if isinstance(file, io.BytesIO):
        return file.getvalue()
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.seek(0, io.SEEK_END) else b""


def _find_messages(whole: bytes | mmap.mmap) -> Iterator[tuple[int, int]]:
    begins = list(_BEGIN.finditer(whole))
    last = _LAST_BLANK.search(whole, max(0, len(whole) - 3))
    ends = [*(found.start() + 1 for found in begins[1:]), last.start() + 1 if last else len(whole)][: len(begins)]
    yield from zip((found.end() for found in begins), ends, strict=True)


def _name_message(message: bytes) -> str:
    try:
        headers = BytesHeaderParser(policy=compat32).parsebytes(message[:_HEADER_BYTES])
        name = str(headers["Message-ID"] or "").strip().strip("<>").replace("/", "_")
    except HEADER_ERRORS:
        name = ""
    return f"{name or hashlib.sha256(message).hexdigest()[:32]}.eml"


def _open_message(whole: bytes | mmap.mmap, start: int, end: int) -> BinaryIO:
    return io.BytesIO(_QUOTED_FROM.sub(rb"\1", whole[start:end]))


def list_mail_entries(file: BinaryIO) -> Iterator[Entry]:
    """Yield the attachments of a mail.

    Raises:
        DocumentError: it is an Outlook message that cannot be read.
    """
    for at, attachment in enumerate(read_any_mail(file.read()).attachments):
        name = attachment.name.replace("\\", "/").rpartition("/")[2]
        yield Entry(name, str(at), partial(_open_attachment, attachment), left_out=attachment.left_out)


def _open_attachment(attachment: Attachment) -> BinaryIO:
    try:
        return io.BytesIO(attachment.read())
    except HEADER_ERRORS as error:
        message = f"the attachment cannot be read ({type(error).__name__}: {error})"
        raise refusal(DocumentError, message[:300], "save it from the mail, or exclude it") from error
