"""Failures of places on a network: why, and what to do, in one line without what is secret."""

import re
import time
from collections.abc import Callable
from typing import TypeVar

from schemas.errors import StoreError
from tasks.store.sources.logins import DESTINATION_PASSWORD, DESTINATION_USER, PASSWORD, USER, list_passwords

ATTEMPTS, WAIT_SECONDS = 3, 1.0
"""A request that fails for a reason that may pass is made so often, with such waits."""
FINAL = re.compile("HostKeyNotVerifiable|CERTIFICATE_VERIFY|AUTHENTICATIONFAILED|Name or service")
"""Failures that another attempt does not cure."""

LOGIN = re.compile(r"//[^/@\s]*@|(?<=[?&])[^=&\s]*=[^&\s]*")
"""Name and password of an address, and the values of its query."""

REASONS = (
    (
        r"HostKeyNotVerifiable|host key",
        "this machine does not know the host's key: connect once by ssh, and compare and accept it",
    ),
    (r"CERTIFICATE|certificate", "its certificate is not valid: have it renewed, or add its authority to those of this machine"),
    (
        r"PermissionDenied|Permission denied|Forbidden|Unauthorized|\b40[13]\b|[Aa]uthentication|AUTHENTICATIONFAILED|login"
        "|no password",
        f"it refuses this user: set {USER} and {PASSWORD} (of destinations {DESTINATION_USER} and {DESTINATION_PASSWORD}), or a "
        "key that the place knows, and grant the rights to list and read, or to write",
    ),
    (r"\b429\b|\b503\b|Too Many", "it asks for fewer requests: run this again later"),
    (r"getaddrinfo|gaierror|Name or service|nodename|resolve", "its host is unknown: correct the address"),
    (r"not found|No such file|\b404\b", "something went while it was listed: run this again"),
    (r"", "it does not answer as it should: look at the address, the network and its log, then run this again"),
)
"""What to do, by what an error says; the first that fits is meant."""


Answer = TypeVar("Answer")


def ask_repeatedly(place: str, request: Callable[[], Answer], told: tuple[type[Exception], ...]) -> Answer:
    """Return what a request gives; it is made again when it fails. Errors that are `told` are answers: they are raised at once.

    Raises:
        StoreError: it fails each time.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return request()
        except told:
            raise
        except Exception as error:
            if attempt == ATTEMPTS or FINAL.search(f"{type(error).__name__} {error}"):
                raise make_source_error(place, error) from error
            time.sleep(WAIT_SECONDS * attempt)
    raise AssertionError("unreachable")


def make_source_error(place: str, error: Exception) -> StoreError:
    """Return the error for what went wrong with a whole place. It names its cause, and no password.

    >>> str(make_source_error("sftp://host/docs", ConnectionResetError("reset by peer"))).partition(" (")[2]
    'ConnectionResetError: reset by peer)'
    """
    said = hide_secrets(f"{type(error).__name__}: {error}".removesuffix(": ")).splitlines()[0][:200]
    remedy = next(remedy for pattern, remedy in REASONS if re.search(pattern, said))
    return StoreError(f"{place}: {remedy} ({said})")


def hide_secrets(text: str) -> str:
    """Return a text without logins in addresses and without the passwords of the environment."""
    shown = LOGIN.sub("…", text)
    for password in list_passwords():
        shown = shown.replace(password, "…")
    return shown
