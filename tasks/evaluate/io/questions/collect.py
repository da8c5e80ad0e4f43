"""Collect: questions of a file, located in a corpus, each once; and the check of a file that Pagemill has written."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from schemas.access import Principal
from schemas.corpus import Corpus
from tasks.evaluate.gold import DocumentText, GoldNotFound, Question, locate_questions
from tasks.evaluate.io.documents import PublishedDocuments
from tasks.evaluate.io.question_files import read_question_lines
from tasks.evaluate.io.questions.read import read_question_drafts
from tasks.evaluate.questions.choose import find_duplicate_vectors
from tasks.evaluate.questions.contexts import TextIndex
from tasks.evaluate.questions.formats import (
    Malformed,
    QuestionDraft,
    RefusedQuestion,
    make_natural_sort_key,
    refuse_draft,
    validate_question,
)

LEAST_ALIKE = 0.95
"""Questions whose vectors have at least this cosine ask the same."""


class PlacedQuestion(NamedTuple):
    """A question, and where its file has it."""

    place: str
    question: Question


class SortedQuestions(NamedTuple):
    """Questions with exact gold, and all others with the reason."""

    placed: list[PlacedQuestion]
    refused: list[RefusedQuestion]


def import_questions(corpus: Corpus, path: Path, principal: Principal | None = None) -> SortedQuestions:
    """Return the questions of a file whose gold stands in the corpus; of questions that ask the same, only the first.

    Raises:
        AccessError: the corpus says who may read it, and it is not its owner who asks.
        InputError: the file cannot be read, or holds no question.
        CorpusError: nothing has been published there, or its embedder is not installed.
    """
    found = read_question_drafts(path)
    published = PublishedDocuments(corpus, principal)
    drafts = [one for one in found if isinstance(one, QuestionDraft)]
    everything = published.read_sources() if any(draft.contexts for draft in drafts) else {}
    texts = TextIndex({name: source.text for name, source in everything.items()})
    placed, wrong = _separate_refusals(locate_draft_contexts(draft, texts) for draft in drafts)
    located = locate_placed_questions(placed, everything or published.read_sources(_list_named_documents(placed)))
    distinct = drop_duplicate_questions(published, located.placed)
    unread = [one for one in found if isinstance(one, RefusedQuestion)]
    return SortedQuestions(distinct.placed, _sort_refusals_by_place([*unread, *wrong, *located.refused, *distinct.refused]))


def check_questions(corpus: Corpus, path: Path, principal: Principal | None = None) -> SortedQuestions:
    """Return which questions of a file of Pagemill's JSON lines would be scored, with exact gold, and which not.

    Raises:
        AccessError: the corpus says who may read it, and it is not its owner who asks.
        InputError: the file cannot be read, or is empty.
        CorpusError: nothing has been published there.
    """
    placed, wrong = list[PlacedQuestion](), list[RefusedQuestion]()
    for line in read_question_lines(path):
        place = f"{path}:{line.number}"
        if line.question is None:
            wrong.append(RefusedQuestion(place=place, reason=line.problem))
        else:
            placed.append(PlacedQuestion(place, line.question))
    located = locate_placed_questions(placed, PublishedDocuments(corpus, principal).read_sources(_list_named_documents(placed)))
    return SortedQuestions(located.placed, _sort_refusals_by_place([*wrong, *located.refused]))


def locate_draft_contexts(draft: QuestionDraft, texts: TextIndex) -> PlacedQuestion | RefusedQuestion:
    """Return the question of a draft, with its contexts located in `texts`."""
    try:
        gold = [texts.locate_context(context).model_dump() for context in draft.contexts]
        return PlacedQuestion(draft.place, validate_question({**draft.values, "gold": [*draft.values.get("gold", ()), *gold]}))
    except (GoldNotFound, Malformed) as error:
        return refuse_draft(draft, str(error))


def locate_placed_questions(placed: Sequence[PlacedQuestion], sources: Mapping[str, DocumentText]) -> SortedQuestions:
    """Return the questions with the exact spans of their gold, and a refusal for each gold that is not found."""
    places = {one.question.id: one for one in placed}
    located, problems = locate_questions([one.question for one in placed], sources)
    wrong = [_refuse_question(places[problem.question_id], problem.reason, problem.document) for problem in problems]
    return SortedQuestions([PlacedQuestion(places[question.id].place, question) for question in located], wrong)


def drop_duplicate_questions(published: PublishedDocuments, placed: Sequence[PlacedQuestion]) -> SortedQuestions:
    """Return the first of all questions whose vectors, by the corpus's embedder, have at least the cosine LEAST_ALIKE.

    Raises:
        CorpusError: the embedder of the corpus is not installed.
    """
    if len(placed) < 2:
        return SortedQuestions(list(placed), [])
    vectors = published.searcher.embedder.encode_queries([one.question.question for one in placed])
    alike = find_duplicate_vectors(vectors, LEAST_ALIKE)
    kept = [one for one, first in zip(placed, alike, strict=True) if first is None]
    dropped = [
        _refuse_question(one, f"it asks the same as {placed[first].place}, question {placed[first].question.id}")
        for one, first in zip(placed, alike, strict=True)
        if first is not None
    ]
    return SortedQuestions(kept, dropped)


def _separate_refusals(found: Iterable[PlacedQuestion | RefusedQuestion]) -> tuple[list[PlacedQuestion], list[RefusedQuestion]]:
    """Tell questions from refusals; a question whose id was used before is refused too."""
    placed, wrong = dict[str, PlacedQuestion](), list[RefusedQuestion]()
    for one in found:
        if isinstance(one, RefusedQuestion):
            wrong.append(one)
        elif one.question.id in placed:
            first = placed[one.question.id].place
            wrong.append(_refuse_question(one, f"its id is already used in {first}: give each question its own id"))
        else:
            placed[one.question.id] = one
    return list(placed.values()), wrong


def _sort_refusals_by_place(refused: Iterable[RefusedQuestion]) -> list[RefusedQuestion]:
    return sorted(refused, key=lambda one: make_natural_sort_key(one.place))


def _list_named_documents(placed: Iterable[PlacedQuestion]) -> set[str]:
    return {name for one in placed for name in one.question.document_paths}


def _refuse_question(placed: PlacedQuestion, reason: str, document: str = "") -> RefusedQuestion:
    named = {"question_id": placed.question.id, "question": placed.question.question}
    return RefusedQuestion(place=placed.place, reason=reason, document=document, **named)
