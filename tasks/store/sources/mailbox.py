"""Folders of mailboxes as sources, by IMAP: each message is a document, told by its UID for as long as UIDVALIDITY stays."""

import base64
import imaplib
import queue
import re
import ssl
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from schemas.access import GROUPS
from schemas.errors import InputError, StoreError
from schemas.hosts import is_loopback
from tasks.store.sources.failures import ask_repeatedly, hide_secrets
from tasks.store.sources.logins import USER, Login
from tasks.store.sources.source import NO_METADATA, ListedFile, Source, SourceListing, make_content_number

TIMEOUT_SECONDS = 20
SUFFIX = ".eml"
MESSAGE = re.compile(rb"(?=.*\bUID (\d+))(?=.*\bRFC822\.SIZE (\d+))(?=.*\bFLAGS \(([^)]*)\))")
"""What a server tells of a message: UID, size in bytes and flags, in any order."""

Answer = TypeVar("Answer")


class MailFolder(Source):
    """The messages of one folder, without those that are marked as deleted. They are only read: none becomes seen."""

    tells_rights = True

    def __init__(self, url: str, login: Login, rights: bool = False) -> None:
        """With `rights`, messages are for the group that has the name of the folder."""
        self.uri, self._url, self._login = url, urlsplit(url), login
        name = unquote(self._url.path).strip("/") or "INBOX"
        self._folder, self._metadata = encode_folder_name(name), {GROUPS: [name]} if rights else NO_METADATA
        self._idle: queue.SimpleQueue[imaplib.IMAP4] = queue.SimpleQueue()

    def list_files(self, memory: bytes) -> SourceListing:
        return SourceListing(self._ask(self._list_messages))

    def stream(self, path: str) -> Iterator[bytes]:
        uid = path.removesuffix(SUFFIX)
        if not uid.isdecimal():
            raise FileNotFoundError(f"{self.uri} has no message {path}")
        yield self._ask(lambda connection: self._read_message(connection, uid))

    def _list_messages(self, connection: imaplib.IMAP4) -> list[ListedFile]:
        n_messages = self._select(connection)
        validity = connection.response("UIDVALIDITY")[1]
        lines = _take(connection.uid("FETCH", "1:*", "(UID RFC822.SIZE FLAGS)")) if n_messages else []
        told = {int(found[1]): found for line in lines if isinstance(line, bytes) and (found := MESSAGE.search(line))}
        if len(told) < n_messages:
            raise StoreError(f"it tells of {len(told)} of {n_messages} messages")
        return sorted(
            ListedFile(f"{uid}{SUFFIX}", int(found[2]), make_content_number(f"{validity} {uid}"), metadata=self._metadata)
            for uid, found in told.items()
            if b"\\deleted" not in found[3].lower().split()
        )

    def _read_message(self, connection: imaplib.IMAP4, uid: str) -> bytes:
        for part in _take(connection.uid("FETCH", uid, "(BODY.PEEK[])")):
            if isinstance(part, tuple):
                return bytes(part[1])
        raise FileNotFoundError(f"{self.uri} has no message {uid}")

    def _ask(self, request: Callable[[imaplib.IMAP4], Answer]) -> Answer:
        """Return what a request gives over a connection that no other thread uses.

        Raises:
            FileNotFoundError: what it asks for is not there.
            InputError: there is no such folder, or no user is given.
            StoreError: it fails each time.
        """

        def ask() -> Answer:
            try:
                connection = self._idle.get_nowait()
            except queue.Empty:
                connection = self._connect()
            try:
                answer = request(connection)
            except Exception:
                connection.shutdown()
                raise
            self._idle.put(connection)
            return answer

        return ask_repeatedly(self.uri, ask, (FileNotFoundError, InputError))

    def _connect(self) -> imaplib.IMAP4:
        user = self._login.user or unquote(self._url.username or "")
        if not user:
            raise InputError(f"source {self.uri} names no user: write {self._url.scheme}://user@host/folder, or set {USER}")
        context, host = ssl.create_default_context(), (self._url.hostname or "", self._url.port)
        if self._url.scheme == "imaps":
            connection: imaplib.IMAP4 = imaplib.IMAP4_SSL(host[0], host[1] or 993, ssl_context=context, timeout=TIMEOUT_SECONDS)
        else:
            connection = imaplib.IMAP4(host[0], host[1] or 143, timeout=TIMEOUT_SECONDS)
        try:
            if "STARTTLS" in connection.capabilities:
                connection.starttls(context)
            elif self._url.scheme == "imap" and not is_loopback(connection.socket().getpeername()[0]):
                raise InputError(f"source {self.uri} would send the password for all to read: write imaps:// in place of imap://")
            connection.authenticate("PLAIN", lambda _: f"\0{user}\0{self._login.password}".encode())
            self._select(connection)
        except Exception:
            connection.shutdown()
            raise
        return connection

    def _select(self, connection: imaplib.IMAP4) -> int:
        """Open the folder, as it is now, for reading. Return the number of its messages."""
        status, told = connection.select(self._folder, readonly=True)
        if status != "OK":
            said = hide_secrets(_decode(told[0]))
            raise InputError(
                f"source {self.uri} is no folder of this user ({said}): correct its name, or grant the right to read it"
            )
        return int(told[0] or 0)


def _take(answer: tuple[str, list[Any]]) -> list[Any]:
    status, found = answer
    if status != "OK":
        raise StoreError(_decode(found[0]))
    return found


def _decode(said: object) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def encode_folder_name(name: str) -> str:
    """Return the name of a folder as IMAP writes it: quoted, in modified UTF-7 (RFC 3501, 5.1.3).

    >>> encode_folder_name("Entwürfe & Co")
    '"Entw&APw-rfe &- Co"'
    """

    def encode(found: re.Match[str]) -> str:
        coded = base64.b64encode(found[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",")
        return f"&{'' if found[0] == '&' else coded}-"

    shown = re.sub(r"&|[^\x20-\x7e]+", encode, name)
    return '"' + re.sub(r'(["\\])', r"\\\1", shown) + '"'
