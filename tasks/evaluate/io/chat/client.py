"""The client: asks a language model behind an OpenAI-compatible endpoint, and never the same twice."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel

from schemas.errors import AnswerError, InputError
from schemas.options.chat import ChatOptions
from tasks.evaluate.io.chat.calls import UNKNOWN_FORMAT, Calls
from tasks.evaluate.io.chat.kept import AnswerCache, Completion
from tasks.evaluate.io.chat.ledger import Ledger
from tasks.evaluate.prompts import Answer, Prompt, build_messages, prompt_key, quote_text, read_answer
from tasks.evaluate.spending import ChatCosts, upper_bound

if TYPE_CHECKING:
    import httpx


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
        self._calls = Calls(options, self.ledger)
        self._enforces_schemas = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._calls.close()

    @property
    def costs(self) -> ChatCosts:
        """What the calls of this run cost so far."""
        return ChatCosts(**self.ledger.used._asdict(), kept=self.n_cached, dollars=self.ledger.dollars)

    def ask(self, prompt: Prompt, kind: type[Answer]) -> Answer:
        """Return the answer as an object of `kind`, whose fields must all be required.

        Raises:
            AnswerError: the model refuses, or does not answer with JSON of this kind.
            CostError: the call could cost more than `options.max_cost` allows.
            ServiceError: the endpoint does not answer, or has too many calls, until the last try.
            InputError: the endpoint refuses the call: its key, its model or its address is wrong.
            WriteError: the answer cannot be kept.
        """
        return read_answer(self._text(prompt, strict_schema(kind)), kind)

    def ask_text(self, prompt: Prompt) -> str:
        """Return the answer as text, without white space around it. Raises what `ask` raises."""
        return self._text(prompt, None).strip()

    def _text(self, prompt: Prompt, schema: dict[str, Any] | None) -> str:
        key = prompt_key(self.options.base_url, self.options.model, prompt, schema)
        completion = self._cache.get(key)
        if completion is None:
            completion = self._request(prompt, schema)
            if completion.finish != "length":  # a higher max_tokens would give another answer
                self._cache.put(key, completion)
        else:
            self.n_cached += 1
        return _answer_text(completion, self.options.max_tokens)

    def _request(self, prompt: Prompt, schema: dict[str, Any] | None) -> Completion:
        told = build_messages(prompt, schema)
        body = {"model": self.options.model, "messages": told, "temperature": 0, "max_tokens": self.options.max_tokens}
        most = upper_bound(told, schema, self.options.max_tokens)
        if schema and self._enforces_schemas:
            form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
            response = self._calls.post({**body, "response_format": form}, most)
            if response.status_code not in UNKNOWN_FORMAT:
                return self._completion(response)
        completion = self._completion(self._calls.post(body, most))
        self._enforces_schemas = self._enforces_schemas and schema is None  # now known: only without a form it answers
        return completion

    def _completion(self, response: "httpx.Response") -> Completion:
        if not response.is_success:
            raise self._calls.refusal(response)
        try:
            choice = response.json()["choices"][0]
            message = choice["message"]
            return Completion(
                content=message.get("content") or "",
                refusal=message.get("refusal") or "",
                finish=choice.get("finish_reason") or "",
            )
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self.options.base_url} did not answer with a chat completion, but with {quote_text(response.text)}: "
                "check base_url"
            ) from error


def _answer_text(completion: Completion, max_tokens: int) -> str:
    if completion.refusal or completion.finish == "content_filter":
        raise AnswerError(
            f"the model refuses to answer: {quote_text(completion.refusal or completion.content)}: ask something else"
        )
    if completion.finish == "length":
        raise AnswerError(f"the answer was cut off at {max_tokens} tokens: raise max_tokens (chat.max_tokens)")
    if not completion.content.strip():
        raise AnswerError("the model's answer is empty: use another model")
    return completion.content


def strict_schema(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of `kind` in the form that endpoints enforce: all fields required, no others allowed."""
    schema = kind.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("type") == "object":
            part |= {"additionalProperties": False, "required": list(part["properties"])}
    return schema
