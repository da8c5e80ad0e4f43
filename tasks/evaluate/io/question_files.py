"""Question files: Pagemill's JSON lines, one question each; beside them those that were refused."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError
from tasks.evaluate.gold import Question
from tasks.evaluate.questions.formats import Malformed, RefusedQuestion, enumerate_lines, parse_json_object, validate_question
from tasks.store import files


class Line(NamedTuple):
    """A line of a question file: its number, counted from 1, and its question, or the reason why it is not a question."""

    number: int
    question: Question | None
    problem: str = ""


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a JSON-lines file, in its order; blank lines are skipped.

    Raises:
        InputError: the file cannot be read or is empty, or a line is not a question or repeats an id; names the line.
    """
    questions = []
    for line in read_question_lines(path):
        if line.question is None:
            raise InputError(f"{path}:{line.number}: {line.problem}")
        questions.append(line.question)
    return questions


def read_question_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a question file that are not blank, also those that are no questions.

    Raises:
        InputError: the file cannot be read, or holds no such line.
    """
    seen: dict[str, int] = {}
    number = 0
    for number, content in enumerate_lines(read_question_file(path)):
        try:
            question = validate_question(parse_json_object(content))
        except Malformed as error:
            yield Line(number, None, str(error))
            continue
        first = seen.setdefault(question.id, number)
        taken = f"id {question.id!r} is already used in line {first}: give each question its own id"
        yield Line(number, question) if first == number else Line(number, None, taken)
    if not number:
        raise InputError(f"{path} holds no questions: write one JSON object per line, with id, question and gold")


def read_question_file(path: Path) -> bytes:
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


def check_output_path(out: Path, source: Path | None = None) -> None:
    """Check that questions can be written to `out`, before anything is computed.

    Raises:
        InputError: it is a folder or the `source` of the questions, or its own folder does not exist.
    """
    if out.is_dir():
        raise InputError(f"--out {out} is a folder: name a file, such as questions.jsonl")
    if not out.resolve().parent.is_dir():
        raise InputError(f"--out {out}: its folder does not exist: make it, or name another file")
    if source is not None and out.resolve() == source.resolve():
        raise InputError(f"--out {out} is the file that is read: name another file")


def write_questions(out: Path, questions: Sequence[Question], refused: Sequence[RefusedQuestion]) -> Path:
    """Write the questions to `out`, and refused ones to a file beside it; return the path of that file.

    Without questions, `out` is left as it is.

    Raises:
        WriteError: they cannot be written.
    """
    beside = name_refused_file(out)
    if questions:
        files.write_atomically(out, _encode_json_lines([question.model_dump(exclude_none=True) for question in questions]))
    if refused:
        files.write_atomically(beside, _encode_json_lines([one.model_dump() for one in refused]))
    else:
        beside.unlink(missing_ok=True)
    return beside


def name_refused_file(out: Path) -> Path:
    """Return the file for refused questions.

    >>> name_refused_file(Path("night/questions.jsonl")).name
    'questions.refused.jsonl'
    """
    return out.with_name(f"{out.name.removesuffix('.jsonl')}.refused.jsonl")


def _encode_json_lines(rows: Sequence[Mapping[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
