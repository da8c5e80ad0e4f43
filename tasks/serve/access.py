"""Who may ask: which addresses need a token, which requests a server on loopback takes, and what answers tell browsers."""

import hmac
import ipaddress
import re
from collections.abc import Mapping
from typing import NamedTuple

from schemas.errors import InputError

TOKEN = "PAGEMILL_SERVE_TOKEN"
TOKEN_FORM = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
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


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server at `host`.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("corpus.example.org")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_token_if_exposed(host: str, token: str | None) -> str | None:
    """Return the token that requests must bring; None if they need none.

    Raises:
        InputError: the host can be reached from other machines and there is no token, or the token is weak.
    """
    if not token:
        if is_loopback(host):
            return None
        raise InputError(f"--host {host} can be reached from other machines: set {TOKEN} (openssl rand -hex 32 makes one)")
    if not TOKEN_FORM.fullmatch(token):
        raise InputError(f"{TOKEN} must have 16 to 512 letters, digits or ._~+/=-: openssl rand -hex 32 makes one")
    return token


def find_refusal_of_request(path: str, headers: Mapping[str, str], token: str | None) -> Refusal | None:
    """Return why a request is refused, or None. The names of `headers` are in lower case, values of one name joined by commas.

    No page of another site, opened in a browser here, may ask in its user's name. Without a token only this machine may ask, by
    the names of the loopback.
    """
    if _is_from_other_site(path, headers):
        return Refusal(403, "pages of other sites may not ask this server: open its own page")
    if token is None:
        if _strip_port(headers.get("host", "")) in LOOPBACK_NAMES:
            return None
        return Refusal(421, f"this server answers to localhost only: open it by that name, or set {TOKEN}")
    if path in PUBLIC or path.startswith(STATIC) or has_valid_token(headers, token):
        return None
    return Refusal(401, f"this server needs a token: send the header Authorization: Bearer with the value of {TOKEN}")


def has_valid_token(headers: Mapping[str, str], token: str) -> bool:
    """Return whether a request brings the token. The comparison takes as long for every token of a length."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("utf-8", "replace"), token.encode())


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
