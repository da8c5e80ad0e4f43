"""Gold: the places that hold the answer to a question, and their spans in the documents as they are now."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from schemas.ids import normal_path

EVERYTHING = "all"
"""In METRICS, the name for all splits or all domains together. So no split or domain may have this name."""

WRITTEN, GENERATED = "all but generated", "all generated"
"""In METRICS, the splits of the questions that people wrote, and of those made from documents, if there are both."""

DocumentPath = Annotated[str, Field(min_length=1, description="relative to the source"), AfterValidator(normal_path)]


class Gold(BaseModel):
    """A span of a document's text (half-open, in code points), with or without its quote; or only a quote; or a page."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    document: DocumentPath
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=0)
    quote: str | None = None
    page: int | None = Field(None, ge=1)

    @model_validator(mode="after")
    def _check_one_place(self) -> Self:
        if (self.start is None) != (self.end is None):
            raise ValueError("give start and end together")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError(f"end {self.end} must come after start {self.start}")
        if self.quote is not None and not self.quote.strip():
            raise ValueError("the quote is blank")
        if (self.page is None) == (self.start is None and self.quote is None):
            raise ValueError("give either a span (start and end, quote, or all three) or a page")
        return self


class Question(BaseModel):
    """A question, and the documents or places in documents that answer it."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)
    id: str = Field(min_length=1)
    question: str
    documents: tuple[DocumentPath, ...] = ()
    gold: tuple[Gold, ...] = ()
    answer: str | None = None
    domain: str = Field("general", min_length=1)
    split: str = Field("test", min_length=1)
    origin: str | None = Field(None, min_length=1, description="where it comes from, such as generated: heading")

    @field_validator("question")
    @classmethod
    def _check_question_text(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("the question is blank")
        return value

    @field_validator("domain", "split")
    @classmethod
    def _check_reserved_name(cls, value: str) -> str:
        if value in (EVERYTHING, WRITTEN, GENERATED):
            raise ValueError(f"{value!r} names a mean over all: choose another name")
        return value

    @model_validator(mode="after")
    def _check_scorable(self) -> Self:
        if not self.documents and not self.gold:
            raise ValueError("give gold or documents: without them no result is right or wrong")
        return self

    @property
    def is_generated(self) -> bool:
        """Whether the question was made from the documents, and not by people."""
        return (self.origin or "").startswith("generated")

    @property
    def document_paths(self) -> tuple[str, ...]:
        """Return the path of each document that the question or its gold names, without repeats."""
        return tuple(dict.fromkeys([*self.documents, *(gold.document for gold in self.gold)]))


class DocumentText(NamedTuple):
    """The published text and pages of a document."""

    text: str
    n_pages: int


class Problem(BaseModel):
    """The reason why a question cannot be scored with this corpus."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    question_id: str
    document: str
    reason: str


class GoldNotFound(ValueError):
    """The document does not contain the gold."""


def locate_questions(questions: Iterable[Question], sources: Mapping[str, DocumentText]) -> tuple[list[Question], list[Problem]]:
    """Return the questions whose gold was found in `sources` (by path), with exact spans, and the problems of all others.

    If a part of its gold is missing, the whole question has a problem.
    """
    located, problems = [], []
    for question in questions:
        found = list(_locate_gold_of_question(question, sources))
        wrong = [place for place in found if isinstance(place, Problem)]
        problems += wrong
        if not wrong:
            places = tuple(place for place in found if isinstance(place, Gold))
            located.append(question.model_copy(update={"gold": places}))
    return located, problems


def _locate_gold_of_question(question: Question, sources: Mapping[str, DocumentText]) -> Iterator[Gold | Problem]:
    unknown = [path for path in question.document_paths if path not in sources]
    for path in unknown:
        yield Problem(
            question_id=question.id, document=path, reason="the corpus has no document with this path, or more than one"
        )
    for gold in question.gold:
        if gold.document not in unknown:
            try:
                yield locate_gold_in_source(gold, sources[gold.document])
            except GoldNotFound as error:
                yield Problem(question_id=question.id, document=gold.document, reason=str(error))


def locate_gold_in_source(gold: Gold, source: DocumentText) -> Gold:
    """Return `gold` with its span in `source`.

    If the quote is no longer at its span, search for it: first an exact match, then a match with any white space. Of several
    matches, take the nearest to the old start; if two are equally near, take the earlier one.

    Raises:
        Misplaced: there is no match, or there are several and no old start to choose by.
    """
    if gold.page is not None:
        if gold.page > source.n_pages:
            raise GoldNotFound(f"page {gold.page} is beyond the last page, {source.n_pages}")
        return gold
    if gold.quote is None:
        return _check_gold_span(gold, source.text)
    if source.text[gold.start : gold.end] == gold.quote and gold.start is not None:
        return gold
    start, end = _choose_nearest_place(find_quote(source.text, gold.quote), gold)
    return gold.model_copy(update={"start": start, "end": end, "quote": source.text[start:end]})


def follow_to_shown_documents(question: Question, shown: Mapping[str, str], sources: Mapping[str, DocumentText]) -> Question:
    """Return a located question with its gold in the documents that a search shows for those that it names.

    `shown` are their paths. Gold that the shown document does not have stays where it is, and is not found.
    """
    gold = tuple(_follow_to_shown_document(one, shown.get(one.document), sources) for one in question.gold)
    documents = dict.fromkeys(path if (path := shown.get(named)) in sources else named for named in question.documents)
    return question.model_copy(update={"gold": gold, "documents": tuple(documents)})


def _follow_to_shown_document(gold: Gold, path: str | None, sources: Mapping[str, DocumentText]) -> Gold:
    if path is None or path not in sources:
        return gold
    quote = gold.quote or sources[gold.document].text[gold.start : gold.end] if gold.page is None else None
    try:
        return locate_gold_in_source(gold.model_copy(update={"document": path, "quote": quote}), sources[path])
    except GoldNotFound:
        return gold


def _check_gold_span(gold: Gold, text: str) -> Gold:
    if gold.end is None or gold.end > len(text):
        raise GoldNotFound(f"the span ends at {gold.end}, beyond the text's {len(text)} characters: add a quote")
    if not text[gold.start : gold.end].strip():
        raise GoldNotFound(f"the text from {gold.start} to {gold.end} is blank: add a quote")
    return gold


def find_quote(text: str, quote: str) -> list[tuple[int, int]]:
    """Return the spans where `quote` stands in `text`: exact matches, or if there are none, matches with any white space."""
    exact = [(start, start + len(quote)) for start in _find_occurrences(text, quote)]
    # white space may stand between any two letters: line breaks, and words that a table or a PDF has split
    letters = r"\s*".join(re.escape(letter) for letter in quote if not letter.isspace())
    return exact or [match.span() for match in re.finditer(letters, text)]


def _find_occurrences(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)


def _choose_nearest_place(places: list[tuple[int, int]], gold: Gold) -> tuple[int, int]:
    if not places:
        raise GoldNotFound(f"the quote does not occur in the text: {_shorten_quote(gold.quote or '')!r}")
    if gold.start is None and len(places) > 1:
        raise GoldNotFound(f"the quote occurs {len(places)} times, give start and end: {_shorten_quote(gold.quote or '')!r}")
    old = gold.start or 0
    return min(places, key=lambda place: (abs(place[0] - old), place[0]))


def _shorten_quote(quote: str) -> str:
    return quote if len(quote) <= 80 else f"{quote[:79]}…"
