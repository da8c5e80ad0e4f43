import pytest

from schemas.errors import AnswerError, CostError
from tasks.chat.io.calls import FIRST_CALLS, Calls


def test_useless_answers_stand_beside_useful_ones() -> None:
    def ask(item: int) -> int:
        if item % 2:
            raise AnswerError(f"{item} is odd")
        return -item

    calls = Calls(ask, 4)
    found = calls.ask_each(range(20))
    assert calls.stopped is None
    assert [one if isinstance(one, int) else str(one) for one in found[:3]] == [0, "1 is odd", -2]


@pytest.mark.parametrize(("least", "asked"), [(1, FIRST_CALLS), (FIRST_CALLS, FIRST_CALLS), (FIRST_CALLS + 1, 20)])
def test_a_model_without_a_useful_answer_is_not_asked_for_ever(least: int, asked: int) -> None:
    items: list[int] = []

    def ask(item: int) -> int:
        items.append(item)
        raise AnswerError("prose")

    calls = Calls(ask, 1, least)
    found = calls.ask_each(range(20))
    assert len(items) == asked and found[asked:] == [None] * (20 - asked)
    assert isinstance(calls.stopped, AnswerError)


def test_after_an_error_nothing_is_asked_any_more() -> None:
    items: list[int] = []

    def ask(item: int) -> int:
        items.append(item)
        if item == 2:
            raise CostError("the cap is reached")
        return item

    calls = Calls(ask, 1)
    assert calls.ask_each(range(20)) == [0, 1, *[None] * 18]
    assert isinstance(calls.stopped, CostError)
    assert calls.ask_each([30]) == [None] and items == [0, 1, 2]
