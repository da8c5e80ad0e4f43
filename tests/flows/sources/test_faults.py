"""What goes wrong at a place is one line that says what to do, and loses nothing."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from schemas.errors import InputError, StoreError
from schemas.options.sources import SourceOptions
from tasks.store.sources.places import open_source
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, digest, paths
from tests.flows.sources.conftest import IS_WHOLE
from tests.flows.sources.samba import Smb
from tests.flows.sources.servers import PASSWORD, Dav, FolderBehind, Http

URLS = (
    "sftp://ada@{}/docs",
    "davs://ada@{}/docs",
    "https://{}/docs",
    "crawl+https://{}/docs",
    "sitemap+https://{}/map.xml",
    "imaps://ada@{}/INBOX",
    "smb://ada@{}/share",
)
IN_PLAIN = ("ftp://ada@{}/docs", "dav://ada@{}/docs", "http://{}/docs", "crawl+http://{}/docs", "imap://ada@{}/INBOX")
needs_packages = pytest.mark.skipif(not IS_WHOLE, reason="make test-sources runs it")


def list_place(url: str, place: str) -> str:
    """Return what is said of a place that cannot be listed: one line, and no password."""
    source = open_source(url.format(place), SourceOptions(), "main")
    with pytest.raises(StoreError) as raised:
        source.list_files(b"")
    said = str(raised.value)
    assert "\n" not in said and PASSWORD not in said
    return said


@needs_packages
@pytest.mark.parametrize("url", URLS)
def test_an_unknown_host_is_told(_user: None, url: str) -> None:
    assert "its host is unknown: correct the address" in list_place(url, "nowhere.invalid")


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A place that takes connections and never says a word, asked by somebody without patience."""
    for name in ("remote_files.CONNECT_SECONDS", "website.TIMEOUT_SECONDS", "mailbox.TIMEOUT_SECONDS"):
        monkeypatch.setattr(f"tasks.store.sources.{name}", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@needs_packages
@pytest.mark.parametrize("url", (*URLS, *IN_PLAIN))
def test_a_place_that_never_answers_is_given_up(_user: None, silent: str, url: str) -> None:
    assert "look at the address, the network and its log, then run this again" in list_place(url, silent)


@pytest.fixture(scope="module")
def expired(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A place whose certificate has expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, day = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")]), datetime(2026, 1, 1, tzinfo=UTC)
    begun = x509.CertificateBuilder(name, name, key.public_key(), 1, day, day + timedelta(days=1))
    file = tmp_path_factory.mktemp("expired") / "certificate.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(begun.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM) + secret)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                taken, _ = listener.accept()
                with suppress(OSError):
                    context.wrap_socket(taken, server_side=True).close()

    threading.Thread(target=serve, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    listener.close()


@needs_packages
@pytest.mark.parametrize("url", [url for url in URLS if "s://" in url])
def test_an_expired_certificate_is_told(_user: None, expired: str, url: str) -> None:
    assert "its certificate is not valid: have it renewed" in list_place(url, expired)


def test_a_user_whom_the_place_does_not_know_is_told_what_to_set(
    server: FolderBehind, plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.write("a.txt", "The heron waits.")
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", "wrong-whelk")
    with pytest.raises(StoreError, match="refuses this user: set PAGEMILL_SOURCE_USER") as raised:
        plain(server.url, tmp_path / "corpus")
    assert "whelk" not in str(raised.value)
    assert not (tmp_path / "corpus").exists()


def test_a_path_that_is_a_file_one_that_is_not_there_and_a_place_without_documents_are_told(
    server: FolderBehind, plain: Refresh, tmp_path: Path
) -> None:
    server.write("docs/a.txt", "The heron waits.")
    server.write("empty/b.xyz", "Nothing to read.")
    for path, said in {"docs/a.txt": "is a file", "nowhere": "does not exist", "empty": "no documents"}.items():
        with pytest.raises(InputError, match=said) as raised:
            plain(f"{server.url}/{path}", tmp_path / "corpus")
        assert "\n" not in str(raised.value)
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("status", ["429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable"])
def test_a_server_in_trouble_loses_nothing(server: FolderBehind, plain: Refresh, tmp_path: Path, status: str) -> None:
    if not isinstance(server, Dav | Http):
        pytest.skip("it does not speak HTTP")
    corpus = tmp_path / "corpus"
    server.write("a.txt", "The heron waits.")
    plain(server.url, corpus)
    before = digest(corpus)
    server.refusal = status
    with pytest.raises(StoreError, match=r"run this again") as raised:
        plain(server.url, corpus)
    assert "\n" not in str(raised.value)
    assert digest(corpus) == before
    server.refusal = ""
    assert changes(plain(server.url, corpus)) == {"unchanged": 1}


@needs_packages
def test_a_document_that_changes_while_it_is_read_is_read_again_the_next_night(
    server: FolderBehind, plain: Refresh, tmp_path: Path
) -> None:
    if isinstance(server, Smb):
        pytest.skip("Samba tells nobody when a document is read")
    folder, corpus = tmp_path / "folder", tmp_path / "corpus"
    folder.mkdir()
    server.write("a.txt", "The heron waits.")
    server.when_read = lambda path: server.write(path, "The heron has gone to the weir.")
    plain(server.url, corpus)
    (folder / "a.txt").write_text("The heron has gone to the weir.")
    plain(folder, tmp_path / "twin")
    plain(server.url, corpus)
    assert digest(corpus) == digest(tmp_path / "twin")


@needs_packages
def test_one_process_reads_two_places_each_by_a_login_of_its_own(
    _user: None, plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAGEMILL_SOURCE_PASSWORD")
    for name in ("north", "south-bank"):
        monkeypatch.setenv(f"PAGEMILL_SOURCE_PASSWORD_{name.upper().replace('-', '_')}", f"planted-{name}")
        server = Dav(tmp_path / name, f"planted-{name}")
        server.write(f"{name}.txt", f"The heron stands on the {name}.")
        plain(server.url, tmp_path / "corpus", plan={"source_name": name})
        server.close()
    assert paths(tmp_path / "corpus") == {"north.txt", "south-bank.txt"}
