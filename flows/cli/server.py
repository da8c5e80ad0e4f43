"""The Prefect server: if one answers, runs of the command line are shown in its UI.

It is the one that PREFECT_API_URL or Prefect's profile names, or else the one that this user started by `make up`: its address
and login stand in a private folder. Whoever else listens on its port is sent nothing.
"""

import base64
import json
import os
import shlex
import ssl
import stat
import tomllib
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from flows.cli.output import print_warning
from schemas.errors import ServiceError

RUN_DIR, CLONE = "PAGEMILL_RUN_DIR", Path(__file__).parents[2]
"""Where `make up` keeps what it needs: the folder that the variable names, or .run in the clone."""

LISTENS = "0A"
"""State of a socket in /proc/net/tcp: https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html."""

ANSWER_SECONDS = 2.0
"""Longest wait for each answer of the server."""

ANSWER_BYTES = 1000
"""Most bytes of an answer that are read: answers of a Prefect server are short."""

REFUSED = (401, 403)
URL, LOGIN, KEY, CERTIFICATES = "PREFECT_API_URL", "PREFECT_API_AUTH_STRING", "PREFECT_API_KEY", "PREFECT_API_SSL_CERT_FILE"


class Absent(ServiceError):
    """Nothing listens at the address."""


def get_prefect_server_url() -> str | None:
    """Return the API URL of the Prefect server for runs, or None to run without a server.

    The URL comes from PREFECT_API_URL, then from Prefect's active profile, then from `make up`. If a server is named and does not
    answer, a line on stderr says so.
    """
    named = {**_read_prefect_profile(), **{name: value for name, value in os.environ.items() if value}}
    settings = named if URL in named else {**_read_address(), **named}
    if not (url := settings.get(URL)):
        return None
    try:
        _check_prefect_server(url, settings)
    except ServiceError as error:
        if URL in named or not isinstance(error, Absent):
            print_warning(f"{error}: this run continues without a server and does not appear in its UI")
        return None
    return url


def get_address_file() -> Path:
    """Return the path of the file in which `make up` keeps address and login of its server; it is there while that is up."""
    return Path(os.environ.get(RUN_DIR) or CLONE / ".run") / "server.env"


def _read_address() -> dict[str, str]:
    """Return address and login of the server that this user started by `make up`; nothing if another user listens there."""
    path = get_address_file()
    try:
        found = path.stat()
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
            return {}
        words = shlex.split(path.read_text("utf-8"), comments=True)
    except (OSError, ValueError):
        return {}  # no server was started, or the file is cut: `make up` writes it again
    settings = dict(word.split("=", 1) for word in words if "=" in word)
    port = urlsplit(settings.get(URL, "")).port
    return settings if port and find_users_listening(port) == {os.geteuid()} else {}


def find_users_listening(port: int) -> set[int]:
    """Return the ids of the users whose processes listen on a port of this machine."""
    tables = [path for path in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")) if path.exists()]
    rows = [line.split() for path in tables for line in path.read_text().splitlines()[1:]]
    return {int(row[7]) for row in rows if row[3] == LISTENS and row[1].endswith(f":{port:04X}")}


@contextmanager
def report_to_prefect_server(url: str) -> Iterator[None]:
    """Let Prefect use the server at `url` inside the block, with the login of `make up` if it is that server."""
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

    here = {} if PREFECT_API_AUTH_STRING.value() else _read_address()
    login = {PREFECT_API_AUTH_STRING: here[LOGIN]} if here.get(URL) == url and LOGIN in here else {}
    with temporary_settings({PREFECT_API_URL: url, **login}):
        yield


def _read_prefect_profile() -> dict[str, str]:
    """Return the settings of Prefect's active profile, without importing Prefect, which takes a second."""
    home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    path = Path(os.environ.get("PREFECT_PROFILES_PATH") or home / "profiles.toml")
    try:
        found = tomllib.loads(path.read_text("utf-8"))
        profile = found["profiles"][os.environ.get("PREFECT_PROFILE") or found["active"]]
        return {name: str(value) for name, value in profile.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # no profile, or a wrong one: Prefect itself reports what is wrong when it is needed


def _check_prefect_server(url: str, settings: Mapping[str, str]) -> None:
    """Check that a Prefect server answers at `url` and accepts the login.

    Raises:
        ServiceError: the check failed.
    """
    shown = _split_login_from_url(url)[0]
    if _get_json(f"{url}/health", settings) is not True:
        raise ServiceError(f"no Prefect server answers at {shown}")
    try:
        _get_json(f"{url}/admin/version", settings)
    except PermissionError as error:
        raise ServiceError(f"the Prefect server at {shown} requires a login (set {LOGIN})") from error


def _get_json(url: str, settings: Mapping[str, str]) -> Any:
    """Return the JSON answer of a server to a GET; None for an HTTP error that is not about the login.

    Raises:
        PermissionError: the server requires a login.
        ServiceError: no server answers, or the answer is not JSON.
    """
    shown, login = _split_login_from_url(url)
    try:
        trusted = ssl.create_default_context(cafile=settings.get(CERTIFICATES)) if url.startswith("https:") else None
        request = urllib.request.Request(shown, headers=_make_login_header(settings.get(LOGIN) or login, settings.get(KEY)))
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS, context=trusted) as answer:
            return json.loads(answer.read(ANSWER_BYTES))
    except HTTPError as error:
        if error.code in REFUSED:
            raise PermissionError(str(error)) from error
        return None
    except (OSError, ValueError, HTTPException) as error:
        absent = isinstance(error, URLError) and isinstance(error.reason, ConnectionRefusedError)
        kind = Absent if absent else ServiceError
        raise kind(f"no Prefect server answers at {shown.removesuffix('/health')}") from error


def _make_login_header(login: str | None, key: str | None) -> dict[str, str]:
    """Return the header for the login, the same as that of Prefect's client."""
    if login:
        return {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"}
    return {"Authorization": f"Bearer {key}"} if key else {}


def _split_login_from_url(url: str) -> tuple[str, str]:
    """Return a URL without its login, which can be shown, and the login.

    >>> _split_login_from_url("https://me:secret@flows.example/api")
    ('https://flows.example/api', 'me:secret')
    """
    head, slashes, rest = url.partition("//")
    place, slash, path = rest.partition("/")
    login, _, host = place.rpartition("@")
    return head + slashes + host + slash + path, login
