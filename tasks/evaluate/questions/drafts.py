"""Drafts: imported questions before their gold is located, and the reasons why others were refused."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from tasks.evaluate.gold import EVERYTHING
from tasks.evaluate.scoring import Span


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


def refuse(draft: QuestionDraft, reason: str, document: str = "") -> RefusedQuestion:
    """Return the refusal of a draft."""
    named = {name: str(draft.values.get(field) or "") for name, field in (("question_id", "id"), ("question", "question"))}
    return RefusedQuestion(place=draft.place, reason=reason, document=document, **named)


def natural_order(place: str) -> list[tuple[int, str]]:
    """Return a key that sorts places as people count: line 9 before line 10.

    >>> sorted(["q.csv:10", "q.csv:9"], key=natural_order)
    ['q.csv:9', 'q.csv:10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", place)]


def domain_of(path: str) -> str:
    """Return the domain of a document: its first folder, or `general`.

    >>> domain_of("law/2023/act.pdf"), domain_of("act.pdf")
    ('law', 'general')
    """
    folder, slash, _ = path.partition("/")
    return folder if slash and folder not in ("", EVERYTHING) else "general"
