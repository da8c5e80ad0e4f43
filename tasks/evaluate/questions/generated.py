"""Generated questions: what a language model is asked, what generators make, and the checks that each question must pass."""

import re
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from schemas.ids import digest
from schemas.shown import quote_text
from tasks.chat.prompts import Prompt
from tasks.evaluate.gold import Gold, Question, find_quote
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.formats import RefusedQuestion, derive_domain
from tasks.evaluate.scoring import Span

SHORTEST, LONGEST = 10, 400
"""Lengths of a question, in characters."""

_POINTS_AT_PASSAGE = re.compile(
    r"\b(?:passage|excerpt|(?:given|above|provided|following) (?:text|context|document)|according to the (?:text|document))\b",
    re.IGNORECASE,
)

INSTRUCTION = (
    "You write questions that test a search engine. You are shown one part of a document. Write one question about a fact "
    "that this part states and that nothing else in the world needs to be known for. Ask as somebody would who has never seen "
    "the document: name the people, things and times that the question is about, and do not mention the document, its "
    "text, its tables or its parts. Then give the answer: one span of the part, copied exactly, character by character, "
    "that answers the question completely, is not longer than needed, and is long enough that the same words are unlikely to "
    "stand anywhere else in the document."
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
        domain=derive_domain(document.path),
        split=split,
        origin=made.origin,
    )


def find_question_problem(made: GeneratedQuestion, document: Document, squeezed_text: str) -> RefusedQuestion | None:
    """Return why a question is refused, or None if it can be used; `squeezed_text` is the document's text.

    The text must be a question and must not speak of its passage. Its gold must stand exactly once in the document.
    """
    reason = _find_wording_flaw(made.question)
    quote = remove_white_space(document.text[slice(*made.gold)])
    n = squeezed_text.count(quote) if quote else 0
    if not reason and n != 1:
        reason = f"the answer stands {n} times in the document: {quote_text(document.text[slice(*made.gold)])}"
    return RefusedQuestion(place=document.path, reason=reason, question=made.question) if reason else None


def _find_wording_flaw(question: str) -> str:
    if not SHORTEST <= len(question) <= LONGEST or not question.endswith("?"):
        return f"not a question of {SHORTEST} to {LONGEST} characters that ends with a question mark"
    return "the question speaks of its passage, which whoever asks has not seen" if _POINTS_AT_PASSAGE.search(question) else ""


class QuestionAndAnswer(BaseModel):
    """What a model shall answer."""

    model_config = ConfigDict(extra="ignore")
    question: str
    answer: str


class Passage(NamedTuple):
    """A part of a document."""

    document: Document
    span: Span

    @property
    def text(self) -> str:
        """The passage's words."""
        return self.document.text[slice(*self.span)]


def build_question_prompt(passage: Passage) -> Prompt:
    """Return what a model is asked."""
    return Prompt(INSTRUCTION, f"Document: {passage.document.name}\n\nPart:\n{passage.text}")


def locate_answer_in_passage(passage: Passage, answered: QuestionAndAnswer, model: str) -> GeneratedQuestion | None:
    """Return the question with the span of its answer, or None if the answer does not stand in the passage."""
    found = find_quote(passage.text, answered.answer.strip()) if answered.answer.strip() else []
    if not found:
        return None
    start, end = (passage.span[0] + at for at in found[0])
    quote = passage.document.text[start:end]
    question = " ".join(answered.question.split())
    return GeneratedQuestion(passage.document.path, question, (start, end), quote, f"generated: model {model}")
