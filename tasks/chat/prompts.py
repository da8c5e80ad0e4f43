"""Prompts for language models, and how their answers are read."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from schemas.errors import AnswerError
from schemas.shown import quote_text

Answer = TypeVar("Answer", bound=BaseModel)


class Prompt(NamedTuple):
    """An instruction and a question. Another `repeat` (from 0) asks the same again instead of using the cached answer."""

    instruction: str
    question: str
    repeat: int = 0


def build_messages(prompt: Prompt, schema: Mapping[str, object] | None) -> list[dict[str, str]]:
    """Return the messages of a call. They contain the schema too, for endpoints that do not enforce one."""
    form = f"\n\nAnswer with one JSON object that follows this JSON schema, and with nothing else:\n{json.dumps(schema)}"
    system = prompt.instruction + (form if schema else "")
    return [{"role": "system", "content": system}, {"role": "user", "content": prompt.question}]


def hash_prompt(base_url: str, model: str, prompt: Prompt, schema: Mapping[str, object] | None) -> str:
    """Return the SHA-256 (64 hex digits) of all that an answer depends on."""
    parts = [base_url.rstrip("/"), model, *prompt, schema]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def parse_answer_object(text: str, kind: type[Answer]) -> Answer:
    """Return the first JSON object in a model's answer that is of this `kind`. Thoughts, words or a fence around it are allowed.

    Raises:
        AnswerError: there is none.
    """
    problem = ""
    for start in (at for at, character in enumerate(text) if character == "{"):
        try:
            return kind.model_validate(json.JSONDecoder().raw_decode(text, start)[0])
        except (json.JSONDecodeError, RecursionError):
            continue  # a brace of prose; there may be an object after it
        except ValidationError as error:
            problem = problem or "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    if problem:
        raise AnswerError(
            f"the model's JSON does not have the form that was asked for ({problem}): {quote_text(text)}: use another model"
        )
    raise AnswerError(
        f"the model answered prose instead of JSON: {quote_text(text)}: use a model or an endpoint that can enforce JSON"
    )
