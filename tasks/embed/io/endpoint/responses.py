"""Responses of an endpoint: read whole within a time, and what they say of another try. Keys come from the environment."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from schemas.errors import InputError, ServiceError

if TYPE_CHECKING:
    import httpx

PASSING = (408, 409, 425, 429)
"""Statuses that another try may cure, besides those of the server's own errors."""


Result = TypeVar("Result")


class FailedTry(NamedTuple):
    """A try that failed in a way that may pass: the reason, and the seconds that the server asks to wait."""

    reason: str
    wait_seconds: float = 0.0


def read_api_key(variables: Sequence[str]) -> str:
    """Return the API key in the first of the environment variables that is set; blank if none of them is set.

    Raises:
        InputError: the key holds characters that no key has.
    """
    for name in variables:
        if key := os.environ.get(name, "").strip():
            if not key.isascii() or not key.isprintable():
                raise InputError(f"the environment variable {name} holds characters that no key has: copy the key again")
            return key
    return ""


def retry_request(
    attempt: Callable[[], Result | FailedTry], url: str, waits: Sequence[float], max_wait_seconds: float, lacking: str, kept: str
) -> Result:
    """Return what `attempt` returns unless that is a failure; after each of `waits`, in seconds, it is called once more.

    `lacking` and `kept` say in the error what `url` does not give, and what stays of what it gave before.

    Raises:
        ServiceError: every try failed, or the server asks for a longer wait than `max_wait_seconds`.
    """
    began, failed = time.monotonic(), FailedTry("")
    for wait in (*waits, None):
        found = attempt()
        if not isinstance(found, FailedTry):
            return found
        failed = found
        if wait is None or failed.wait_seconds > max_wait_seconds:
            break
        time.sleep(max(wait, failed.wait_seconds))
    wanted = f", and asks to wait {failed.wait_seconds:.0f} s" if failed.wait_seconds else ""
    raise ServiceError(
        f"{url} gives no {lacking} after {time.monotonic() - began:.0f} s: {failed.reason}{wanted}: "
        f"check the endpoint and its limits, then run the same again; {kept} so far are kept"
    )


def read_whole_response(client: "httpx.Client", url: str, body: Mapping[str, object], timeout_seconds: float) -> "httpx.Response":
    """Return the response to one try. httpx's own time-out is one for each part of it, so a slow drip would never end.

    Raises:
        httpx.ReadTimeout: the response is not whole in time.
        httpx.TransportError: the connection fails.
    """
    import httpx

    ends = time.monotonic() + timeout_seconds
    with client.stream("POST", url, json=body) as response:
        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if time.monotonic() > ends:
                raise httpx.ReadTimeout("the answer comes too slowly")
        kept = {name: response.headers[name] for name in ("Retry-After",) if name in response.headers}
        return httpx.Response(response.status_code, headers=kept, content=bytes(content))


def parse_retry_after(response: "httpx.Response") -> float:
    """Return the seconds that the header Retry-After asks for, which holds seconds or a date; 0 if it cannot be read."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
