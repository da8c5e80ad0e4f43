"""Who may ask: which addresses need a token, which requests a server on loopback takes, and what answers tell browsers."""

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from typing import NamedTuple

from schemas.access import Principal
from schemas.errors import InputError
from schemas.hosts import is_loopback

TOKEN = "PAGEMILL_SERVE_TOKEN"
TOKEN_FORM = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
SHA256, DAY = re.compile(r"[0-9a-f]{64}"), re.compile(r"\d{4}-\d\d-\d\d")
TOKEN_KEYS = {"sha256", "groups", "expires", "name"}
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
PUBLIC = ("/", "/docs", "/openapi.json", "/health")
"""Paths that need no token: they hold no text of documents. So do all below STATIC."""
STATIC = "/static/"
NAVIGABLE = ("/", "/docs")
"""Pages that a link of another site may open."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Sent with every answer: nothing from elsewhere is loaded or run, no other site shows or reads it, nothing is kept."""


class Refusal(NamedTuple):
    """Why a request is not answered: an HTTP status, and what to do."""

    status: int
    message: str


def require_token_if_exposed(host: str, token: str | None, has_file: bool = False) -> str | None:
    """Return the token that requests must bring; None if they need none, or one of a file (`has_file`).

    Raises:
        InputError: the host can be reached from other machines and there is no token, or the token is weak.
    """
    if not token:
        if has_file or is_loopback(host):
            return None
        raise InputError(
            f"--host {host} can be reached from other machines: set {TOKEN} (openssl rand -hex 32 makes one), or give --tokens"
        )
    if not TOKEN_FORM.fullmatch(token):
        raise InputError(f"{TOKEN} must have 16 to 512 letters, digits or ._~+/=-: openssl rand -hex 32 makes one")
    return token


class TokenHolder(NamedTuple):
    """Who a token stands for, and from when on it does no longer."""

    principal: Principal
    expires: datetime


def parse_token_lines(content: str, shown: str) -> dict[str, TokenHolder]:
    """Return the holders of tokens by the SHA-256 of each, in hexadecimal digits, from JSON lines; `shown` names the file.

    A line has `sha256`, `groups` and `expires`, a day in UTC, of which the token is still good, or a time with its zone; and
    perhaps a `name` for people and the audit log.

    Raises:
        InputError: a line is wrong; the message names it.
    """
    holders: dict[str, TokenHolder] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            made = json.loads(line)
            digest, groups, expires, name = made["sha256"], made["groups"], made["expires"], made.get("name", "")
            known = SHA256.fullmatch(digest) and isinstance(groups, list) and isinstance(name, str)
            if not known or not made.keys() <= TOKEN_KEYS or digest in holders:
                raise ValueError(line)
            holders[digest] = TokenHolder(Principal(groups, name=name), _parse_expiry(expires))
        except (ValueError, TypeError, KeyError, AttributeError, InputError) as error:
            raise InputError(
                f"{shown} line {number} is no token: write an object with sha256, groups (a list), expires (a day) and perhaps "
                "name, each sha256 once, as pagemill access token does"
            ) from error
    return holders


def _parse_expiry(written: str) -> datetime:
    """Return when a token expires; a day is its end in UTC."""
    if DAY.fullmatch(written):
        return datetime.combine(datetime.fromisoformat(written).date(), time.max, UTC)
    found = datetime.fromisoformat(written)
    if found.tzinfo is None:
        raise ValueError(written)
    return found


def get_bearer_token(headers: Mapping[str, str]) -> str:
    """Return the token that a request brings; blank if it brings none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def parse_groups_header(values: Sequence[str]) -> Principal | Refusal | None:
    """Return who a trusted proxy says asks, by the values of its header: groups with commas. None if it does not say.

    >>> parse_groups_header(["finance, board"]).groups == {"finance", "board"}
    True
    """
    if not values:
        return None
    if len(values) > 1:
        return Refusal(400, "the header of groups is there more than once: the proxy must set it, and drop what clients send")
    try:
        return Principal(name.strip() for name in values[0].split(",") if name.strip())
    except InputError as error:
        return Refusal(400, str(error))


def find_refusal_of_request(
    path: str, headers: Mapping[str, str], token: str | None, holder: Principal | Refusal | None = None
) -> Refusal | None:
    """Return why a request is refused, or None. The names of `headers` are in lower case, values of one name joined by commas.

    No page of another site, opened in a browser here, may ask in its user's name. Without a token only this machine may ask, by
    the names of the loopback. `holder` is what a file of tokens says of the token that it brings; None: there is no such file.
    """
    if _is_from_other_site(path, headers):
        return Refusal(403, "pages of other sites may not ask this server: open its own page")
    if token is None and holder is None:
        if _strip_port(headers.get("host", "")) in LOOPBACK_NAMES:
            return None
        return Refusal(421, f"this server answers to localhost only: open it by that name, or set {TOKEN}")
    if path in PUBLIC or path.startswith(STATIC) or isinstance(holder, Principal):
        return None
    if token is not None and has_valid_token(headers, token):
        return None
    if holder is not None and get_bearer_token(headers):
        return holder
    if holder is not None:
        return Refusal(401, "this server needs a token of yours: send the header Authorization: Bearer with it")
    if get_bearer_token(headers):
        return Refusal(401, f"this token is wrong: send the value of {TOKEN}")
    return Refusal(401, f"this server needs a token: send the header Authorization: Bearer with the value of {TOKEN}")


def has_valid_token(headers: Mapping[str, str], token: str) -> bool:
    """Return whether a request brings the token. The comparison takes as long for every token of a length."""
    return hmac.compare_digest(get_bearer_token(headers).encode("utf-8", "replace"), token.encode())


def _is_from_other_site(path: str, headers: Mapping[str, str]) -> bool:
    """Return whether a page of another site asks. Another port is another site.

    Browsers say so in Sec-Fetch-Site, which a proxy leaves as it is; those that do not send it name the page's address as Origin.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None:
        return origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()
    navigates = headers.get("sec-fetch-mode") == "navigate" and path in NAVIGABLE
    return site not in ("same-origin", "none") and not navigates


def _strip_port(host: str) -> str:
    """Return the name in a host and port.

    >>> _strip_port("localhost:4300"), _strip_port("[::1]:4300"), _strip_port("127.0.0.1"), _strip_port("localhost.evil.example")
    ('localhost', '::1', '127.0.0.1', 'localhost.evil.example')
    """
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::\d+)?", host)
    return (bracketed[1] if bracketed else re.sub(r":\d+$", "", host)).lower()
