"""Places on loopback that hold documents, each as a server of its own kind. A test writes to them as their users do."""

import asyncio
import base64
import hashlib
import html
import io
import os
import socket
import threading
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, unquote

import pytest
import sqlalchemy

from benchmarks.server.postgres import postgres, programs
from tests.flows.sources.wire import Wire

USER, PASSWORD = "ada", "planted-source-limpet"
LOGIN = f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}"


class Requests(NamedTuple):
    """How often each folder was listed and each document read, by path."""

    listings: Counter[str]
    bodies: Counter[str]


class Place(Protocol):
    """A place with documents."""

    url: str

    @abstractmethod
    def take_requests(self) -> Requests:
        """Return what was asked for since the last call."""

    @abstractmethod
    def write(self, path: str, text: str) -> None:
        """Write a document, which is older than a minute."""

    def write_many(self, texts: Mapping[str, str]) -> None:
        """Write many documents."""
        for path, text in texts.items():
            self.write(path, text)

    @abstractmethod
    def remove(self, path: str) -> None:
        """Delete a document."""

    @abstractmethod
    def close(self) -> None:
        """End the server."""


class FolderBehind(Place):
    """A place whose server shows a folder of this machine. What comes from it passes through `wire`.

    `when_read` is called once, with its path, while a document is opened.
    """

    wire: Wire
    when_read: Callable[[str], None] | None = None

    def __init__(self, folder: Path) -> None:
        self.folder, self._requests, self._written = folder, Requests(Counter(), Counter()), 0
        folder.mkdir()

    def take_requests(self) -> Requests:
        taken, self._requests = self._requests, Requests(Counter(), Counter())
        return taken

    def note_listing(self, path: str) -> None:
        """Count a listing of a folder."""
        self._requests.listings[path.strip("/")] += 1

    def note_body(self, path: str) -> None:
        """Count that a document is read."""
        self._requests.bodies[path.strip("/")] += 1
        if self.when_read:
            call, self.when_read = self.when_read, None
            call(path.strip("/"))

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        self._written += 1
        when = 1_700_000_000 + self._written
        os.utime(target, (when, when))

    def remove(self, path: str) -> None:
        (self.folder / path).unlink()


def wait_for_port(port: int) -> None:
    """Wait until a server listens."""
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


class Sftp(FolderBehind):
    """An SFTP server, which knows one user. The user's known hosts are in `home`."""

    def __init__(self, folder: Path, home: Path) -> None:
        asyncssh = pytest.importorskip("asyncssh", reason="pip install 'pagemill[sources]'")
        pytest.importorskip("sshfs", reason="pip install 'pagemill[sources]'")
        super().__init__(folder)
        place = self

        class Users(asyncssh.SSHServer):  # type: ignore[misc,name-defined]
            def begin_auth(self, username: str) -> bool:
                return True

            def password_auth_supported(self) -> bool:
                return True

            def validate_password(self, username: str, password: str) -> bool:
                return (username, password) == (USER, PASSWORD)

        class Files(asyncssh.SFTPServer):  # type: ignore[misc,name-defined]
            def open(self, path: bytes, pflags: int, attrs: Any) -> Any:
                place.note_body(path.decode())
                return super().open(path, pflags, attrs)

            def scandir(self, path: bytes) -> Any:
                place.note_listing(path.decode())
                return super().scandir(path)

        async def serve(key: Any) -> Any:
            files = {"server_factory": Users, "sftp_factory": lambda channel: Files(channel, chroot=str(folder))}
            return await asyncssh.listen("127.0.0.1", 0, server_host_keys=[key], **files)

        key = asyncssh.generate_private_key("ssh-ed25519")
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._server = asyncio.run_coroutine_threadsafe(serve(key), self._loop).result()
        self.wire = Wire(self._server.get_port())
        (home / ".ssh").mkdir(parents=True, exist_ok=True)
        (home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{self.wire.port} {key.export_public_key().decode()}")
        self.url = f"sftp://{USER}@127.0.0.1:{self.wire.port}"

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self.wire.close()


class Dav(FolderBehind):
    """A WebDAV server. `refusal` is the status that it answers with instead."""

    refusal = ""

    def __init__(self, folder: Path, password: str = PASSWORD) -> None:
        reason = "make test-sources installs what it needs"
        wsgi = pytest.importorskip("cheroot.wsgi", reason=reason)
        pytest.importorskip("webdav4", reason=reason)
        app = pytest.importorskip("wsgidav.wsgidav_app", reason=reason).WsgiDAVApp
        super().__init__(folder)
        users = {"user_mapping": {"*": {USER: {"password": password}}}}
        dav = app({"provider_mapping": {"/": str(folder)}, "simple_dc": users, "verbose": 0, "logging": {"enable": False}})

        def count(environment: dict[str, Any], start: Any) -> Any:
            method, path = environment["REQUEST_METHOD"], environment["PATH_INFO"].encode("latin-1").decode()
            if self.refusal:
                start(self.refusal, [("content-length", "0")])
                return [b""]
            if method in ("GET", "PROPFIND"):
                self.note_body(path) if method == "GET" else self.note_listing(path)
            return dav(environment, start)

        self._server = wsgi.Server(("127.0.0.1", 0), count)
        self._server.prepare()
        threading.Thread(target=self._server.serve, daemon=True).start()
        self.wire = Wire(self._server.bind_addr[1])
        self.url = f"dav://{USER}@127.0.0.1:{self.wire.port}"

    def close(self) -> None:
        self._server.stop()
        self.wire.close()


class Http(FolderBehind):
    """A web server that lists a folder as links, for one user. `refusal` is the status that it answers with instead."""

    refusal = ""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        place, self.heads = self, Counter[str]()

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.has_refused():
                    return
                path = unquote(self.path)
                place.note_listing(path) if path.endswith("/") else place.note_body(path)
                super().do_GET()

            def do_HEAD(self) -> None:
                place.heads[unquote(self.path).strip("/")] += 1
                if not self.has_refused():
                    super().do_HEAD()

            def list_directory(self, path: Any) -> Any:
                """List a folder as nginx does: with times to the minute."""
                with os.scandir(path) as entries:
                    lines = [_make_line(entry) for entry in sorted(entries, key=lambda entry: entry.name)]
                page = f"<html><pre><a href='../'>../</a>\n{''.join(lines)}</pre></html>\n".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                return io.BytesIO(page)

            def has_refused(self) -> bool:
                told = self.headers.get("authorization") == LOGIN
                if place.refusal or not told:
                    self.send_error(int(place.refusal.partition(" ")[0]) if told else 401)
                return bool(place.refusal or not told)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.wire = Wire(self._server.server_port)
        self.url = f"http://{USER}@127.0.0.1:{self.wire.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.wire.close()


def _make_line(entry: os.DirEntry[str]) -> str:
    name, found = entry.name + ("/" if entry.is_dir() else ""), entry.stat()
    when = time.strftime("%d-%b-%Y %H:%M", time.gmtime(found.st_mtime))
    return f'<a href="{quote(name)}">{html.escape(name)}</a>{when:>40}{found.st_size:>20}\n'


class Ftp(FolderBehind):
    """An FTP server."""

    def __init__(self, folder: Path) -> None:
        reason = "make test-sources installs what it needs"
        handlers = pytest.importorskip("pyftpdlib.handlers", reason=reason)
        super().__init__(folder)
        users = pytest.importorskip("pyftpdlib.authorizers", reason=reason).DummyAuthorizer()
        users.add_user(USER, PASSWORD, str(folder), perm="elr")
        place = self

        class Handler(handlers.FTPHandler):  # type: ignore[misc,name-defined]
            authorizer = users
            auth_failed_timeout = 0

            def ftp_MLSD(self, path: str) -> Any:
                place.note_listing(path.removeprefix(str(folder)))
                return super().ftp_MLSD(path)

            def ftp_RETR(self, file: str) -> Any:
                place.note_body(file.removeprefix(str(folder)))
                return super().ftp_RETR(file)

        servers = pytest.importorskip("pyftpdlib.servers", reason=reason)
        self._server = servers.FTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.wire = Wire(self._server.address[1])
        self.url = f"ftp://{USER}@127.0.0.1:{self.wire.port}"

    def close(self) -> None:
        self._server.close_all()
        self.wire.close()


class Site:
    """A site of pages. `pages` are HTML by path, `broken` the status that a path answers with instead, `moved` where it leads.

    `asked` counts requests by path, `sent` those that got a body.
    """

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.broken: dict[str, int] = {}
        self.moved: dict[str, tuple[int, str]] = {}
        self.asked: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked[self.path] += 1
                page, status = site.pages.get(self.path), site.broken.get(self.path, 0)
                etag = f'"{hashlib.sha256((page or "").encode()).hexdigest()[:16]}"'
                if not status and page and self.headers.get("if-none-match") == etag:
                    self.send_response(304)
                    self.end_headers()
                    return
                if self.path in site.moved and not status:
                    self.send_response(site.moved[self.path][0])
                    self.send_header("location", site.moved[self.path][1])
                    self.end_headers()
                    return
                body = (page or "nothing").encode()
                self.send_response(status or (200 if page else 404))
                self.send_header("retry-after", "0")
                self.send_header("content-type", "application/xml" if self.path.endswith(".xml") else "text/html; charset=utf-8")
                self.send_header("content-length", str(len(body)))
                self.send_header("etag", etag)
                self.end_headers()
                self.wfile.write(body)
                if page and not status:
                    site.sent[self.path] += 1

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.root = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """End the server."""
        self._server.shutdown()
        self._server.server_close()


class Rows(Place):
    """A table of a database. What is asked for is counted by the statements."""

    def __init__(self, url: str, engine: sqlalchemy.Engine) -> None:
        self.url, self._requests, self._engine, self._version = url, Requests(Counter(), Counter()), engine, 0
        self._execute("CREATE TABLE articles (id VARCHAR(99), body TEXT, version INTEGER, title TEXT)")
        self._count = lambda _connection, _cursor, statement, parameters, *_: self._count_statement(statement, parameters)
        sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", self._count)

    def take_requests(self) -> Requests:
        taken, self._requests = self._requests, Requests(Counter(), Counter())
        return taken

    def _count_statement(self, statement: str, parameters: Any) -> None:
        if statement.startswith("SELECT documents.body"):
            self._requests.bodies[str(parameters[0])] += 1
        elif statement.startswith("SELECT documents.") and "version" in statement:
            self._requests.listings["articles"] += 1

    def _execute(self, statement: str, **values: object) -> None:
        with self._engine.begin() as connection:
            connection.execute(sqlalchemy.text(statement), values)

    def write(self, path: str, text: str) -> None:
        self.remove(path)
        self._version += 1
        row = {"path": path, "text": text, "version": self._version}
        self._execute("INSERT INTO articles VALUES (:path, :text, :version, :path)", **row)

    def write_many(self, texts: Mapping[str, str]) -> None:
        rows = [{"path": path, "text": text} for path, text in texts.items()]
        with self._engine.begin() as connection:
            connection.execute(sqlalchemy.text("INSERT INTO articles VALUES (:path, :text, 0, :path)"), rows)

    def remove(self, path: str) -> None:
        self._execute("DELETE FROM articles WHERE id = :path", path=path)

    def close(self) -> None:
        sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", self._count)
        self._engine.dispose()


@contextmanager
def open_sqlite(folder: Path) -> Iterator[Rows]:
    """Make a table in a file."""
    url = f"sqlite:///{folder / 'articles.db'}"
    with closing(Rows(url, sqlalchemy.create_engine(url))) as rows:
        yield rows


@contextmanager
def open_postgres() -> Iterator[Rows]:
    """Make a table in a PostgreSQL of its own, which has the user prefect with PASSWORD."""
    pytest.importorskip("pg8000", reason="make test-sources installs what it needs")
    if programs() is None:
        pytest.skip("PostgreSQL is missing: apt-get install postgresql")
    with postgres(PASSWORD) as address:
        found = sqlalchemy.make_url(address).set(drivername="postgresql+pg8000")
        url = f"{found.drivername}://{found.username}@{found.host}:{found.port}/{found.database}"
        with closing(Rows(url, sqlalchemy.create_engine(found))) as rows:
            yield rows
