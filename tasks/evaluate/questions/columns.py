"""Columns: questions as flat rows, of CSV files or of JSON objects without gold. Rows with the same id are one question."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tasks.evaluate.questions.drafts import Context, QuestionDraft, RefusedQuestion, refuse

OF_QUESTIONS = ("id", "question", "answer", "domain", "split", "origin")
OF_GOLD = ("document", "start", "end", "quote", "page")
COLUMNS = (*OF_QUESTIONS, *OF_GOLD)
"""`question` is needed. A row without any column of gold but `document` names a whole document. `quote` alone is searched for in
all documents. A row without an id has its own."""


def unknown_columns(names: Iterable[str]) -> list[str]:
    """Return the names that no column has."""
    return [name for name in names if name not in COLUMNS]


def join_rows(rows: Iterable[tuple[str, str, Mapping[str, Any]]], origin: str) -> Iterator[QuestionDraft | RefusedQuestion]:
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
            yield refuse(
                QuestionDraft(place, fields),
                f"id {identity!r} has another question in {first.place}: give each question its own id",
            )
            continue
        drafts[identity] = _add_gold(first or QuestionDraft(place, {**fields, "gold": [], "documents": []}), values)
    yield from drafts.values()


def _add_gold(draft: QuestionDraft, values: Mapping[str, Any]) -> QuestionDraft:
    gold = {name: values[name] for name in OF_GOLD if name in values}
    if gold.keys() == {"document"}:
        return draft._replace(values={**draft.values, "documents": [*draft.values["documents"], gold["document"]]})
    if gold.keys() == {"quote"}:
        return draft._replace(contexts=(*draft.contexts, Context(str(gold["quote"]))))
    return draft._replace(values={**draft.values, "gold": [*draft.values["gold"], gold]}) if gold else draft
