"""Forms of question files: Pagemill's JSON lines, flat rows, SQuAD and BEIR; what cannot be read as a question is refused.

SQuAD is that of versions 1.1 and 2.0 (https://rajpurkar.github.io/SQuAD-explorer/). BEIR has corpus.jsonl, queries.jsonl and
qrels/<split>.tsv (https://github.com/beir-cellar/beir). Neither names a document.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from schemas.ids import is_unicode
from tasks.evaluate.gold import EVERYTHING, Question
from tasks.evaluate.scoring import Span

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs write before the first line."""

OF_QUESTIONS = ("id", "question", "answer", "domain", "split", "origin")
OF_GOLD = ("document", "start", "end", "quote", "page")
COLUMNS = (*OF_QUESTIONS, *OF_GOLD)
"""`question` is needed. A row without any column of gold but `document` names a whole document. `quote` alone is searched for in
all documents. A row without an id has its own."""

SQUAD_ORIGIN = "imported: squad"

BEIR_ORIGIN = "imported: beir"


class Context(NamedTuple):
    """A text that some document contains, and the span of it that is the answer (None: all of it)."""

    text: str
    answer: Span | None = None


class QuestionDraft(NamedTuple):
    """A question as a file has it: where it stands, the fields of a `Question`, and texts that its gold is in."""

    place: str
    values: Mapping[str, Any]
    contexts: tuple[Context, ...] = ()


class RefusedQuestion(BaseModel):
    """A question that cannot be used, and why. `place` is the file with the line, or with the place in its structure."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    place: str
    reason: str
    question_id: str = ""
    question: str = ""
    document: str = ""

    def __str__(self) -> str:
        """Return the refusal as a line for people."""
        named = f"question {self.question_id}" if self.question_id else ""
        return ": ".join(part for part in (self.place, named, self.document, self.reason) if part)


def refuse_draft(draft: QuestionDraft, reason: str) -> RefusedQuestion:
    """Return the refusal of a draft."""
    named = {name: str(draft.values.get(field) or "") for name, field in (("question_id", "id"), ("question", "question"))}
    return RefusedQuestion(place=draft.place, reason=reason, **named)


def make_natural_sort_key(place: str) -> list[tuple[int, str]]:
    """Return a key that sorts places as people count: line 9 before line 10.

    >>> sorted(["q.csv:10", "q.csv:9"], key=make_natural_sort_key)
    ['q.csv:9', 'q.csv:10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", place)]


def derive_domain(path: str) -> str:
    """Return the domain of a document: its first folder, or `general`.

    >>> derive_domain("law/2023/act.pdf"), derive_domain("act.pdf")
    ('law', 'general')
    """
    folder, slash, _ = path.partition("/")
    return folder if slash and folder not in ("", EVERYTHING) else "general"


class Malformed(ValueError):
    """Something cannot be read as a question; the message says why and what to do, without the place."""


def enumerate_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers from 1. Only a line feed ends a line."""
    for number, line in enumerate(content.removeprefix(MARK).split(b"\n"), start=1):
        if line.strip():
            yield number, line


def parse_json_object(line: bytes) -> dict[str, object]:
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


def validate_question(values: Mapping[str, object]) -> Question:
    """Return the question with these fields.

    Raises:
        Malformed: a field is missing, unknown, or has a wrong value.
    """
    try:
        return Question.model_validate(values)
    except ValidationError as error:
        raise Malformed(f"{_describe_problems(error)}: correct the line") from error


def _describe_problems(error: ValidationError) -> str:
    return "; ".join(": ".join([".".join(map(str, item["loc"])), item["msg"]]).removeprefix(": ") for item in error.errors())


def find_unknown_columns(names: Iterable[str]) -> list[str]:
    """Return the names that no column has."""
    return [name for name in names if name not in COLUMNS]


def join_rows_into_drafts(
    rows: Iterable[tuple[str, str, Mapping[str, object]]], origin: str
) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield one draft for the rows (place, number, values) with the same id; a later row adds only gold.

    `number` is the id of a row without one. The place of a draft is that of its first row.
    """
    drafts: dict[str, QuestionDraft] = {}
    for place, number, row in rows:
        values = {name: value for name, value in row.items() if value not in (None, "")}
        identity = str(values.get("id", number))
        fields = {"origin": origin, **{name: values[name] for name in OF_QUESTIONS if name in values}, "id": identity}
        first = drafts.get(identity)
        if first and str(fields.get("question", "")) not in ("", first.values.get("question")):
            yield refuse_draft(
                QuestionDraft(place, fields),
                f"id {identity!r} has another question in {first.place}: give each question its own id",
            )
            continue
        drafts[identity] = _add_gold_to_draft(first or QuestionDraft(place, {**fields, "gold": [], "documents": []}), values)
    yield from drafts.values()


def _add_gold_to_draft(draft: QuestionDraft, values: Mapping[str, object]) -> QuestionDraft:
    gold = {name: values[name] for name in OF_GOLD if name in values}
    if gold.keys() == {"document"}:
        return draft._replace(values={**draft.values, "documents": [*draft.values["documents"], gold["document"]]})
    if gold.keys() == {"quote"}:
        return draft._replace(contexts=(*draft.contexts, Context(str(gold["quote"]))))
    return draft._replace(values={**draft.values, "gold": [*draft.values["gold"], gold]}) if gold else draft


def parse_squad_questions(file: str, content: Mapping[str, object]) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield the questions of a SQuAD file, with their first answer.

    Raises:
        Malformed: the file does not have the form of SQuAD.
    """
    data = content.get("data")
    if not isinstance(data, list):
        raise Malformed('not SQuAD, which is an object with a list "data": save questions of other kinds as .jsonl or .csv')
    for place, paragraph in _walk_squad_paragraphs(file, data):
        for number, entry in enumerate(_require_list(paragraph, "qas", place)):
            context = paragraph.get("context") if isinstance(paragraph, Mapping) else None
            yield _parse_squad_question(f"{place}.qas[{number}]", context, entry)


def _walk_squad_paragraphs(file: str, data: list[object]) -> Iterator[tuple[str, object]]:
    for at, article in enumerate(data):
        place = f"{file}: data[{at}]"
        for number, paragraph in enumerate(_require_list(article, "paragraphs", place)):
            yield f"{place}.paragraphs[{number}]", paragraph


def _require_list(value: object, name: str, place: str) -> list[object]:
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, list):
        raise Malformed(f"{place.partition(': ')[2]} has no list {name!r}: check that the file is SQuAD JSON")
    return found


def _parse_squad_question(place: str, context: object, entry: object) -> QuestionDraft | RefusedQuestion:
    values = entry if isinstance(entry, Mapping) else {}
    draft = QuestionDraft(place, {"id": values.get("id"), "question": values.get("question"), "origin": SQUAD_ORIGIN})
    answers = values.get("answers")
    if not isinstance(context, str) or not isinstance(answers, list) or not values.get("id") or not values.get("question"):
        return refuse_draft(draft, "context, id, question or answers is missing: correct the file")
    if not answers:
        return refuse_draft(draft, "the question has no answer, so no result is right")
    text, start = (answers[0].get(name) if isinstance(answers[0], Mapping) else None for name in ("text", "answer_start"))
    if not isinstance(text, str) or not isinstance(start, int) or not text.strip():
        return refuse_draft(draft, "the first answer has no text or no answer_start: correct the file")
    if context[start : start + len(text)] != text or start < 0:
        return refuse_draft(draft, f"the answer {text!r} does not stand at {start} in its context: correct answer_start")
    return QuestionDraft(place, {**draft.values, "answer": text}, (Context(context, (start, start + len(text))),))


class Judgement(NamedTuple):
    """One line of qrels: a passage answers a query if its `score` is above 0."""

    place: str
    split: str
    query: str
    passage: str
    score: int


def parse_beir_judgement(place: str, split: str, line: str) -> Judgement | None:
    """Return the judgement in a line of three columns, separated by tabs; None for the header.

    Raises:
        Malformed: the line is neither.
    """
    cells = [cell.strip() for cell in line.split("\t")]
    if cells[-1:] == ["score"]:
        return None
    if len(cells) != 3 or not cells[2].lstrip("-").isdecimal():
        raise Malformed("not query-id, corpus-id and score, separated by tabs: correct the line")
    return Judgement(place, split, cells[0], cells[1], int(cells[2]))


def join_beir_questions(
    judgements: list[Judgement], queries: Mapping[str, str], passages: Mapping[str, str]
) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield one question for each query and split, with the passages that answer it.

    A query that several splits judge has an id with the split in all but the first.
    """
    together: dict[tuple[str, str], list[Judgement]] = {}
    for judged in judgements:
        if judged.score > 0:
            together.setdefault((judged.split, judged.query), []).append(judged)
    taken: set[str] = set()
    for (split, query), relevant in together.items():
        identity = query if query not in taken else f"{query} ({split})"
        taken.add(query)
        values = {"id": identity, "question": queries.get(query), "split": split, "origin": BEIR_ORIGIN}
        missing = [one.passage for one in relevant if one.passage not in passages]
        if values["question"] is None or missing:
            reason = f"corpus.jsonl has no passage {missing[0]}" if missing else "queries.jsonl has no such query"
            yield RefusedQuestion(place=relevant[0].place, reason=reason, question_id=identity, question=queries.get(query, ""))
        else:
            yield QuestionDraft(relevant[0].place, values, tuple(Context(passages[one.passage]) for one in relevant))
