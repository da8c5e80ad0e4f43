"""Failures of places on a network: why, and what to do, in one line without what is secret."""

import os
import re

from schemas.errors import StoreError

USER, PASSWORD = "PAGEMILL_SOURCE_USER", "PAGEMILL_SOURCE_PASSWORD"
"""The variables that hold the name and the password, or token, for a source."""

LOGIN = re.compile(r"//[^/@\s]*@|(?<=[?&])[^=&\s]*=[^&\s]*")
"""Name and password of an address, and the values of its query."""

REASONS = (
    (
        r"HostKeyNotVerifiable|host key",
        "this machine does not know the host's key: connect once by ssh, and compare and accept it",
    ),
    (r"CERTIFICATE|certificate", "its certificate is not valid: have it renewed, or add its authority to those of this machine"),
    (
        r"PermissionDenied|Permission denied|Forbidden|Unauthorized|\b40[13]\b|[Aa]uthentication|AUTHENTICATIONFAILED|login",
        f"it refuses this user: set {USER} and {PASSWORD}, or a key that the place knows, and grant the rights to list and read",
    ),
    (r"\b429\b|\b503\b|Too Many", "it asks for fewer requests: run this again later"),
    (r"getaddrinfo|gaierror|Name or service|nodename|resolve", "its host is unknown: correct the address"),
    (r"not found|No such file|\b404\b", "something went while it was listed: run this again"),
    (r"", "it does not answer as it should: look at the address, the network and its log, then run this again"),
)
"""What to do, by what an error says; the first that fits is meant."""


def make_source_error(place: str, error: Exception) -> StoreError:
    """Return the error for what went wrong with a whole place. It names its cause, and no password.

    >>> str(make_source_error("sftp://host/docs", ConnectionResetError("reset by peer"))).partition(" (")[2]
    'ConnectionResetError: reset by peer)'
    """
    said = hide_secrets(f"{type(error).__name__}: {error}".removesuffix(": ")).splitlines()[0][:200]
    remedy = next(remedy for pattern, remedy in REASONS if re.search(pattern, said))
    return StoreError(f"{place}: {remedy} ({said})")


def hide_secrets(text: str) -> str:
    """Return a text without logins in addresses and without the password of the environment."""
    shown = LOGIN.sub("…", text)
    password = os.environ.get(PASSWORD)
    return shown.replace(password, "…") if password else shown
