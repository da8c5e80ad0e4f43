from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import CostError
from tasks.chat.io.client import Chat
from tasks.chat.io.ledger import Usage
from tests.chat_endpoint import ChatEndpoint, playing, says
from tests.tasks.chat.io.places import GOOD, PROMPT, Place, asked, options


def test_a_call_that_could_pass_the_cap_is_not_made(good: ChatEndpoint, tmp_path: Path) -> None:
    prices = {"input_price": 10.0, "output_price": 50.0, "max_tokens": 100}
    with Chat(options(good, **prices, max_cost=0.02), tmp_path) as chat:
        with pytest.raises(
            CostError, match=r"cap of \$0\.02: \$0\.0\d+ spent on \d calls .*run the same again, or raise the cap"
        ):
            for repeat in range(100):
                chat.ask_for_object(PROMPT._replace(repeat=repeat), Place)
        assert 0 < chat.ledger.dollars <= 0.02
        done = len(good.asked)
        assert chat.ledger.usage == Usage(done, 100 * done, 20 * done)
    with Chat(options(good, **prices, max_cost=0.02), tmp_path) as chat:
        for repeat in range(done + 1):
            chat.ask_for_object(PROMPT._replace(repeat=repeat), Place)
    assert len(good.asked) == done + 1


def test_calls_side_by_side_stay_below_the_cap_together(tmp_path: Path) -> None:
    with playing(says(GOOD, delay_seconds=0.05)) as endpoint:
        with Chat(options(endpoint, output_price=1000.0, max_tokens=20, max_cost=0.1), tmp_path) as chat:

            def ask(repeat: int) -> bool:
                try:
                    return bool(chat.ask_for_object(PROMPT._replace(repeat=repeat), Place))
                except CostError:
                    return False

            with ThreadPoolExecutor(16) as pool:
                answered = sum(pool.map(ask, range(40)))
        assert answered == len(endpoint.asked) == 5
        assert chat.ledger.dollars == pytest.approx(0.1)


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many", "completion_tokens": 1}, {"prompt_tokens": -1, "completion_tokens": 1}]
)
def test_usage_that_is_not_reported_counts_with_the_most_possible(tmp_path: Path, usage: Any) -> None:
    with playing(says(GOOD, usage=usage)) as endpoint:
        _, chat = asked(tmp_path, endpoint, max_tokens=55)
    assert chat.ledger.usage.output_tokens == 55
    assert chat.ledger.usage.input_tokens > 100


def test_a_call_waits_for_others_that_may_cost_less_than_their_most(tmp_path: Path) -> None:
    with playing(says(GOOD, delay_seconds=0.05)) as endpoint:
        prices = {"output_price": 1000.0, "max_tokens": 90, "max_cost": 0.1}
        with Chat(options(endpoint, **prices), tmp_path) as chat, ThreadPoolExecutor(4) as pool:
            n_bought = 1  # 20 tokens of the first call leave no room for 90 more
            answers = [pool.submit(chat.ask_for_object, PROMPT._replace(repeat=repeat), Place) for repeat in range(4)]
            failed = [isinstance(answer.exception(), CostError) for answer in answers]
        assert failed.count(False) == len(endpoint.asked) == n_bought
    with playing(says(GOOD, delay_seconds=0.05)) as endpoint:
        with Chat(options(endpoint, **prices | {"max_cost": 0.15}), tmp_path / "more") as chat, ThreadPoolExecutor(4) as pool:
            answers = [pool.submit(chat.ask_for_object, PROMPT._replace(repeat=repeat), Place) for repeat in range(4)]
            assert not any(answer.exception() for answer in answers)
