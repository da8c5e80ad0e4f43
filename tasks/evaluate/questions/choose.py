"""Choose: some good questions about each document from more tries, in rounds, until each has enough."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from tasks.embed.vectors import Vectors
from tasks.evaluate.gold import Question
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.formats import RefusedQuestion
from tasks.evaluate.questions.generated import Document, GeneratedQuestion, find_question_problem, finish_question

MOST_ROUNDS = 3
"""How many tries a question may have, at most: a model that writes bad questions costs three times as much, not more."""

Try = TypeVar("Try")

BLOCK = 512
"""Vectors that are compared at once."""


class Candidates(NamedTuple, Generic[Try]):
    """A document, and what questions about it may be made from, in the order in which it is tried."""

    document: Document
    tries: Sequence[Try]


class Chosen(NamedTuple):
    """Questions in the order of documents, and all that were refused."""

    questions: list[Question]
    refused: list[RefusedQuestion]


class Chooser:
    """Takes questions while they are new and their document has room for more."""

    def __init__(self, encode: Callable[[Sequence[str]], Vectors], per_document: int, least_alike: float, split: str) -> None:
        self._encode, self._per_document, self._least_alike, self._split = encode, per_document, least_alike, split
        self._vectors: list[Vectors] = []
        self._taken: dict[str, list[Question]] = {}
        self._refused: list[RefusedQuestion] = []

    def count_missing_questions(self, path: str) -> int:
        """Return how many more questions a document may have."""
        return self._per_document - len(self._taken.get(path, ()))

    def take_usable_questions(self, made: Iterable[tuple[Document, GeneratedQuestion | RefusedQuestion]]) -> None:
        """Take the questions that can be used, in order; refuse the others."""
        good: list[tuple[Document, GeneratedQuestion]] = []
        texts: dict[str, str] = {}
        for document, one in made:
            if document.path not in texts:
                texts = {document.path: remove_white_space(document.text)}
            wrong = one if isinstance(one, RefusedQuestion) else find_question_problem(one, document, texts[document.path])
            if wrong is not None:
                self._refused.append(wrong)
            elif isinstance(one, GeneratedQuestion):
                good.append((document, one))
        self._take_new_questions(good)

    def _take_new_questions(self, made: Sequence[tuple[Document, GeneratedQuestion]]) -> None:
        if not made:
            return
        vectors, before = self._encode([one.question for _, one in made]), len(self._vectors)
        alike = find_duplicate_vectors(np.stack([*self._vectors, *vectors]), self._least_alike)[before:]
        for (document, one), vector, first in zip(made, vectors, alike, strict=True):
            if first is None:
                self._vectors.append(vector)
                self._taken.setdefault(document.path, []).append(finish_question(one, document, self._split))
            else:
                reason = "another question asks the same in almost the same words"
                self._refused.append(RefusedQuestion(place=document.path, reason=reason, question=one.question))

    def collect_chosen(self, paths: Iterable[str]) -> Chosen:
        """Return what was taken, in the order of `paths`."""
        return Chosen([question for path in paths for question in self._taken.get(path, ())], self._refused)


def choose_questions(
    candidates: Sequence[Candidates[Try]],
    attempt: Callable[[Sequence[tuple[Document, Try]]], Sequence[GeneratedQuestion | RefusedQuestion | None]],
    chooser: Chooser,
) -> Chosen:
    """Return questions about the documents of `candidates`; `attempt` makes one of each try, or None if it had to stop.

    Each round tries as many as each document lacks.
    """
    left: Mapping[str, list[Try]] = {one.document.path: list(one.tries) for one in candidates}
    for _ in range(MOST_ROUNDS):
        tried: list[tuple[Document, Try]] = []
        for one in candidates:
            waiting, n = left[one.document.path], chooser.count_missing_questions(one.document.path)
            tried += [(one.document, each) for each in waiting[:n]]
            del waiting[:n]
        made = attempt(tried)
        chooser.take_usable_questions((document, one) for (document, _), one in zip(tried, made, strict=True) if one is not None)
        if not tried or None in made:
            break
    return chooser.collect_chosen(left)


def find_duplicate_vectors(vectors: Vectors, least: float) -> list[int | None]:
    """Return for each vector the index of the earlier one that it duplicates, or None if it is the first of its kind.

    Vectors, one a row, have length 1; `least` is a cosine. In order: a vector that is not kept repels no later one.

    >>> find_duplicate_vectors(np.array([[1, 0], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32), 0.9)
    [None, None, 1]
    """
    found: list[int | None] = []
    kept: list[int] = []
    for begin in range(0, len(vectors), BLOCK):
        block = vectors[begin : begin + BLOCK]
        before = len(kept)
        to_kept = block @ vectors[kept].T
        inside = block @ block.T
        for row in range(len(block)):
            near = np.flatnonzero(to_kept[row] >= least)
            beside = [at for at in kept[before:] if inside[row, at - begin] >= least]
            alike = kept[near[0]] if near.size else beside[0] if beside else None
            found.append(alike)
            if alike is None:
                kept.append(begin + row)
    return found
