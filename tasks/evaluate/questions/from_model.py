"""Asked: what a language model is told about a passage, and what is made of its answer."""

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from tasks.evaluate.gold import find_quote
from tasks.evaluate.prompts import Prompt
from tasks.evaluate.questions.generated import Document, GeneratedQuestion
from tasks.evaluate.scoring import Span

INSTRUCTION = (
    "You write questions that test a search engine. You are shown one part of a document. Write one question about a fact "
    "that this part states and that nothing else in the world needs to be known for. Ask as somebody would who has never seen "
    "the document: name the people, things and times that the question is about, and do not mention the document, its "
    "text, its tables or its parts. Then give the answer: one span of the part, copied exactly, character by character, "
    "that answers the question completely, is not longer than needed, and is long enough that the same words are unlikely to "
    "stand anywhere else in the document."
)


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


def build_prompt(passage: Passage) -> Prompt:
    """Return what a model is asked."""
    return Prompt(INSTRUCTION, f"Document: {passage.document.name}\n\nPart:\n{passage.text}")


def read_question(passage: Passage, answered: QuestionAndAnswer, model: str) -> GeneratedQuestion | None:
    """Return the question with the span of its answer, or None if the answer does not stand in the passage."""
    found = find_quote(passage.text, answered.answer.strip()) if answered.answer.strip() else []
    if not found:
        return None
    start, end = (passage.span[0] + at for at in found[0])
    quote = passage.document.text[start:end]
    question = " ".join(answered.question.split())
    return GeneratedQuestion(passage.document.path, question, (start, end), quote, f"generated: model {model}")
