import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from schemas.errors import AnswerError, InputError, PagemillError, ServiceError
from schemas.options.chat import ChatOptions
from tasks.chat.io.client import Chat, make_strict_schema
from tasks.chat.io.ledger import Usage
from tasks.chat.prompts import Prompt
from tests.chat_endpoint import ChatEndpoint, Reply, fails, playing, says
from tests.tasks.chat.io.places import GOOD, PROMPT, Place, asked, options

SECRET = "sk-secret-of-the-test"


def test_an_answer_is_asked_for_by_its_schema_at_temperature_zero(good: ChatEndpoint, tmp_path: Path) -> None:
    answer, chat = asked(tmp_path, good, max_tokens=77)
    assert answer == Place(place="river", sure=4)
    (body,) = good.asked
    assert (body["path"], body["model"], body["temperature"], body["max_tokens"]) == ("/v1/chat/completions", "reader", 0, 77)
    assert body["response_format"]["json_schema"]["schema"] == make_strict_schema(Place)
    assert body["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert good.keys == [None]
    assert chat.ledger.usage == Usage(1, 100, 20)


def test_a_strict_schema_requires_every_field_and_allows_no_other() -> None:
    class Both(BaseModel):
        first: Place
        second: list[Place]

    schema = make_strict_schema(Both)
    assert (schema["required"], schema["additionalProperties"]) == (["first", "second"], False)
    assert schema["$defs"]["Place"]["additionalProperties"] is False


def test_nothing_is_asked_twice_not_even_by_another_run(good: ChatEndpoint, tmp_path: Path) -> None:
    first, _ = asked(tmp_path, good)
    again, chat = asked(tmp_path, good, timeout_seconds=5, max_cost=1.0, input_price=1.0)
    assert (first, len(good.asked)) == (again, 1)
    assert (chat.n_cached, chat.ledger.usage) == (1, Usage())


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
            assert (
                chat.ask_for_object(PROMPT, Place).place == chat.ask_for_object(PROMPT._replace(repeat=1), Place).place == "river"
            )
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
        assert chat.ask_for_text(PROMPT) == "NONE"
        assert "response_format" not in endpoint.asked[0]


def test_without_an_endpoint_there_is_no_client(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --base-url and --model"):
        Chat(ChatOptions(), tmp_path)


def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    with Chat(ChatOptions(base_url="http://[half", model="reader", retry_seconds=()), tmp_path) as chat:
        with pytest.raises(PagemillError, match=r"http://\[half"):
            chat.ask_for_object(PROMPT, Place)


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


@pytest.mark.parametrize("passing", [fails(429), fails(500), fails(503), fails(408), Reply(b"", 0)])
def test_a_passing_fault_is_tried_again(tmp_path: Path, passing: Reply) -> None:
    with playing(passing, passing, says(GOOD)) as endpoint:
        answer, chat = asked(tmp_path, endpoint)
        assert (answer.place, len(endpoint.asked), chat.ledger.usage.calls) == ("river", 3, 1)


def test_a_wait_that_the_server_asks_for_is_kept(tmp_path: Path) -> None:
    with playing(fails(429, Retry_After="1"), says(GOOD)) as endpoint:
        began = time.monotonic()
        asked(tmp_path, endpoint)
        assert time.monotonic() - began >= 1


@pytest.mark.parametrize("header", ["3600", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_a_wait_that_is_too_long_ends_the_call_at_once(tmp_path: Path, header: str) -> None:
    with playing(fails(429, Retry_After=header)) as endpoint:
        with pytest.raises(ServiceError, match=r"status 429 .*asks to wait \d+ s"):
            asked(tmp_path, endpoint)
        assert len(endpoint.asked) == 1


def test_too_many_calls_for_ever_end_in_an_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    with playing(fails(429, "slow down", Retry_After="soon")) as endpoint:
        with pytest.raises(ServiceError, match=r"status 429 \('slow down'\).*run the same again; answers so far are kept"):
            asked(tmp_path, endpoint)
        assert len(endpoint.asked) == 3


def test_a_time_out_is_an_error_that_names_the_limit_and_counts_as_spent(tmp_path: Path) -> None:
    with playing(says(GOOD, delay_seconds=1)) as endpoint:
        with Chat(options(endpoint, timeout_seconds=0.1, max_tokens=50, retry_seconds=()), tmp_path) as chat:
            with pytest.raises(ServiceError, match=r"no answer within 0\.1 s \(chat\.timeout_seconds\)"):
                chat.ask_for_object(PROMPT, Place)
            assert (chat.ledger.usage.calls, chat.ledger.usage.output_tokens) == (1, 50)


def test_an_answer_that_drips_for_ever_is_a_time_out(tmp_path: Path) -> None:
    with playing(says(GOOD)._replace(drip_seconds=0.05)) as endpoint:
        began = time.monotonic()
        with pytest.raises(ServiceError, match=r"no answer within 0\.3 s"):
            asked(tmp_path, endpoint, timeout_seconds=0.3, retry_seconds=())
        assert time.monotonic() - began < 3


def test_an_endpoint_that_is_down_is_named(tmp_path: Path) -> None:
    with playing(says(GOOD)) as endpoint:
        url = endpoint.url
    with Chat(ChatOptions(base_url=url, model="reader", retry_seconds=()), tmp_path) as chat:
        with pytest.raises(ServiceError, match=rf"{url}/chat/completions gives no answer .*ConnectError"):
            chat.ask_for_object(PROMPT, Place)
        assert chat.ledger.usage == Usage()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (fails(401, "bad key"), r"status 401 \('bad key'\): set PAGEMILL_API_KEY or OPENAI_API_KEY"),
        (fails(403), "use a key that may use this model"),
        (fails(404, "no such model"), r"'no such model'\): check base_url and model"),
        (fails(400, "the prompt is too long"), "'the prompt is too long'"),
        (Reply(b"<html>It works!</html>"), "did not answer with a chat completion, but with '<html>It works!"),
        (Reply(b'{"choices": []}'), "did not answer with a chat completion"),
        (Reply(b'{"choices": [{"message": null}]}'), "did not answer with a chat completion"),
    ],
)
def test_a_fault_that_no_other_try_cures_is_an_error_at_once(tmp_path: Path, reply: Reply, message: str) -> None:
    with playing(reply) as endpoint:
        with pytest.raises(InputError, match=message):
            asked(tmp_path, endpoint)
        assert len(endpoint.asked) <= 2


def test_the_key_comes_from_the_environment_and_is_told_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    monkeypatch.setenv("PAGEMILL_API_KEY", f" {SECRET}\n")
    with caplog.at_level(logging.DEBUG), playing(says(GOOD), fails(401, f"bad key {SECRET}")) as endpoint:
        _, chat = asked(tmp_path, endpoint)
        with pytest.raises(InputError) as refused:
            asked(tmp_path, endpoint, PROMPT._replace(repeat=1))
        assert endpoint.keys == [f"Bearer {SECRET}"] * 2
        assert SECRET not in json.dumps(endpoint.asked)
    kept = "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert SECRET not in f"{refused.value}{chat.options!r}{kept}{caplog.text}"


def test_a_key_that_cannot_be_one_is_refused_without_being_shown(
    good: ChatEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEMILL_API_KEY", "sk-“quoted”")
    with pytest.raises(InputError, match="PAGEMILL_API_KEY holds characters that no key has") as caught:
        asked(tmp_path, good)
    assert "quoted" not in str(caught.value)
