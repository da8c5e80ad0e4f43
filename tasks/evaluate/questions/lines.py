"""Lines of question files: bytes to JSON objects, and these to questions."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from schemas.ids import is_unicode
from tasks.evaluate.gold import Question

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs write before the first line."""


class Malformed(ValueError):
    """Something cannot be read as a question; the message says why and what to do, without the place."""


def number_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers from 1. Only a line feed ends a line."""
    for number, line in enumerate(content.removeprefix(MARK).split(b"\n"), start=1):
        if line.strip():
            yield number, line


def parse_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line.

    Raises:
        Malformed: the line is not UTF-8, not JSON, or not an object.
    """
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text: convert the file") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise Malformed(f"not JSON ({error}): write one object per line") from error
    if not is_unicode(json.dumps(value, ensure_ascii=False)):
        raise Malformed("the line holds half of a surrogate pair, which is not valid text: correct the line")
    if not isinstance(value, dict):
        raise Malformed("not a JSON object: write {...} with id, question and gold")
    return value


def validate_question(values: dict[str, Any]) -> Question:
    """Return the question with these fields.

    Raises:
        Malformed: a field is missing, unknown, or has a wrong value.
    """
    try:
        return Question.model_validate(values)
    except ValidationError as error:
        raise Malformed(f"{_problems(error)}: correct the line") from error


def _problems(error: ValidationError) -> str:
    return "; ".join(": ".join([".".join(map(str, item["loc"])), item["msg"]]).removeprefix(": ") for item in error.errors())
