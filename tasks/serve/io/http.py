"""The service over HTTP: its paths, its errors, and who may ask."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schemas.access import Principal
from schemas.errors import AccessError, InputError, NoPicture, PagemillError, UnknownDocument
from schemas.served import Problem
from tasks.serve.access import (
    HEADERS,
    STATIC,
    Refusal,
    find_refusal_of_request,
    get_bearer_token,
    has_valid_token,
    parse_groups_header,
)
from tasks.serve.io.paths import PAGES, make_page_router, make_service_router
from tasks.serve.io.service import Service
from tasks.serve.io.threads import Threads
from tasks.serve.io.tokens import TokenFile

logger = logging.getLogger(__name__)

STATUS = ((InputError, 400), (AccessError, 403), (UnknownDocument, 404), (NoPicture, 404), (PagemillError, 503))
UNFORESEEN = "the server failed in an unexpected way: its log says how"
SHORT = "the system refused a file, memory or a connection: ask again, and look into the server's log"
SHOWN_CHARS = 100
REFUSED_SECONDS, SLOWED_AT_ONCE = 1.0, 50
"""So long a request with a wrong token waits for its answer, and how many do: more would take connections from others."""


class Keys(NamedTuple):
    """How askers are known: by one token for all, by the tokens of a file, by a header of the proxy that brings the one token."""

    token: str | None = None
    tokens: TokenFile | None = None
    groups_header: str | None = None


McpPart = tuple[list[BaseRoute], Callable[[], AbstractAsyncContextManager[None]]]
"""The paths of the MCP server, and what must run as long as it does."""


def make_http_application(service: Service, threads: Threads, keys: Keys, mcp: McpPart | None) -> ASGIApp:
    """Return the application. With a token in `keys`, requests must bring one; else they must come from this machine."""

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(service.close)
            if mcp:
                await stack.enter_async_context(mcp[1]())
            yield

    app = FastAPI(
        title="Pagemill",
        version=version("pagemill"),
        description="Search in a published corpus. Every result cites its document, pages and boxes, or places.",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
    )
    app.include_router(make_service_router(service, threads))
    app.include_router(make_page_router())
    app.router.routes.extend(mcp[0] if mcp else [])
    app.mount(STATIC, StaticFiles(directory=PAGES), name="static")
    app.add_exception_handler(PagemillError, _answer_pagemill_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid_parameters)
    app.add_exception_handler(HTTPException, _answer_http_error)
    return Guard(app, keys)


async def _answer_pagemill_error(_: Request, error: Exception) -> JSONResponse:
    status = next(code for kind, code in STATUS if isinstance(error, kind))
    return make_problem_response(status, type(error).__name__, str(error))


async def _answer_invalid_parameters(_: Request, error: Exception) -> JSONResponse:
    """Say in a sentence what is wrong with the parameters of a request."""
    found = [_describe_invalid_parameter(each) for each in (error.errors() if isinstance(error, RequestValidationError) else [])]
    return make_problem_response(400, "InputError", f"{'; '.join(found)}: /docs lists the parameters")


def _describe_invalid_parameter(found: ErrorDetails) -> str:
    given = "" if found["type"] == "missing" else f" {str(found['input'])[:SHOWN_CHARS]!r}"
    return f"{found['loc'][-1]}{given}: {found['msg'][0].lower()}{found['msg'][1:]}"


async def _answer_http_error(request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    asked = f"{request.method[:SHOWN_CHARS]} {request.url.path[:SHOWN_CHARS]}"
    return make_problem_response(status, "InputError", f"{asked} is not offered: /docs lists what is")


def make_problem_response(status: int, error: str, message: str) -> JSONResponse:
    """Return an error as an answer. Text that is not UTF-8 is replaced."""
    plain = message.encode("utf-8", "replace").decode()
    return JSONResponse(Problem(error=error, message=plain).model_dump(), status)


class Guard:
    """Stands before all paths: it refuses who may not ask, adds HEADERS to every answer, and answers every failure.

    It says in the scope of a request who asks, as its `principal`: None if that is not known.
    """

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys
        self._n_refused, self._n_slowed, self._logged = 0, 0, -REFUSED_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_sealed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*_drop_security_headers(message["headers"]), *_SEALS]
            await send(message)

        headers = join_headers(scope["headers"])
        holder = self._keys.tokens.find_principal(get_bearer_token(headers)) if self._keys.tokens else None
        refused = find_refusal_of_request(scope["path"], headers, self._keys.token, holder)
        asker = holder if isinstance(holder, Principal) else self._find_proxied(scope, headers)
        refused = refused or (asker if isinstance(asker, Refusal) else None)
        scope["principal"] = None if isinstance(asker, Refusal) else asker
        if refused and refused.status == 401 and "authorization" in headers:
            await self._delay_wrong_token(scope.get("client"))
        app: Any = make_problem_response(refused.status, "Refused", refused.message) if refused else self._app
        try:
            await app(scope, receive, send_sealed)
        except Exception as error:
            logger.exception("a request to %s failed", scope["path"][:SHOWN_CHARS])
            if begun:
                raise
            answer = (503, SHORT) if isinstance(error, OSError) else (500, UNFORESEEN)
            await make_problem_response(answer[0], "Failure", answer[1])(scope, receive, send_sealed)

    def _find_proxied(self, scope: Scope, headers: dict[str, str]) -> Principal | Refusal | None:
        """Return who the proxy says asks: only who brings the server's own token is the proxy."""
        token, name = self._keys.token, self._keys.groups_header
        if token is None or name is None or not has_valid_token(headers, token):
            return None
        return parse_groups_header([value.decode("latin-1") for key, value in scope["headers"] if key.decode("latin-1") == name])

    async def _delay_wrong_token(self, client: tuple[str, int] | None) -> None:
        """Let a client with a wrong token wait, and log it: each second one line that counts those before it."""
        self._n_refused += 1
        now = asyncio.get_running_loop().time()
        if now > self._logged + REFUSED_SECONDS:
            logger.warning("a token was refused, from %s (%d since the start)", client[0] if client else "?", self._n_refused)
            self._logged = now
        if self._n_slowed < SLOWED_AT_ONCE:
            self._n_slowed += 1
            try:
                await asyncio.sleep(REFUSED_SECONDS)
            finally:
                self._n_slowed -= 1


def join_headers(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name; values of one name are joined by commas, so that no second one hides the first.

    >>> join_headers([(b"origin", b"http://localhost"), (b"origin", b"http://evil.example")])
    {'origin': 'http://localhost, http://evil.example'}
    """
    found: dict[str, str] = {}
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers):
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


_SEALS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def _drop_security_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name.decode("latin-1").lower() not in HEADERS]
