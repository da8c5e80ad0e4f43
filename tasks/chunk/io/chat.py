"""Chat: questions to an OpenAI-compatible endpoint."""

import os
from types import TracebackType
from typing import Any, Self

from schemas.errors import InputError, ServiceError

TIMEOUT_SECONDS = 120.0
PASSING = (408, 425, 429)
"""Errors that another try may cure: time-out, too early, too many calls."""


class Chat:
    """A connection to one model of an endpoint. It answers at temperature 0."""

    def __init__(self, endpoint: str, model: str, key_variable: str = "") -> None:
        """`key_variable` names the environment variable with the API key; blank if the endpoint needs none.

        Raises:
            InputError: the variable is not set.
        """
        import httpx

        key = os.environ.get(key_variable, "") if key_variable else ""
        if key_variable and not key:
            raise InputError(f"the environment variable {key_variable} is not set: set it to the API key of {endpoint}")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._url, self._model = endpoint.rstrip("/") + "/chat/completions", model
        self._client = httpx.Client(timeout=TIMEOUT_SECONDS, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.close()

    def ask(self, instruction: str, question: str) -> str:
        """Return the model's answer.

        Raises:
            ServiceError: the endpoint cannot be reached, is overloaded, or does not answer with a chat completion.
            InputError: the endpoint refuses the call: its key, its model or its address is wrong.
        """
        import httpx

        messages = [{"role": "system", "content": instruction}, {"role": "user", "content": question}]
        body: dict[str, Any] = {"model": self._model, "messages": messages, "temperature": 0}
        try:
            response = self._client.post(self._url, json=body)
            if response.is_client_error and response.status_code not in PASSING:
                raise InputError(
                    f"{self._url} refused the call (status {response.status_code}): check chunk.endpoint, chunk.chat_model and "
                    "the key that chunk.api_key_variable names"
                )
            if response.is_error:
                raise ServiceError(f"{self._url} does not answer (status {response.status_code}): check that it is running")
            return str(response.json()["choices"][0]["message"]["content"])
        except httpx.HTTPError as error:
            raise ServiceError(
                f"{self._url} does not answer ({type(error).__name__}: {error}): check that it is running"
            ) from error
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ServiceError(f"{self._url} did not answer with a chat completion: check chunk.endpoint") from error
