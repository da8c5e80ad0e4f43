"""The client of an OpenAI-compatible endpoint. It caches answers, so that nothing is asked twice."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from schemas.errors import AnswerError, InputError
from schemas.options.chat import KEY_VARIABLES, ChatOptions
from schemas.shown import quote_text
from tasks.chat.io.ledger import ChatCosts, Ledger, Usage, bound_usage, read_usage
from tasks.chat.prompts import Answer, Prompt, build_messages, hash_prompt, parse_answer_object
from tasks.embed.io.endpoint.responses import (
    PASSING,
    FailedTry,
    parse_retry_after,
    read_api_key,
    read_whole_response,
    retry_request,
)
from tasks.store import files

if TYPE_CHECKING:
    import httpx

UNKNOWN_FORMAT = (400, 422, 501)
"""Statuses of endpoints that do not know `response_format`."""


class Completion(BaseModel):
    """What a model answered: its words, or why it refused. `finish` is the endpoint's reason for the end, such as `length`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    content: str
    refusal: str = ""
    finish: str = ""


class AnswerCache:
    """The answers in a folder. Processes and threads may share one: a file appears at once, with all its content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_answer(self, key: str) -> Completion | None:
        """Return the answer with this key, or None if there is none."""
        try:
            return Completion.model_validate_json(self._locate_answer(key).read_bytes())
        except (FileNotFoundError, ValidationError):  # a file of another version, or a damaged one, is asked for again
            return None

    def keep_answer(self, key: str, completion: Completion) -> None:
        """Keep an answer.

        Raises:
            WriteError: it cannot be written.
        """
        files.write_atomically(self._locate_answer(key), completion.model_dump_json().encode())

    def _locate_answer(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


class Connection:
    """Posts to one endpoint, and enters in `ledger` what each try costs. Threads may share it."""

    def __init__(self, options: ChatOptions, ledger: Ledger, key_variables: Sequence[str] = KEY_VARIABLES) -> None:
        """Take the API key from one of these environment variables; without one, calls go without a key.

        Raises:
            InputError: the key holds characters that no key has.
        """
        import httpx

        self._key, self._key_variables = read_api_key(key_variables), key_variables
        self._options, self._ledger = options, ledger
        self._url = f"{options.base_url.rstrip('/')}/chat/completions"
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.Client(timeout=options.timeout_seconds, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.close()

    def post_with_retries(self, body: Mapping[str, object], most: Usage) -> "httpx.Response":
        """Return the response to `body`, also one with a status that another try cannot cure. A try uses at most `most`.

        Raises:
            ServiceError: no try was answered, or the server asks for a longer wait than `options.max_wait_seconds`.
            CostError: the next try could cost more than allowed.
        """
        options = self._options
        return retry_request(
            lambda: self._try_post(body, most), self._url, options.retry_seconds, options.max_wait_seconds, "answer", "answers"
        )

    def _try_post(self, body: Mapping[str, object], most: Usage) -> "httpx.Response | FailedTry":
        import httpx

        with self._ledger.count_call(most) as call:
            try:
                response = read_whole_response(self._client, self._url, body, self._options.timeout_seconds)
            except httpx.ReadTimeout:  # the server may have worked, so this counts as if it had
                return FailedTry(f"no answer within {self._options.timeout_seconds:g} s (chat.timeout_seconds)")
            except httpx.InvalidURL as error:
                raise InputError(f"{self._url} is not an address ({error}): correct base_url") from error
            except httpx.TransportError as error:
                call.record_usage(Usage())
                return FailedTry(f"{type(error).__name__}: {error}")
            call.record_usage(read_usage(response.content, most) if response.is_success else Usage())
        if response.status_code in PASSING or (response.is_server_error and response.status_code not in UNKNOWN_FORMAT):
            return FailedTry(
                f"status {response.status_code} ({self._quote_response_start(response)})", parse_retry_after(response)
            )
        return response

    def read_completion(self, response: "httpx.Response") -> Completion:
        """Return what a response says.

        Raises:
            InputError: the endpoint refuses the call, or does not answer with a chat completion.
        """
        if not response.is_success:
            raise self._make_refusal(response)
        try:
            choice = response.json()["choices"][0]
            message = choice["message"]
            content, refusal = (message.get(name) or "" for name in ("content", "refusal"))
            return Completion(content=content, refusal=refusal, finish=choice.get("finish_reason") or "")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._options.base_url} did not answer with a chat completion, "
                f"but with {self._quote_response_start(response)}: check base_url"
            ) from error

    def _make_refusal(self, response: "httpx.Response") -> InputError:
        remedies = {
            401: f"set {' or '.join(self._key_variables) or 'the key'} in the environment to a valid key",
            403: "use a key that may use this model",
            404: "check base_url and model",
        }
        remedy = remedies.get(response.status_code, "check base_url, model and max_tokens")
        status = f"status {response.status_code} ({self._quote_response_start(response)})"
        return InputError(f"{self._url} refuses the call with {status}: {remedy}")

    def _quote_response_start(self, response: "httpx.Response") -> str:
        """Return the beginning of a response for a message, without the key."""
        return quote_text(response.text.replace(self._key, "***") if self._key else response.text)


class Chat:
    """A language model that answers at temperature 0. Threads may share one.

    `ledger` counts the calls of this run and their cost; `n_cached` counts the answers that needed no call.
    """

    def __init__(self, options: ChatOptions, folder: Path) -> None:
        """Keep answers in `folder`.

        Raises:
            InputError: the options name no endpoint.
        """
        if not options.base_url:
            raise InputError("no endpoint is set: give --base-url and --model, or chat.base_url and chat.model")
        self.options = options
        self.ledger = Ledger(options)
        self.n_cached = 0
        self._cache = AnswerCache(folder)
        self._connection = Connection(options, self.ledger)
        self._enforces_schemas = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._connection.__exit__(kind, error, trace)

    @property
    def costs(self) -> ChatCosts:
        """What the calls of this run cost so far."""
        return ChatCosts(**self.ledger.usage._asdict(), kept=self.n_cached, dollars=self.ledger.dollars)

    def ask_for_object(self, prompt: Prompt, kind: type[Answer]) -> Answer:
        """Return the answer as an object of `kind`, whose fields must all be required.

        Raises:
            AnswerError: the model refuses, or does not answer with JSON of this kind.
            CostError: the call could cost more than `options.max_cost` allows.
            ServiceError: the endpoint does not answer, or has too many calls, until the last try.
            InputError: the endpoint refuses the call: its key, its model or its address is wrong.
            WriteError: the answer cannot be kept.
        """
        return parse_answer_object(self._get_reply_text(prompt, make_strict_schema(kind)), kind)

    def ask_for_text(self, prompt: Prompt) -> str:
        """Return the answer as text, without white space around it. Raises what `ask_for_object` raises."""
        return self._get_reply_text(prompt, None).strip()

    def _get_reply_text(self, prompt: Prompt, schema: Mapping[str, object] | None) -> str:
        key = hash_prompt(self.options.base_url, self.options.model, prompt, schema)
        completion = self._cache.get_answer(key)
        if completion is None:
            completion = self._request_completion(prompt, schema)
            if completion.finish != "length":  # a higher max_tokens would give another answer
                self._cache.keep_answer(key, completion)
        else:
            self.n_cached += 1
        return _take_answer_text(completion, self.options.max_tokens)

    def _request_completion(self, prompt: Prompt, schema: Mapping[str, object] | None) -> Completion:
        asked = build_messages(prompt, schema)
        body = {"model": self.options.model, "messages": asked, "temperature": 0, "max_tokens": self.options.max_tokens}
        most = bound_usage(asked, schema, self.options.max_tokens)
        if schema and self._enforces_schemas:
            form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
            response = self._connection.post_with_retries({**body, "response_format": form}, most)
            if response.status_code not in UNKNOWN_FORMAT:
                return self._connection.read_completion(response)
        completion = self._connection.read_completion(self._connection.post_with_retries(body, most))
        self._enforces_schemas = self._enforces_schemas and schema is None  # now known: only without a form it answers
        return completion


def _take_answer_text(completion: Completion, max_tokens: int) -> str:
    if completion.refusal or completion.finish == "content_filter":
        raise AnswerError(
            f"the model refuses to answer: {quote_text(completion.refusal or completion.content)}: ask something else"
        )
    if completion.finish == "length":
        raise AnswerError(f"the answer was cut off at {max_tokens} tokens: raise max_tokens (chat.max_tokens)")
    if not completion.content.strip():
        raise AnswerError("the model's answer is empty: use another model")
    return completion.content


def make_strict_schema(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of `kind` in the form that endpoints enforce: all fields required, no others allowed."""
    schema = kind.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            part |= {"additionalProperties": False, "required": list(part["properties"])}
    return schema
