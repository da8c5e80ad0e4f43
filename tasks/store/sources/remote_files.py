"""Folders on other machines as sources, by fsspec: SFTP, WebDAV and others, each by a package of its own.

Folders are listed one by one, because fsspec's own walks leave out in silence what they cannot list.
"""

import errno
import importlib
import posixpath
import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from schemas.corpus import PRIVATE
from schemas.errors import InputError, StoreError
from schemas.ids import is_unicode, percent_encode_bytes
from schemas.media_types import is_hidden
from tasks.store.local import PART_BYTES
from tasks.store.sources.failures import ask_repeatedly, make_source_error
from tasks.store.sources.logins import Login
from tasks.store.sources.source import ListedFile, Source, SourceListing, make_content_number

TAGS = ("etag", "ETag", "sha", "hex", "md5Hash", "content_hash", "content_md5")
"""What places call that which changes with the content."""
TIMES = ("mtime", "modified", "last_modified", "LastModified", "updated", "last_write_time", "modify")
"""What places call the time of the last change."""

CONNECT_SECONDS = 20


class Place(NamedTuple):
    """A kind of place: the class that reads it, the package that has it, its arguments, where the folder lies in it.

    `readers` are files that may be read at once: one where the class keeps a single connection.
    """

    package: str
    of_class: str
    arguments: Callable[[SplitResult, str, str], dict[str, Any]]
    root: Callable[[SplitResult], str]
    readers: int = 4


def _find_path(url: SplitResult) -> str:
    return unquote(url.path).rstrip("/") or "/"


def _find_path_below_first(url: SplitResult) -> str:
    return unquote(url.path).strip("/").partition("/")[2]


def _list_sftp_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    login = {"username": user, "password": password}
    # sshfs would trust any host; an empty tuple stands for the hosts that the user knows.
    given = {
        "host": url.hostname,
        "port": url.port or 22,
        "known_hosts": (),
        "timeout": CONNECT_SECONDS,
        "keepalive_interval": 10,
    }
    return {**given, **{name: value for name, value in login.items() if value}}


def _list_dav_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    scheme = "https" if url.scheme == "davs" else "http"
    login = {"auth": (user, password)} if user else {}
    return {"base_url": f"{scheme}://{url.netloc.rpartition('@')[2]}{url.path}", "timeout": CONNECT_SECONDS, **login}


def _list_host_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    given = {"host": url.hostname, "port": url.port, "username": user, "password": password}
    return {name: value for name, value in given.items() if value}


def _list_ftp_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    return {**_list_host_arguments(url, user, password), "timeout": CONNECT_SECONDS}


def _list_smb_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    # Without shared access nobody else could open a file while it is read; attempts are made here, not there.
    more = {"timeout": CONNECT_SECONDS, "share_access": "rwd", "register_session_retries": 0}
    return {**_list_host_arguments(url, user, password), **more}


def _list_github_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    repository, _, _ = url.path.strip("/").partition("/")
    login = {"username": user or "token", "token": password} if password else {}
    return {"org": url.hostname, "repo": repository, "sha": parse_qs(url.query).get("ref", [None])[0], **login}


def _list_no_arguments(url: SplitResult, user: str, password: str) -> dict[str, Any]:
    return {}


def _find_whole_path(url: SplitResult) -> str:
    return f"{url.netloc}{unquote(url.path)}".rstrip("/")


PLACES = {
    "sftp": Place("sshfs", "sshfs.SSHFileSystem", _list_sftp_arguments, _find_path),
    "dav": Place("webdav4", "webdav4.fsspec.WebdavFileSystem", _list_dav_arguments, lambda url: ""),
    "davs": Place("webdav4", "webdav4.fsspec.WebdavFileSystem", _list_dav_arguments, lambda url: ""),
    "smb": Place("smbprotocol", "fsspec.implementations.smb.SMBFileSystem", _list_smb_arguments, _find_path),
    "ftp": Place("fsspec", "fsspec.implementations.ftp.FTPFileSystem", _list_ftp_arguments, _find_path, readers=1),
    "github": Place(
        "fsspec[github]", "fsspec.implementations.github.GithubFileSystem", _list_github_arguments, _find_path_below_first
    ),
    "gs": Place("gcsfs", "gcsfs.GCSFileSystem", _list_no_arguments, _find_whole_path),
    "az": Place("adlfs", "adlfs.AzureBlobFileSystem", _list_no_arguments, _find_whole_path),
    "hdfs": Place("fsspec", "fsspec.implementations.arrow.HadoopFileSystem", _list_host_arguments, _find_path),
}
"""The kinds of places, by the scheme of their URLs."""


class RemoteFiles(Source):
    """A folder of another machine or service."""

    def __init__(self, url: str, login: Login) -> None:
        """Find the package of the URL's scheme. Nothing is asked of the place yet.

        Raises:
            InputError: the package is not installed.
        """
        self.uri, self._url, self._login = url, urlsplit(url), login
        self._place = PLACES[self._url.scheme]
        self.readers = self._place.readers
        module, _, name = self._place.of_class.rpartition(".")
        try:
            self._class: Any = getattr(importlib.import_module(module), name)
        except ImportError as error:
            line = f"pip install 'pagemill[sources]' {self._place.package}"
            raise InputError(f"{self._url.scheme}:// needs a package that is not installed ({error}): {line}") from error
        self._root = self._place.root(self._url)
        self._opened: Any = None

    def open_to_write(self) -> tuple[Any, str]:
        """Return the file system of the place, and the folder's path in it, for who writes there.

        Raises:
            StoreError: the place refuses, or does not answer.
        """
        return self._ask(lambda files: files), self._root

    def list_files(self, memory: bytes) -> SourceListing:
        self._opened = None  # it keeps what it has listed
        return SourceListing(sorted(self._walk(self._root, "")))

    def stream(self, path: str) -> Iterator[bytes]:
        try:
            with self._ask(lambda files: files.open(posixpath.join(self._root, path), "rb")) as opened:
                while part := opened.read(PART_BYTES):
                    yield bytes(part)
        except (FileNotFoundError, PermissionError, StoreError):
            raise
        except Exception as error:
            self._opened = None
            raise make_source_error(self.uri, error) from error

    def _walk(self, folder: str, prefix: str) -> Iterator[ListedFile]:
        entries = [(posixpath.basename(entry["name"].rstrip("/")), entry) for entry in self._list_folder(folder, prefix)]
        if any(name == PRIVATE for name, _ in entries):
            if not prefix:
                raise InputError(f"source {self.uri} is a corpus: name the folder of its documents")
            return
        for name, entry in entries:
            path = prefix + name
            if not name or is_hidden(name):
                continue
            if not is_unicode(path):
                yield ListedFile(percent_encode_bytes(path), 0, 0, "its name is not UTF-8")
            elif entry["type"] == "directory":
                yield from self._walk(posixpath.join(folder, name), f"{path}/")
            elif entry["type"] == "file":
                yield ListedFile(path, entry.get("size") or 0, _read_change_stamp(entry))
            else:
                yield ListedFile(path, 0, 0, "a symbolic link" if entry["type"] == "link" else "it is not a regular file")

    def _list_folder(self, folder: str, prefix: str) -> list[Mapping[str, Any]]:
        try:
            entries: list[Mapping[str, Any]] = self._ask(lambda files: files.ls(folder, detail=True))
        except (FileNotFoundError, NotADirectoryError) as error:
            if prefix:
                raise make_source_error(f"{self.uri}/{prefix}", error) from error
            raise InputError(f"source {self.uri} does not exist, or is a file: name a folder of documents") from error
        except PermissionError as error:
            raise make_source_error(f"{self.uri}/{prefix}", error) from error
        name = posixpath.basename(folder)
        is_alone = len(entries) == 1 and entries[0]["type"] == "file" and posixpath.basename(entries[0]["name"]) == name != ""
        if is_alone and self._ask(lambda files: files.isfile(folder)):
            raise InputError(f"source {self.uri} is a file: name a folder of documents")
        return entries

    def _ask(self, request: Callable[[Any], Any]) -> Any:
        """Return what a request gives; it is made again over a new connection when it fails for other reasons than rights.

        Raises:
            FileNotFoundError, NotADirectoryError, PermissionError: what it asks for is not there, or not for this user.
            StoreError: it fails each time.
        """

        def ask() -> Any:
            try:
                if self._opened is None:
                    user = self._login.user or self._url.username or ""
                    arguments = self._place.arguments(self._url, user, self._login.password)
                    self._opened = self._class(**arguments, skip_instance_cache=True)
                return request(self._opened)
            except (FileNotFoundError, NotADirectoryError):
                raise
            except Exception as error:
                if isinstance(error, OSError) and error.errno in (errno.ENOENT, errno.ENOTDIR):
                    raise OSError(error.errno, str(error)) from error
                if _is_refusal(error):
                    raise PermissionError(13, f"Permission denied ({type(error).__name__})") from error
                self._opened = None
                raise

        return ask_repeatedly(self.uri, ask, (FileNotFoundError, NotADirectoryError, PermissionError))


def _is_refusal(error: Exception) -> bool:
    return isinstance(error, PermissionError) or type(error).__name__ in ("SFTPPermissionDenied", "ForbiddenOperation")


def _read_change_stamp(entry: Mapping[str, Any]) -> int:
    """Return the number that tells a change of a file; without tag or time it is always another, so that the file is read."""
    if tag := next((entry[name] for name in TAGS if entry.get(name)), None):
        return make_content_number(str(tag))
    try:
        return next(_parse_time(entry[name]) for name in TIMES if entry.get(name))
    except (StopIteration, ValueError):
        return time.time_ns()


def _parse_time(when: Any) -> int:
    """Return a time in ns of the epoch.

    >>> _parse_time(1.5), _parse_time("Thu, 01 Jan 1970 00:00:02 GMT"), _parse_time("1970-01-01T00:00:03Z")
    (1500000000, 2000000000, 3000000000)
    >>> _parse_time("19700101000004")
    4000000000

    Raises:
        ValueError: it is no time as places write them, but one without a year, as old FTP servers tell it.
    """
    if isinstance(when, int | float):
        return int(when * 10**9)
    if isinstance(when, str):
        when = parsedate_to_datetime(when) if "," in when else datetime.fromisoformat(re.sub(r"^(\d{8})(?=\d{6})", r"\1T", when))
    seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return int(seconds * 10**6) * 1000
