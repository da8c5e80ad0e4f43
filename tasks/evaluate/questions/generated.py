"""Made questions: what generators write, and the checks that each must pass."""

import re
from typing import NamedTuple

from schemas.ids import digest
from tasks.evaluate.gold import Gold, Question
from tasks.evaluate.prompts import quote_text
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.drafts import RefusedQuestion, domain_of
from tasks.evaluate.scoring import Span

SHORTEST, LONGEST = 10, 400
"""Lengths of a question, in characters."""

_POINTS_AT_PASSAGE = re.compile(
    r"\b(?:passage|excerpt|(?:given|above|provided|following) (?:text|context|document)|according to the (?:text|document))\b",
    re.IGNORECASE,
)


class Document(NamedTuple):
    """A document that questions are made from."""

    document_id: str
    path: str
    title: str
    text: str

    @property
    def name(self) -> str:
        """What a person would call it: its title, if that has a letter, or else its file without the suffix."""
        file = self.path.rpartition("/")[2]
        title = " ".join(self.title.split())
        return title if any(map(str.isalpha, title)) and title != file else file.rpartition(".")[0] or file


class GeneratedQuestion(NamedTuple):
    """A question whose answer stands at `gold` in the document at `path`. `answer` None: there is no short one."""

    path: str
    question: str
    gold: Span
    answer: str | None
    origin: str


def finish_question(made: GeneratedQuestion, document: Document, split: str) -> Question:
    """Return the question in its final form; its id depends on all that it says."""
    start, end = made.gold
    gold = Gold(document=document.path, start=start, end=end, quote=document.text[start:end])
    return Question(
        id=f"g-{digest(document.path, start, end, made.question)[:12]}",
        question=made.question,
        gold=(gold,),
        answer=made.answer,
        domain=domain_of(document.path),
        split=split,
        origin=made.origin,
    )


def find_problem(made: GeneratedQuestion, document: Document, squeezed_text: str) -> RefusedQuestion | None:
    """Return why a question is refused, or None if it can be used; `squeezed_text` is the document's text.

    A question must be one, must not speak of its passage, and its gold must stand exactly once in the document.
    """
    reason = _find_flaw(made.question)
    quote = remove_white_space(document.text[slice(*made.gold)])
    n = squeezed_text.count(quote) if quote else 0
    if not reason and n != 1:
        reason = f"the answer stands {n} times in the document: {quote_text(document.text[slice(*made.gold)])}"
    return RefusedQuestion(place=document.path, reason=reason, question=made.question) if reason else None


def _find_flaw(question: str) -> str:
    if not SHORTEST <= len(question) <= LONGEST or not question.endswith("?"):
        return f"not a question of {SHORTEST} to {LONGEST} characters that ends with a question mark"
    return "the question speaks of its passage, which whoever asks has not seen" if _POINTS_AT_PASSAGE.search(question) else ""
