from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from schemas.errors import AnswerError, InputError, PagemillError
from schemas.options.chat import ChatOptions
from tasks.chat.io.client import Chat, strict_schema
from tasks.chat.io.ledger import Usage
from tasks.chat.prompts import Prompt
from tests.chat_endpoint import ChatEndpoint, Reply, fails, playing, says
from tests.tasks.chat.io.places import GOOD, PROMPT, Place, asked, options


def test_an_answer_is_asked_for_by_its_schema_at_temperature_zero(good: ChatEndpoint, tmp_path: Path) -> None:
    answer, chat = asked(tmp_path, good, max_tokens=77)
    assert answer == Place(place="river", sure=4)
    (body,) = good.asked
    assert (body["path"], body["model"], body["temperature"], body["max_tokens"]) == ("/v1/chat/completions", "reader", 0, 77)
    assert body["response_format"]["json_schema"]["schema"] == strict_schema(Place)
    assert body["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert good.keys == [None]
    assert chat.ledger.used == Usage(1, 100, 20)


def test_a_strict_schema_requires_every_field_and_allows_no_other() -> None:
    class Both(BaseModel):
        first: Place
        second: list[Place]

    schema = strict_schema(Both)
    assert (schema["required"], schema["additionalProperties"]) == (["first", "second"], False)
    assert schema["$defs"]["Place"]["additionalProperties"] is False


def test_nothing_is_asked_twice_not_even_by_another_run(good: ChatEndpoint, tmp_path: Path) -> None:
    first, _ = asked(tmp_path, good)
    again, chat = asked(tmp_path, good, timeout_seconds=5, max_cost=1.0, input_price=1.0)
    assert (first, len(good.asked)) == (again, 1)
    assert (chat.n_cached, chat.ledger.used) == (1, Usage())


@pytest.mark.parametrize(
    "other", [PROMPT._replace(question="Why?"), PROMPT._replace(instruction="Be brief."), PROMPT._replace(repeat=1)]
)
def test_another_prompt_or_repeat_is_another_question(good: ChatEndpoint, tmp_path: Path, other: Prompt) -> None:
    asked(tmp_path, good)
    asked(tmp_path, good, other)
    asked(tmp_path, good, model="writer")
    assert len(good.asked) == 3


def test_a_damaged_kept_answer_is_asked_for_again(good: ChatEndpoint, tmp_path: Path) -> None:
    asked(tmp_path, good)
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text(kept.read_text()[:20])
    asked(tmp_path, good)
    asked(tmp_path, good)
    assert len(good.asked) == 2


@pytest.mark.parametrize("status", [400, 422, 501])
def test_an_endpoint_without_schemas_is_asked_in_words_and_from_then_on_only_so(tmp_path: Path, status: int) -> None:
    fenced = says(f"Here it is {{as asked}}:\n```json\n{GOOD}\n```")
    with playing(fails(status, "response_format is not supported"), fenced) as endpoint:
        with Chat(options(endpoint), tmp_path) as chat:
            assert chat.ask(PROMPT, Place).place == chat.ask(PROMPT._replace(repeat=1), Place).place == "river"
        assert ["response_format" in body for body in endpoint.asked] == [True, False, False]
        assert '"place"' in endpoint.asked[1]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (says("The heron stands in the river."), "prose instead of JSON: 'The heron stands"),
        (says('{"place": "river"}'), r"does not have the form .*sure: Field required"),
        (says('{"place": "river", "sure": 9}'), r"sure: Input should be less than or equal to 5"),
        (says("", refusal="I cannot help with herons."), "refuses to answer: 'I cannot help with herons"),
        (says("", finish="content_filter"), "refuses to answer"),
        (says('{"place": "ri', finish="length"), r"cut off at 1024 tokens: raise max_tokens"),
        (says("  "), "answer is empty"),
    ],
)
def test_a_useless_answer_is_an_error_that_quotes_it(tmp_path: Path, reply: Reply, message: str) -> None:
    with playing(reply) as endpoint, pytest.raises(AnswerError, match=message):
        asked(tmp_path, endpoint)


def test_an_answer_that_was_cut_off_is_asked_for_again_and_a_refusal_is_not(tmp_path: Path) -> None:
    for folder, reply, calls in (("cut", says("{", finish="length"), 2), ("refused", says("", refusal="No."), 1)):
        with playing(reply) as endpoint:
            for _ in range(2):
                with pytest.raises(AnswerError):
                    asked(tmp_path / folder, endpoint)
            assert len(endpoint.asked) == calls


def test_words_are_answered_in_words(tmp_path: Path) -> None:
    with playing(says(" NONE\n")) as endpoint, Chat(options(endpoint), tmp_path) as chat:
        assert chat.ask_text(PROMPT) == "NONE"
        assert "response_format" not in endpoint.asked[0]


def test_without_an_endpoint_there_is_no_client(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --base-url and --model"):
        Chat(ChatOptions(), tmp_path)


def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    with Chat(ChatOptions(base_url="http://[half", model="reader", retry_seconds=()), tmp_path) as chat:
        with pytest.raises(PagemillError, match=r"http://\[half"):
            chat.ask(PROMPT, Place)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"base_url": "http://user:secret@host/v1", "model": "m"}, "base_url"),
        ({"base_url": "ftp://host", "model": "m"}, "base_url"),
        ({"base_url": "http://host/v1"}, "model is blank"),
        ({"max_cost": 1.0}, "max_cost needs prices"),
        ({"max_cost": 0.0, "input_price": 1.0}, "greater than 0"),
        ({"timeout_seconds": 0}, "greater than 0"),
    ],
)
def test_options_that_cannot_work_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ChatOptions(**given)
