"""Collect: questions of a file, located in a corpus, each once; and the check of a file that Pagemill has written."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from schemas.corpus import Corpus
from tasks.evaluate.gold import Misplaced, Question, Source, locate_questions
from tasks.evaluate.io.question_files import read_lines
from tasks.evaluate.io.questions.read import read_drafts
from tasks.evaluate.io.questions.sources import Published
from tasks.evaluate.questions.alike import first_alike
from tasks.evaluate.questions.contexts import Texts
from tasks.evaluate.questions.drafts import Draft, Refused, in_order, refused
from tasks.evaluate.questions.lines import Malformed, as_question

LEAST_ALIKE = 0.95
"""Questions whose vectors have at least this cosine ask the same."""


class Placed(NamedTuple):
    """A question, and where its file has it."""

    place: str
    question: Question


class Collected(NamedTuple):
    """Questions with exact gold, and all others with the reason."""

    placed: list[Placed]
    refused: list[Refused]


def import_questions(corpus: Corpus, path: Path) -> Collected:
    """Return the questions of a file whose gold stands in the corpus; of questions that ask the same, only the first.

    Raises:
        InputError: the file cannot be read, or holds no question.
        CorpusError: nothing has been published there, or its embedder is not installed.
    """
    found = read_drafts(path)
    published = Published(corpus)
    drafts = [one for one in found if isinstance(one, Draft)]
    everything = published.sources() if any(draft.contexts for draft in drafts) else {}
    texts = Texts({name: source.text for name, source in everything.items()})
    placed, wrong = _apart(as_placed(draft, texts) for draft in drafts)
    located = locate_all(placed, everything or published.sources(_named(placed)))
    distinct = without_duplicates(published, located.placed)
    unread = [one for one in found if isinstance(one, Refused)]
    return Collected(distinct.placed, _sorted([*unread, *wrong, *located.refused, *distinct.refused]))


def check_questions(corpus: Corpus, path: Path) -> Collected:
    """Return which questions of a file of Pagemill's JSON lines would be scored, with exact gold, and which not.

    Raises:
        InputError: the file cannot be read, or is empty.
        CorpusError: nothing has been published there.
    """
    placed, wrong = list[Placed](), list[Refused]()
    for line in read_lines(path):
        place = f"{path}:{line.number}"
        if line.question is None:
            wrong.append(Refused(place=place, reason=line.problem))
        else:
            placed.append(Placed(place, line.question))
    located = locate_all(placed, Published(corpus).sources(_named(placed)))
    return Collected(located.placed, _sorted([*wrong, *located.refused]))


def as_placed(draft: Draft, texts: Texts) -> Placed | Refused:
    """Return the question of a draft, with its contexts located in `texts`."""
    try:
        gold = [texts.locate(context).model_dump() for context in draft.contexts]
        return Placed(draft.place, as_question({**draft.values, "gold": [*draft.values.get("gold", ()), *gold]}))
    except (Misplaced, Malformed) as error:
        return refused(draft, str(error))


def locate_all(placed: Sequence[Placed], sources: Mapping[str, Source]) -> Collected:
    """Return the questions with the exact spans of their gold, and a refusal for each gold that is not found."""
    places = {one.question.id: one for one in placed}
    located, problems = locate_questions([one.question for one in placed], sources)
    wrong = [_refused(places[problem.question_id], problem.reason, problem.document) for problem in problems]
    return Collected([Placed(places[question.id].place, question) for question in located], wrong)


def without_duplicates(published: Published, placed: Sequence[Placed], least: float = LEAST_ALIKE) -> Collected:
    """Return the first of all questions whose vectors, by the corpus's embedder, have at least the cosine `least`.

    Raises:
        CorpusError: the embedder of the corpus is not installed.
    """
    if len(placed) < 2:
        return Collected(list(placed), [])
    alike = first_alike(published.searcher.embedder.encode_queries([one.question.question for one in placed]), least)
    kept = [one for one, first in zip(placed, alike, strict=True) if first is None]
    dropped = [
        _refused(one, f"it asks the same as {placed[first].place}, question {placed[first].question.id}")
        for one, first in zip(placed, alike, strict=True)
        if first is not None
    ]
    return Collected(kept, dropped)


def _apart(found: Iterable[Placed | Refused]) -> tuple[list[Placed], list[Refused]]:
    """Tell questions from refusals; a question whose id was used before is refused too."""
    placed, wrong = dict[str, Placed](), list[Refused]()
    for one in found:
        if isinstance(one, Refused):
            wrong.append(one)
        elif one.question.id in placed:
            first = placed[one.question.id].place
            wrong.append(_refused(one, f"its id is already used in {first}: give each question its own id"))
        else:
            placed[one.question.id] = one
    return list(placed.values()), wrong


def _sorted(refused: Iterable[Refused]) -> list[Refused]:
    return sorted(refused, key=lambda one: in_order(one.place))


def _named(placed: Iterable[Placed]) -> set[str]:
    return {name for one in placed for name in one.question.named}


def _refused(placed: Placed, reason: str, document: str = "") -> Refused:
    asked = placed.question
    return Refused(place=placed.place, reason=reason, document=document, question_id=asked.id, question=asked.question)
