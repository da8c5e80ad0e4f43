"""Calls: texts to an endpoint for vectors, tried again as long as another try may help."""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from schemas.errors import DocumentError, InputError, ServiceError
from schemas.options.embedding import KEY_VARIABLES
from schemas.options.sections import EmbedOptions
from schemas.shown import quote_text
from tasks.embed.io.endpoint.responses import (
    PASSING,
    FailedTry,
    parse_retry_after,
    read_api_key,
    read_whole_response,
    retry_request,
)
from tasks.embed.vectors import Vectors

if TYPE_CHECKING:
    import httpx

WRONG_TEXT = (400, 413, 422)
"""Statuses that may be a text's fault, once the endpoint has answered to others."""
REST_SECONDS = 30.0
"""So long an endpoint that could not be reached is not asked again: work that stands in line does not wait for each call."""
SHOWN_CHARS = 200

_unreachable: dict[str, tuple[float, str]] = {}
"""Until when, by the monotonic clock, an address rests, and why."""


class Calls:
    """Asks one endpoint for the vectors of texts. Threads may share it."""

    def __init__(self, options: EmbedOptions) -> None:
        """Take the API key from the environment; without one, calls go without a key.

        Raises:
            InputError: the options name no address, or the key holds characters that no key has.
        """
        if not options.base_url:
            raise InputError(
                f"the address of the endpoint with the embedder {options.model} is not known: "
                "set embed.base_url (PAGEMILL_EMBED_BASE_URL)"
            )
        self._options, self._key = options, read_api_key(KEY_VARIABLES)
        self._url = f"{options.base_url.rstrip('/')}/embeddings"

    def embed(self, texts: Sequence[str], probing: bool = False) -> Vectors:
        """Return what the endpoint makes of `texts`, of shape (texts, the model's dimension), in their order, NaN where it lacks.

        `probing`: whether nothing is known yet of the endpoint, so that no text is to blame.

        Raises:
            ServiceError: no try was answered as it should be, or the server asks for a longer wait than `max_wait_seconds`.
            DocumentError: the endpoint refuses the texts, though it took others.
            InputError: the endpoint refuses the call: its key, its model or its address is wrong.
        """
        rested, why = _unreachable.get(self._url, (0.0, ""))
        if time.monotonic() < rested:
            raise ServiceError(why)
        options = self._options
        return retry_request(
            lambda: self._try(texts, probing), self._url, options.retry_seconds, options.max_wait_seconds, "vectors", "vectors"
        )

    def _try(self, texts: Sequence[str], probing: bool) -> Vectors | FailedTry:
        import httpx

        options = self._options
        body: dict[str, Any] = {"model": options.model, "input": [text or " " for text in texts]}
        if options.dimensions is not None:
            body["dimensions"] = options.dimensions
        try:
            response = read_whole_response(
                _open_client(self._key, options.timeout_seconds), self._url, body, options.timeout_seconds
            )
        except httpx.ReadTimeout:
            return FailedTry(f"no answer within {options.timeout_seconds:g} s (embed.timeout_seconds)")
        except httpx.InvalidURL as error:
            raise InputError(f"{self._url} is not an address ({error}): correct embed.base_url") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return self._pause_calls(f"it cannot be reached ({type(error).__name__}: {error})")
        except httpx.RequestError as error:
            return FailedTry(f"{type(error).__name__}: {error}")
        _unreachable.pop(self._url, None)
        if response.status_code in PASSING or response.is_server_error:
            return FailedTry(f"status {response.status_code} ({self._quote(response)})", parse_retry_after(response))
        if not response.is_success:
            raise self._make_refusal(response, probing)
        return self._parse_vectors(response, len(texts))

    def _pause_calls(self, reason: str) -> FailedTry:
        why = (
            f"{self._url} gives no vectors: {reason}: check that it is running, then run the same again; vectors so far are kept"
        )
        _unreachable[self._url] = (time.monotonic() + REST_SECONDS, why)
        return FailedTry(reason)

    def _parse_vectors(self, response: "httpx.Response", n: int) -> Vectors | FailedTry:
        try:
            rows = {int(item.get("index", at)): item["embedding"] for at, item in enumerate(response.json()["data"])}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._url} did not answer with vectors, but with {self._quote(response)}: check embed.base_url and embed.model"
            ) from error
        if sorted(rows) != list(range(n)):
            return FailedTry(f"it answered with {len(rows)} vectors to {n} texts")
        width = max(len(row or ()) for row in rows.values()) or 1
        try:
            return np.array([rows[at] or [None] * width for at in range(n)], dtype=np.float32)  # of None NumPy makes NaN
        except (ValueError, TypeError) as error:
            raise InputError(
                f"{self._url} answered with vectors that are no rows of numbers of one length: check embed.model"
            ) from error

    def _make_refusal(self, response: "httpx.Response", probing: bool) -> InputError | DocumentError:
        """Return the error for a status that another try cannot cure."""
        said = f"{self._url} refuses the call with status {response.status_code} ({self._quote(response)})"
        if response.status_code in WRONG_TEXT and not probing:
            return DocumentError(f"{said}: lower chunk.size_tokens or embed.max_tokens if a text is too long for the model")
        remedies = {
            401: f"set {' or '.join(KEY_VARIABLES)} in the environment to a valid key",
            403: "use a key that may use this model",
            404: "check embed.base_url and embed.model",
        }
        return InputError(
            f"{said}: {remedies.get(response.status_code, 'check embed.base_url, embed.model and embed.dimensions')}"
        )

    def _quote(self, response: "httpx.Response") -> str:
        """Return the beginning of a response for a message, without the key."""
        said = response.text.replace(self._key, "***") if self._key else response.text
        return quote_text(said, SHOWN_CHARS)


@lru_cache(maxsize=4)
def _open_client(key: str, timeout_seconds: float) -> "httpx.Client":
    """Return the connections of this process."""
    import httpx

    return httpx.Client(timeout=timeout_seconds, headers={"Authorization": f"Bearer {key}"} if key else {})
