"""Question files: JSON lines, one question each."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.ids import is_unicode
from tasks.evaluate.gold import Question


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a JSON-lines file, in its order; blank lines are skipped.

    Raises:
        InputError: the file cannot be read or is empty, or a line is not a question or repeats an id; names the line.
    """
    seen: dict[str, int] = {}
    questions = []
    for number, line in _lines(path):
        question = _question(path, number, line)
        if question.id in seen:
            raise InputError(
                f"{path}:{number}: id {question.id!r} is already used in line {seen[question.id]}: give each question its own id"
            )
        seen[question.id] = number
        questions.append(question)
    if not questions:
        raise InputError(f"{path} holds no questions: write one JSON object per line, with id, question and gold")
    return questions


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} cannot be read: it is not a regular file: save the questions to a file, because they are read more than once"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}: check the path of the questions") from error
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}: not UTF-8 text: convert the file") from error
        if text:
            yield number, text


def _question(path: Path, number: int, line: str) -> Question:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{path}:{number}: not JSON ({error}): write one object per line") from error
    if not is_unicode(json.dumps(value, ensure_ascii=False)):
        raise InputError(f"{path}:{number}: the line holds half of a surrogate pair, which is not valid text: correct the line")
    if not isinstance(value, dict):
        raise InputError(f"{path}:{number}: not a JSON object: write {{...}} with id, question and gold")
    try:
        return Question.model_validate(value)
    except ValidationError as error:
        raise InputError(f"{path}:{number}: {_problems(error)}: correct the line") from error


def _problems(error: ValidationError) -> str:
    return "; ".join(": ".join([".".join(map(str, item["loc"])), item["msg"]]).removeprefix(": ") for item in error.errors())
