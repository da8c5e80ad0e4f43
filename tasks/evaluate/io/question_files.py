"""Question files: JSON lines, one question each."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError
from tasks.evaluate.gold import Question
from tasks.evaluate.questions.lines import Malformed, number_lines, parse_object, validate_question


class Line(NamedTuple):
    """A line of a question file: its number from 1, and its question, or why it is none."""

    number: int
    question: Question | None
    problem: str = ""


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a JSON-lines file, in its order; blank lines are skipped.

    Raises:
        InputError: the file cannot be read or is empty, or a line is not a question or repeats an id; names the line.
    """
    questions = []
    for line in read_lines(path):
        if line.question is None:
            raise InputError(f"{path}:{line.number}: {line.problem}")
        questions.append(line.question)
    return questions


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a question file that are not blank, also those that are no questions.

    Raises:
        InputError: the file cannot be read, or holds no such line.
    """
    seen: dict[str, int] = {}
    number = 0
    for number, content in number_lines(read_file(path)):
        try:
            question = validate_question(parse_object(content))
        except Malformed as error:
            yield Line(number, None, str(error))
            continue
        first = seen.setdefault(question.id, number)
        taken = f"id {question.id!r} is already used in line {first}: give each question its own id"
        yield Line(number, question) if first == number else Line(number, None, taken)
    if not number:
        raise InputError(f"{path} holds no questions: write one JSON object per line, with id, question and gold")


def read_file(path: Path) -> bytes:
    """Return the content of a file of questions.

    Raises:
        InputError: it cannot be read.
    """
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} cannot be read: it is not a regular file: save the questions to a file, because they are read more than once"
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}: check the path of the questions") from error
