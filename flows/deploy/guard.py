"""What stands before the local Prefect server: who may ask it, and who may change what its workers run.

A browser on the server's machine sends requests for whatever page is open in it. Such a page may only look at the UI: requests
that name another host (a name rebound to 127.0.0.1), come from another origin, or that the browser itself calls cross-site are
refused. The login admits to the API; what workers run (pull steps, entry points, commands and variables of jobs) is changed
only by who also has the deployment key, as `make deploy` and the worker have.
"""

import hmac
import json
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

KEY_HEADER = "x-pagemill-deployment-key"
API = "/api/"
UNREAD = "/api/logs"
"""Log records hold texts of any length, and run nothing."""

CHANGING = ("POST", "PUT", "PATCH")
RUNS_CODE = frozenset(
    {
        *("pull_steps", "entrypoint", "job_variables", "infra_overrides", "base_job_template"),
        *("storage_document_id", "infrastructure_document_id"),
    }
)
"""Fields of the Prefect API, in bodies of any depth, that decide which code a worker runs."""
KEPT = ("/api/deployments", "/api/work_pools")
"""What keeps these fields: a blank one there would take away what was, such as the list of what runs may be given."""
ONE_RUN = "/create_flow_run"
"""Makes a run of a deployment: blank fields leave it as it is."""

BODY_BYTES = 16 * 2**20
"""Longest body that is read: it comes before the login is looked at."""
TOO_LONG = f"the body is longer than {BODY_BYTES >> 20} MiB"

POLICY_VIOLATION = 1008
"""Why a WebSocket is closed: RFC 6455, section 7.4.1."""


class Places(NamedTuple):
    """Names by which the server is known: `hosts` without ports, and `origins` such as http://127.0.0.1:4200."""

    hosts: frozenset[str]
    origins: frozenset[str]


def list_own_host_names(addresses: Collection[str], port: int) -> Places:
    """Return the names of a server on a port of this machine, that is also reached at `addresses` (URLs, empty ones aside).

    >>> sorted(list_own_host_names(["https://flows.example.org/api", ""], 4200).origins)
    ['http://127.0.0.1:4200', 'http://[::1]:4200', 'http://localhost:4200', 'https://flows.example.org']
    """
    urls = [urlsplit(address) for address in addresses if address]
    local = {"127.0.0.1": "127.0.0.1", "localhost": "localhost", "::1": "[::1]"}
    return Places(
        hosts=frozenset({*local, *(url.hostname for url in urls if url.hostname)}),
        origins=frozenset(
            {*(f"http://{host}:{port}" for host in local.values()), *(f"{url.scheme}://{url.netloc}" for url in urls)}
        ),
    )


class Guard:
    """An ASGI application before another one."""

    def __init__(self, app: App, places: Places, key: str) -> None:
        """Guard `app`. An empty `key` leaves it to the login alone who may change what runs."""
        self._app, self._places, self._key = app, places, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403 and the reason."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        head = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = explain_refused_origin(scope, head, self._places)
        if not refusal and self._is_checked(scope, head):
            body = await _read_request_body(receive)
            refusal = TOO_LONG if body is None else find_refused_field(body, scope["path"])
            receive = _replay_request_body(body or b"", receive)
        await (_send_refusal(scope, send, refusal) if refusal else self._app(scope, receive, send))

    def _is_checked(self, scope: Scope, head: dict[str, str]) -> bool:
        """Return whether a request must change nothing that runs."""
        if not self._key or scope["type"] != "http" or scope["method"] not in CHANGING:
            return False
        path: str = scope["path"]
        given = head.get(KEY_HEADER, "").encode()
        return path.startswith(API) and not path.startswith(UNREAD) and not hmac.compare_digest(given, self._key.encode())


def explain_refused_origin(scope: Scope, head: dict[str, str], places: Places) -> str:
    """Return why a request comes from elsewhere, or "".

    A link to a page of the UI may be followed from anywhere, as in an alarm: https://www.w3.org/TR/fetch-metadata/.
    """
    host = urlsplit(f"//{head.get('host', '')}").hostname
    if host not in places.hosts:
        return "this server does not go by that host name: set PREFECT_SERVER_UI_API_URL to the address that it is reached at"
    if (origin := head.get("origin")) is not None:
        return "" if origin in places.origins else "requests of other sites are refused"
    follows = head.get("sec-fetch-mode") == "navigate" and scope.get("method") in ("GET", "HEAD")
    to_ui = scope["type"] == "http" and not scope["path"].startswith(API)
    if head.get("sec-fetch-site", "none") not in ("none", "same-origin") and not (follows and to_ui):
        return "requests of other sites are refused"
    return ""


def find_refused_field(body: bytes, path: str = "") -> str:
    """Return which field of a JSON body would change what workers run, or "". A body that is no JSON is none to Prefect either.

    >>> find_refused_field(b'{"name": "x", "pull_steps": []}')
    ''
    >>> find_refused_field(b'{"pull_steps": []}', "/api/deployments/1").partition(":")[0]
    'pull_steps'
    """
    blank_counts = path.startswith(KEPT) and ONE_RUN not in path
    try:
        members = _list_members(json.loads(body)) if body else ()
    except ValueError:
        return ""
    except RecursionError:
        return "the body is nested too deeply"
    fields = ", ".join(sorted({name for name, inner in members if inner or blank_counts} & RUNS_CODE))
    return f"{fields}: what runs is changed by make deploy, which has the deployment key, and by nobody else" if fields else ""


def _list_members(value: object) -> Iterator[tuple[str, object]]:
    """Yield the names at any depth of a JSON value, with their values. Depth costs no stack: what is deep is looked at, too."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from one.items()
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()


async def _read_request_body(receive: Receive) -> bytes | None:
    """Return the body of a request, None if it is too long."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > BODY_BYTES:
            return None
    return bytes(body)


def _replay_request_body(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read to the next one who receives it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


async def _send_refusal(scope: Scope, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason})
        return
    body = json.dumps({"detail": reason}).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 403, "headers": head})
    await send({"type": "http.response.body", "body": body})
