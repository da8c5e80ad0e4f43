"""Passwords of mailboxes: sent to a server far away only if nobody can read them on the way."""

from typing import Any

import pytest

from schemas.errors import InputError
from tasks.store.sources.logins import Login
from tasks.store.sources.mailbox import MailFolder


class PlainServer:
    """A connection to a server without encryption."""

    capabilities = ("IMAP4REV1",)
    sent: list[str] = []  # noqa: RUF012

    def __init__(self, host: str, port: int, timeout: float) -> None:
        self.host = host

    def socket(self) -> Any:
        return self

    def getpeername(self) -> tuple[str, int]:
        return self.host, 143

    def authenticate(self, mechanism: str, answer: object) -> None:
        self.sent.append(self.host)
        raise InputError("a wrong password")

    def shutdown(self) -> None:
        self.sent.append("closed")


@pytest.mark.parametrize(
    ("host", "message", "sent"), [("192.0.2.7", "imaps://", ["closed"]), ("127.0.0.1", "a wrong", ["127.0.0.1", "closed"])]
)
def test_a_password_is_not_sent_in_the_clear(host: str, message: str, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("imaplib.IMAP4", PlainServer)
    monkeypatch.setattr(PlainServer, "sent", [])
    with pytest.raises(InputError, match=message):
        MailFolder(f"imap://ada@{host}/INBOX", Login("ada", "secret")).list_files(b"")
    assert PlainServer.sent == sent
