"""Who learns from what, in which order, beside which negatives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.finetune.examples import (
    Example,
    compute_learning_rate_share,
    count_training_steps,
    make_training_steps,
    mine_hard_negatives,
    remove_held_out_questions,
)


def example(name: str, *gold: int) -> Example:
    return Example(name, f"What is {name}?", f"{name}.txt", frozenset(gold))


@given(st.integers(1, 40), st.integers(2, 8), st.integers(1, 3), st.integers(0, 99))
def test_every_epoch_learns_from_every_question_once(n: int, size: int, epochs: int, seed: int) -> None:
    examples = [example(f"q{at}", at, at + 1) for at in range(n)]
    negatives = [[(at * 7) % (n + 1), n + 5] for at in range(n)]
    negatives = [[row for row in found if row not in examples[at].gold] for at, found in enumerate(negatives)]
    made = list(make_training_steps(examples, negatives, size, epochs, seed))
    assert len(made) == count_training_steps(n, size, epochs)
    assert sorted(row for step in made for row in step.examples) == sorted([*range(n)] * epochs)
    for step in made:
        assert len(set(step.chunks)) == len(step.chunks) and (len(step.examples) > 1 or n == 1)
        for at, row in enumerate(step.examples):
            assert step.chunks[step.positives[at]] in examples[row].gold
            assert set(negatives[row]) <= set(step.chunks)
            allowed = {chunk for chunk, may in zip(step.chunks, step.allowed[at], strict=True) if may}
            assert allowed == set(step.chunks) - examples[row].gold
    again = make_training_steps(examples, negatives, size, epochs, seed)
    assert [(one.examples, one.chunks) for one in again] == [(one.examples, one.chunks) for one in made]


def test_nothing_that_a_held_out_question_asks_or_is_answered_by_is_learnt() -> None:
    held_out = [Example("h", "Who  IS it?", "a.txt", frozenset({1, 2}))]
    same = Example("a", "who is it?", "b.txt", frozenset({9}))
    answer, half, other = example("b", 2), example("c", 2, 3), example("d", 4)
    found = remove_held_out_questions([same, answer, half, other], held_out)
    assert [(one.question_id, one.gold) for one in found.train] == [("c", frozenset({3})), ("d", frozenset({4}))]
    assert (found.n_left_out, found.n_shortened) == (2, 1)


def test_hard_negatives_are_near_but_neither_gold_nor_likely_to_be() -> None:
    angles = np.deg2rad([0, 2, 20, 40, 60, 95])
    chunks = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    question = chunks[:1]
    assert mine_hard_negatives(question, chunks, [{0}], 2, 0.95) == [[2, 3]]  # the one at 2° may be gold that nobody marked
    assert mine_hard_negatives(question, chunks, [{0}], 2, 1.0) == [[1, 2]]
    assert mine_hard_negatives(question, chunks, [{0, 2}], 9, 0.95) == [[3, 4, 5]]
    assert mine_hard_negatives(question, chunks, [{3}], 1, 0.95) == [[4]]  # what is nearer than gold may be gold
    assert mine_hard_negatives(question, chunks, [{5}], 2, 0.95) == [[0, 1]]  # gold on the other side says nothing
    assert mine_hard_negatives(question, chunks, [{0}], 0, 0.95) == [[]]
    assert len(mine_hard_negatives(np.repeat(question, 600, axis=0), chunks, [{0}] * 600, 1, 1.0)) == 600


@given(st.integers(1, 200), st.floats(0, 1))
def test_the_rate_rises_to_the_highest_and_ends_above_nothing(total: int, warmup: float) -> None:
    found = [compute_learning_rate_share(step, total, warmup) for step in range(total)]
    assert all(0 < one <= 1 for one in found)
    top = int(np.argmax(found))
    assert found[: top + 1] == sorted(found[: top + 1]) and found[top:] == sorted(found[top:], reverse=True)
