"""SQuAD: questions about paragraphs, with answers that are spans of these. No document is named.

The form is that of versions 1.1 and 2.0: https://rajpurkar.github.io/SQuAD-explorer/.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tasks.evaluate.questions.drafts import Context, QuestionDraft, RefusedQuestion, refuse
from tasks.evaluate.questions.lines import Malformed

ORIGIN = "imported: squad"


def squad_questions(file: str, content: Mapping[str, Any]) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield the questions of a SQuAD file, with their first answer.

    Raises:
        Malformed: the file does not have the form of SQuAD.
    """
    if not isinstance(content.get("data"), list):
        raise Malformed('not SQuAD, which is an object with a list "data": save questions of other kinds as .jsonl or .csv')
    for place, paragraph in _paragraphs(file, content["data"]):
        for number, asked in enumerate(_list(paragraph, "qas", place)):
            yield _question(f"{place}.qas[{number}]", paragraph.get("context"), asked)


def _paragraphs(file: str, data: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for at, article in enumerate(data):
        place = f"{file}: data[{at}]"
        for number, paragraph in enumerate(_list(article, "paragraphs", place)):
            yield f"{place}.paragraphs[{number}]", paragraph


def _list(value: Any, name: str, place: str) -> list[Any]:
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, list):
        raise Malformed(f"{place.partition(': ')[2]} has no list {name!r}: check that the file is SQuAD JSON")
    return found


def _question(place: str, context: Any, asked: Any) -> QuestionDraft | RefusedQuestion:
    values = asked if isinstance(asked, Mapping) else {}
    draft = QuestionDraft(place, {"id": values.get("id"), "question": values.get("question"), "origin": ORIGIN})
    answers = values.get("answers")
    if not isinstance(context, str) or not isinstance(answers, list) or not values.get("id") or not values.get("question"):
        return refuse(draft, "context, id, question or answers is missing: correct the file")
    if not answers:
        return refuse(draft, "the question has no answer, so no result is right")
    text, start = (answers[0].get(name) if isinstance(answers[0], Mapping) else None for name in ("text", "answer_start"))
    if not isinstance(text, str) or not isinstance(start, int) or not text.strip():
        return refuse(draft, "the first answer has no text or no answer_start: correct the file")
    if context[start : start + len(text)] != text or start < 0:
        return refuse(draft, f"the answer {text!r} does not stand at {start} in its context: correct answer_start")
    return QuestionDraft(place, {**draft.values, "answer": text}, (Context(context, (start, start + len(text))),))
