"""Read: files of questions in the forms that others use."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from tasks.evaluate.io.question_files import read_question_file
from tasks.evaluate.questions.formats import (
    COLUMNS,
    MARK,
    Judgement,
    Malformed,
    QuestionDraft,
    RefusedQuestion,
    enumerate_lines,
    find_unknown_columns,
    join_beir_questions,
    join_rows_into_drafts,
    make_natural_sort_key,
    parse_beir_judgement,
    parse_json_object,
    parse_squad_questions,
)

CELL_CHARS = 10_000_000
"""Longest cell of a CSV file."""


def read_question_drafts(path: Path) -> list[QuestionDraft | RefusedQuestion]:
    """Return the questions of a file, by its suffix (.csv, .tsv, .json is SQuAD, else JSON lines), or of a BEIR folder, in order.

    What cannot be read as a question is refused, with its line.

    Raises:
        InputError: the file cannot be read, has none of these forms, or holds no question.
    """
    forms = {".csv": _read_csv, ".tsv": _read_csv, ".json": _read_squad}
    try:
        found = list(_read_beir(path) if path.is_dir() else forms.get(path.suffix.lower(), _read_json_lines)(path))
    except Malformed as error:
        raise InputError(f"{path}: {error}") from error
    if not found:
        raise InputError(f"{path} holds no questions: give a file with one question a line, a BEIR folder or SQuAD JSON")
    return sorted(found, key=lambda one: make_natural_sort_key(one.place))


def _read_json_lines(path: Path) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield questions as Pagemill writes them, and flat ones, whose fields are those of a CSV file."""
    flat: list[tuple[str, str, dict[str, Any]]] = []
    for number, line in enumerate_lines(read_question_file(path)):
        place = f"{path}:{number}"
        try:
            values = parse_json_object(line)
        except Malformed as error:
            yield RefusedQuestion(place=place, reason=str(error))
            continue
        if "gold" in values or "documents" in values:
            yield QuestionDraft(place, {"origin": "imported: json lines", **values})
        elif unknown := find_unknown_columns(values):
            yield RefusedQuestion(
                place=place, reason=f"{unknown[0]} is not a field: the fields are gold, documents, {', '.join(COLUMNS)}"
            )
        else:
            flat.append((place, str(number), values))
    yield from join_rows_into_drafts(flat, "imported: json lines")


def _read_csv(path: Path) -> Iterator[QuestionDraft | RefusedQuestion]:
    try:
        text = read_question_file(path).removeprefix(MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text: convert the file") from error
    csv.field_size_limit(CELL_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)
    names = [name.strip() for name in next(reader, [])]
    unknown = find_unknown_columns(names)
    if "question" not in names or unknown:
        wrong = f"{unknown[0]!r} is no column" if unknown else "there is no column question"
        raise Malformed(f"in the first line, {wrong}: the columns are {', '.join(COLUMNS)}")
    problems: list[RefusedQuestion] = []
    yield from join_rows_into_drafts(_parse_rows(path, names, reader, problems), "imported: csv")
    yield from problems


def _parse_rows(
    path: Path, names: list[str], reader: Any, problems: list[RefusedQuestion]
) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the rows with their places; a row is named by its first line, because cells may hold several lines."""
    while True:
        number = reader.line_num + 1
        place = f"{path}:{number}"
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(RefusedQuestion(place=place, reason=f"not CSV ({error}): correct the quotes of the file"))
            return
        if cells and len(cells) != len(names):
            reason = f"the line has {len(cells)} cells, and the first line {len(names)}: correct the line"
            problems.append(RefusedQuestion(place=place, reason=reason))
        elif any(cells):
            yield place, str(number), dict(zip(names, cells, strict=True))


def _read_squad(path: Path) -> Iterator[QuestionDraft | RefusedQuestion]:
    return parse_squad_questions(str(path), parse_json_object(read_question_file(path).removeprefix(MARK)))


def _read_beir(folder: Path) -> Iterator[QuestionDraft | RefusedQuestion]:
    files = sorted(folder.glob("qrels/*.tsv"))
    if not files or not all((folder / name).is_file() for name in ("corpus.jsonl", "queries.jsonl")):
        raise Malformed("not a BEIR folder, which holds corpus.jsonl, queries.jsonl and qrels/*.tsv: give a file")
    judged: list[Judgement] = []
    for path in files:
        for number, line in enumerate_lines(read_question_file(path)):
            try:
                found = parse_beir_judgement(f"{path}:{number}", path.stem, line.decode("utf-8"))
            except (Malformed, UnicodeDecodeError) as error:
                yield RefusedQuestion(place=f"{path}:{number}", reason=str(error))
                continue
            judged += [found] if found else []
    queries = _read_beir_texts(folder / "queries.jsonl", {one.query for one in judged})
    passages = _read_beir_texts(folder / "corpus.jsonl", {one.passage for one in judged})
    yield from join_beir_questions(judged, queries, passages)


def _read_beir_texts(path: Path, wanted: set[str]) -> dict[str, str]:
    """Return the texts of a BEIR file whose ids are `wanted`.

    Raises:
        InputError: a line is not an object with _id and text.
    """
    found: dict[str, str] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                values = parse_json_object(line.removeprefix(MARK)) if line.strip() else {"_id": "", "text": ""}
            except Malformed as error:
                raise InputError(f"{path}:{number}: {error}") from error
            name, text = values.get("_id"), values.get("text")
            if not isinstance(name, str) or not isinstance(text, str):
                raise InputError(f"{path}:{number}: not an object with _id and text, both texts: correct the line")
            if name in wanted:
                found[name] = text
    return found
