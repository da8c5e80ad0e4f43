"""Places of sources: a folder, or a URL whose scheme says what kind of source it is."""

import re
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import unquote, urlsplit

from schemas.corpus import is_in_store, place_of
from schemas.errors import InputError
from schemas.hosts import is_loopback
from schemas.options.sources import SourceOptions
from tasks.store.objects.paths import SCHEME, resolve_place
from tasks.store.sources.bucket import BucketSource
from tasks.store.sources.folder import FolderSource
from tasks.store.sources.logins import Login, find_login
from tasks.store.sources.source import Source

SECRETS = re.compile(r"pass|secret|token|signature|^sig$|key$|^auth", re.IGNORECASE)
"""Names of parts of a query that hold what nobody else may know."""

GROUP = "pagemill.sources"
"""The entry points of packages that add kinds of sources: the name is the scheme of their URLs, the object an Opener."""

Opener = Callable[[str, SourceOptions, Login], Source]
"""Takes a URL, the options of sources, and the login for this one."""

LOGIN_HINT = "leave it out, and set PAGEMILL_SOURCE_PASSWORD in the environment of the process"


def _open_bucket(url: str, options: SourceOptions, login: Login) -> Source:
    return BucketSource(place_of(url))


def _open_remote_files(url: str, options: SourceOptions, login: Login) -> Source:
    from tasks.store.sources.remote_files import RemoteFiles

    return RemoteFiles(url, login)


def _open_rows(url: str, options: SourceOptions, login: Login) -> Source:
    from tasks.store.sources.sql import SqlRows

    return SqlRows(url, options, login)


def _open_listed_folder(url: str, options: SourceOptions, login: Login) -> Source:
    from tasks.store.sources.web import ListedFolder

    return ListedFolder(url, login)


def _open_mail_folder(url: str, options: SourceOptions, login: Login) -> Source:
    from tasks.store.sources.mailbox import MailFolder

    return MailFolder(url, login, options.rights)


def _open_pages(url: str, options: SourceOptions, login: Login) -> Source:
    from tasks.store.sources.web import WebPages

    return WebPages(url, options, login)


KINDS: dict[str, Opener] = {
    SCHEME: _open_bucket,
    **dict.fromkeys(("sftp", "dav", "davs", "smb", "ftp", "github", "gs", "az", "hdfs"), _open_remote_files),
    **dict.fromkeys(("postgresql", "mysql", "mariadb", "mssql", "oracle", "sqlite"), _open_rows),
    **dict.fromkeys(("http", "https"), _open_listed_folder),
    **dict.fromkeys(("imap", "imaps"), _open_mail_folder),
    **dict.fromkeys(("sitemap", "crawl"), _open_pages),
}
"""What opens a source, by the scheme of its URL up to a +, behind which databases name their driver, and sites http or https."""


def resolve_source(place: str, folder: str = "") -> str:
    """Return the one name of a source, whatever it is called: a folder is absolute, without links and `..`.

    A path is relative to `folder`, as one in a file of options is, where ~ is the user's home; else to the working folder.

    Raises:
        InputError: it is a URL of an unknown kind, or one with a password, or no URL. The message does not repeat a password.
    """
    if not is_in_store(place):
        return resolve_place(place, folder)
    scheme, _, rest = place.partition("://")
    if find_opener(place) is None:
        known = ", ".join(f"{name}+https" if KINDS[name] is _open_pages else name for name in sorted(KINDS))
        raise InputError(f"{scheme}:// is no source that Pagemill knows: name a folder, or a URL of {known}")
    if scheme == SCHEME:
        return resolve_place(place)
    return _normalise_url(f"{scheme.lower()}://{rest}")


def find_opener(place: str) -> Opener | None:
    """Return what opens the source at a URL: a kind of Pagemill's own, or one of a package's entry points; None: it has none."""
    kind = place.partition("://")[0].lower().partition("+")[0]
    if kind in KINDS:
        return KINDS[kind]
    for found in entry_points(group=GROUP, name=kind):
        opener: Opener = found.load()
        return opener
    return None


def _normalise_url(place: str) -> str:
    try:
        url = urlsplit(place)
        port = url.port
    except ValueError as error:
        raise InputError(f"the address of the source is not a URL ({error}): write scheme://host/path") from error
    shown = f"{url.scheme}://{url.hostname or ''}{url.path}"
    if url.password is not None:
        raise InputError(f"source {shown} is given with a password: {LOGIN_HINT}")
    if named := [part for part in re.split("[&;]", url.query) if SECRETS.search(part.partition("=")[0])]:
        raise InputError(f"source {shown} is given with {named[0].partition('=')[0]}: {LOGIN_HINT}")
    if ".." in re.split(r"[/\\]", unquote(url.path)) or url.fragment or re.search(r"[\x00-\x20]", place):
        raise InputError(f"source {shown}: write its address without .., # and blanks")
    host = f"{url.username}@" if url.username else ""
    host += (f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname or "") + (f":{port}" if port else "")
    return f"{url.scheme}://{host}{url.path.rstrip('/')}" + (f"?{url.query}" if url.query else "")


ENCRYPTED = {"http": "https", "dav": "davs", "ftp": "sftp"}
"""What to use in place of transports that send a password as it is. IMAP goes over to TLS by itself, or refuses."""


def _check_encrypted(place: str) -> None:
    """Refuse a URL of another machine to which a password would go as it is.

    Raises:
        InputError: it is one; says what to write.
    """
    url = urlsplit(place)
    kind, _, transport = url.scheme.rpartition("+")
    if transport in ENCRYPTED and not is_loopback(url.hostname or ""):
        better = f"{kind}+{ENCRYPTED[transport]}" if kind else ENCRYPTED[transport]
        raise InputError(f"source {place} would send the password for all to read: write {better}:// in place of {url.scheme}://")


def open_source(place: str, options: SourceOptions, source_name: str) -> Source:
    """Return the source at a folder or a URL as `resolve_source` gives it. Its name says which login is its own.

    Raises:
        InputError: a package that it needs is missing, or an option, or others could read its password.
    """
    if not is_in_store(place):
        return FolderSource(Path(place), options.rights)
    opener = find_opener(place)
    if opener is None:
        raise InputError(f"{place}: the package that knows such sources is not installed here: install it on every machine")
    login = find_login(source_name)
    if login.password:
        _check_encrypted(place)
    return opener(place, options, login)
