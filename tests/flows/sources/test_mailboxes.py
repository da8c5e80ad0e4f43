"""Messages of a mailbox: listed by one request, read once, told by their content when the server numbers them anew."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from schemas.errors import InputError, StoreError
from tasks.store.sources.logins import Login
from tasks.store.sources.mailbox import MailFolder
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, digest, paths, rows
from tests.flows.sources.mail_server import FOLDER, MailServer
from tests.flows.sources.servers import PASSWORD

pytestmark = pytest.mark.skipif(not os.environ.get("TEST_SOURCES"), reason="make test-sources runs them")
REMOVE = {"plan": {"allow_removals": True}}


@pytest.fixture
def mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    monkeypatch.setattr("tasks.store.sources.failures.WAIT_SECONDS", 0.05)
    with closing(MailServer()) as server:
        for subject in ("heron", "mill", "pump"):
            server.append(subject, f"The {subject} stands by the river.")
        yield server


def test_nights_at_a_mailbox_cost_one_listing_and_the_bodies_of_new_messages(
    mail: MailServer, plain: Refresh, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    assert changes(plain(mail.url, corpus)) == {"added": 3}
    assert paths(corpus) == {"1.eml", "2.eml", "3.eml"}
    assert {row["title"] for row in rows(corpus, "documents")} == {"heron", "mill", "pump"}
    assert mail.count_requests() == (1, 3)
    assert changes(plain(mail.url, corpus)) == {"unchanged": 3}
    assert mail.count_requests() == (1, 0)
    message = mail.append("weir", "The weir was mended in April.")
    mail.delete(1)
    mail.delete(2, expunge=False)
    assert changes(plain(mail.url, corpus, **REMOVE)) == {"added": 1, "removed": 2, "unchanged": 1}
    assert mail.count_requests() == (1, 1)
    assert b"".join(MailFolder(mail.url, Login("", PASSWORD)).stream("4.eml")) == message
    assert not any(PASSWORD.encode() in path.read_bytes() for path in corpus.rglob("*") if path.is_file())


def test_messages_that_the_server_numbers_anew_are_told_by_their_content(
    mail: MailServer, plain: Refresh, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    plain(mail.url, corpus)
    mail.make_anew()
    for subject in ("mill", "heron", "weir"):
        mail.append(subject, f"The {subject} stands by the river.")
    plain(mail.url, corpus, **REMOVE)
    assert {row["path"]: row["title"] for row in rows(corpus, "documents")} == {
        "1.eml": "mill",
        "2.eml": "heron",
        "3.eml": "weir",
    }
    assert changes(plain(mail.url, corpus)) == {"unchanged": 3}


@pytest.mark.parametrize("cut_after", [0, 500, 1500, 4000])
def test_a_listing_of_messages_that_breaks_off_loses_nothing(
    mail: MailServer, plain: Refresh, tmp_path: Path, cut_after: int
) -> None:
    corpus = tmp_path / "corpus"
    plain(mail.url, corpus)
    before = digest(corpus)
    for number in range(60):
        mail.append(f"news-{number}", f"The heron was seen {number} times. " * 20)
    mail.wire.cut_after = cut_after
    with pytest.raises(StoreError, match="run this again") as raised:
        plain(mail.url, corpus)
    assert "\n" not in str(raised.value)
    assert digest(corpus) == before
    mail.wire.cut_after = None
    assert changes(plain(mail.url, corpus)) == {"added": 60, "unchanged": 3}


def test_a_folder_without_messages_one_that_is_not_there_and_a_wrong_password_are_told(
    mail: MailServer, plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus"
    plain(mail.url, corpus)
    before = digest(corpus)
    root = mail.url.rpartition("/")[0]
    with pytest.raises(InputError, match=r"is no folder of this user \(Mailbox doesn't exist: Nowhere.*correct its name"):
        plain(f"{root}/Nowhere", tmp_path / "other")
    with pytest.raises(InputError, match="names no user: write imap://user@host"):
        plain(mail.url.replace("ada@", ""), tmp_path / "other")
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", "wrong-whelk")
    with pytest.raises(StoreError, match="refuses this user: set PAGEMILL_SOURCE_USER") as raised:
        plain(mail.url, corpus)
    assert "whelk" not in str(raised.value)
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    mail.make_anew()
    with pytest.raises(InputError):
        plain(mail.url, corpus)
    assert digest(corpus) == before


def test_messages_are_for_the_group_of_their_folders_name_if_that_is_wanted(
    mail: MailServer, plain: Refresh, tmp_path: Path
) -> None:
    corpus, columns = tmp_path / "corpus", {"groups": "list<string>"}
    plain(mail.url, corpus, columns=columns, source={"rights": True})
    assert [row["groups"] for row in rows(corpus, "documents")] == [[FOLDER]] * 3
    mail.count_requests()
    assert changes(plain(mail.url, corpus, columns=columns)) == {"metadata": 3}
    assert mail.count_requests() == (1, 0)
    assert [row["groups"] for row in rows(corpus, "documents")] == [["nobody"]] * 3
