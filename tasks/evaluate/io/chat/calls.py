"""Calls: one POST to the endpoint, tried again as long as another try may help."""

from typing import TYPE_CHECKING, Any

from schemas.errors import InputError
from schemas.options.chat import KEY_VARIABLES, ChatOptions
from tasks.embed.io.endpoint.responses import PASSING, Failed, key_of, tried_again, wait_of, whole_response
from tasks.evaluate.io.chat.ledger import Ledger
from tasks.evaluate.prompts import quote_text
from tasks.evaluate.spending import Usage, read_usage

if TYPE_CHECKING:
    import httpx

UNKNOWN_FORMAT = (400, 422, 501)
"""Statuses of endpoints that do not know `response_format`."""


class Calls:
    """Posts to one endpoint, and enters in `ledger` what each try costs. Threads may share it."""

    def __init__(self, options: ChatOptions, ledger: Ledger) -> None:
        """Take the API key from the environment; without one, calls go without a key.

        Raises:
            InputError: the key holds characters that no key has.
        """
        import httpx

        self._key = key_of(KEY_VARIABLES)
        self._options, self._ledger = options, ledger
        self._url = f"{options.base_url.rstrip('/')}/chat/completions"
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.Client(timeout=options.timeout_seconds, headers=headers)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def post(self, body: dict[str, Any], most: Usage) -> "httpx.Response":
        """Return the response to `body`, also one with a status that another try cannot cure. A try uses at most `most`.

        Raises:
            ServiceError: no try was answered, or the server asks for a longer wait than `options.max_wait_seconds`.
            CostError: the next try could cost more than allowed.
        """
        options = self._options
        return tried_again(
            lambda: self._try(body, most), self._url, options.retry_seconds, options.max_wait_seconds, "answer", "answers"
        )

    def _try(self, body: dict[str, Any], most: Usage) -> "httpx.Response | Failed":
        import httpx

        with self._ledger.call(most) as call:
            try:
                response = whole_response(self._client, self._url, body, self._options.timeout_seconds)
            except httpx.ReadTimeout:  # the server may have worked, so this counts as if it had
                return Failed(f"no answer within {self._options.timeout_seconds:g} s (chat.timeout_seconds)")
            except httpx.InvalidURL as error:
                raise InputError(f"{self._url} is not an address ({error}): correct base_url") from error
            except httpx.TransportError as error:
                call.record(Usage())
                return Failed(f"{type(error).__name__}: {error}")
            call.record(read_usage(response.content, most) if response.is_success else Usage())
        if response.status_code in PASSING or (response.is_server_error and response.status_code not in UNKNOWN_FORMAT):
            return Failed(f"status {response.status_code} ({self._excerpt(response)})", wait_of(response))
        return response

    def refusal(self, response: "httpx.Response") -> InputError:
        """Return the error for a status that another try cannot cure."""
        remedies = {
            401: f"set {' or '.join(KEY_VARIABLES)} in the environment to a valid key",
            403: "use a key that may use this model",
            404: "check base_url and model",
        }
        remedy = remedies.get(response.status_code, "check base_url, model and max_tokens")
        return InputError(
            f"{self._url} refuses the call with status {response.status_code} ({self._excerpt(response)}): {remedy}"
        )

    def _excerpt(self, response: "httpx.Response") -> str:
        """Return the beginning of a response for a message, without the key."""
        return quote_text(response.text.replace(self._key, "***") if self._key else response.text)
