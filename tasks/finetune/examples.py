"""Examples: questions with the chunks that answer them and hard negatives, and the steps in which a model learns from them."""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.embed.vectors import Vectors

AT_ONCE = 256
"""Questions whose cosines with all chunks are in memory at once."""


class Example(NamedTuple):
    """A question, the rows of the pool's chunks that answer it, and the document that they are of."""

    question_id: str
    question: str
    document: str
    gold: frozenset[int]


class TrainingSplit(NamedTuple):
    """Examples to learn from, and how many were left out or lost a chunk because they would give away a held-out question."""

    train: list[Example]
    n_left_out: int
    n_shortened: int


def remove_held_out_questions(train: Sequence[Example], held_out: Sequence[Example]) -> TrainingSplit:
    """Return `train` without what the held-out questions ask: their questions, and the chunks that answer them.

    >>> held_out = [Example("h", "Who?", "a.txt", frozenset({1}))]
    >>> train = [Example("t", " who? ", "b.txt", frozenset({2})), Example("u", "Why?", "a.txt", frozenset({1, 3}))]
    >>> split = remove_held_out_questions(train, held_out)
    >>> [(one.question_id, set(one.gold)) for one in split.train], split.n_left_out, split.n_shortened
    ([('u', {3})], 1, 1)
    """
    asked, answering = {_normalize_question(one.question) for one in held_out}, frozenset().union(*(one.gold for one in held_out))
    kept = [one._replace(gold=one.gold - answering) for one in train if _normalize_question(one.question) not in asked]
    usable = [one for one in kept if one.gold]
    known = {one.question_id: one.gold for one in train}
    return TrainingSplit(usable, len(train) - len(usable), sum(one.gold != known[one.question_id] for one in usable))


def _normalize_question(question: str) -> str:
    return " ".join(question.casefold().split())


class Step(NamedTuple):
    """One step of learning: rows of examples, for each the row of its positive among `chunks`, and which chunks are allowed.

    `chunks` are rows of the pool, each once. A chunk that answers a question is never a negative of it.
    """

    examples: list[int]
    chunks: list[int]
    positives: NDArray[np.int64]
    allowed: NDArray[np.bool_]


def make_training_steps(
    examples: Sequence[Example], negatives: Sequence[Sequence[int]], size: int, epochs: int, seed: int
) -> Iterator[Step]:
    """Yield the steps of all epochs: each epoch takes the examples in another order, `size` at once.

    Of several chunks that answer a question one is drawn each time. The last step of an epoch may be smaller, but a single
    question without negatives teaches nothing, so it joins the step before.
    """
    drawn = np.random.default_rng(seed)
    for _ in range(epochs):
        order = drawn.permutation(len(examples)).tolist()
        for part in _split_into_batches(order, size):
            chosen = {row: int(drawn.choice(sorted(examples[row].gold))) for row in part}
            yield _make_training_step(part, chosen, examples, negatives)


def _split_into_batches(order: list[int], size: int) -> list[list[int]]:
    parts = [order[at : at + size] for at in range(0, len(order), size)]
    if len(parts) > 1 and len(parts[-1]) == 1:  # a single question has no other's chunk as a negative
        last = parts.pop()
        parts[-1] = parts[-1] + last
    return parts


def _make_training_step(
    part: list[int], chosen: dict[int, int], examples: Sequence[Example], negatives: Sequence[Sequence[int]]
) -> Step:
    chunks = list(dict.fromkeys([*chosen.values(), *(chunk for row in part for chunk in negatives[row])]))
    place = {chunk: at for at, chunk in enumerate(chunks)}
    positives = np.array([place[chosen[row]] for row in part], dtype=np.int64)
    allowed = np.array([[chunk not in examples[row].gold for chunk in chunks] for row in part])
    return Step(part, chunks, positives, allowed)


def count_training_steps(n_examples: int, size: int, epochs: int) -> int:
    """Return how many steps `make_training_steps` yields."""
    return epochs * len(_split_into_batches(list(range(n_examples)), size))


def compute_learning_rate_share(step: int, total: int, warmup: float) -> float:
    """Return the share of the highest learning rate at a step, counted from 0: it rises in a straight line, then falls to 0.

    >>> [round(compute_learning_rate_share(step, 5, 0.4), 2) for step in range(5)]
    [0.5, 1.0, 1.0, 0.67, 0.33]
    """
    rising = max(1, round(warmup * total))
    return min((step + 1) / rising, (total - step) / max(1, total - rising), 1.0)


def mine_hard_negatives(
    questions: Vectors, chunks: Vectors, gold: Sequence[Set[int]], n: int, most_like: float
) -> list[list[int]]:
    """Return for each question the `n` nearest chunks that are not gold, or all there are, nearest first; ties by position.

    A chunk whose cosine is above `most_like` times that of the nearest gold is left out, because it may be gold that nobody
    marked: positive-aware mining by a share of the positive's score (Moreira et al. 2024, arXiv:2407.15831). If the gold's cosine
    is 0 or less, no share of it means anything, and nothing is left out.
    """
    found: list[list[int]] = []
    for start in range(0, len(questions), AT_ONCE):
        cosines = questions[start : start + AT_ONCE] @ chunks.T
        found += [_mine_negatives_of_question(row, gold[start + at], n, most_like) for at, row in enumerate(cosines)]
    return found


def _mine_negatives_of_question(cosines: Vectors, gold: Set[int], n: int, most_like: float) -> list[int]:
    best = max((float(cosines[at]) for at in gold), default=0.0)
    usable = cosines <= (most_like * best if best > 0 else np.inf)
    usable[list(gold)] = False
    nearest: list[int] = np.argsort(np.where(usable, -cosines, np.inf), kind="stable")[: min(n, int(usable.sum()))].tolist()
    return nearest
