import json
import logging
import time
from pathlib import Path

import pytest

from schemas.errors import InputError, ServiceError
from schemas.options.chat import ChatOptions
from tasks.chat.io.client import Chat
from tasks.chat.io.ledger import Usage
from tests.chat_endpoint import ChatEndpoint, Reply, fails, playing, says
from tests.tasks.chat.io.places import GOOD, PROMPT, Place, asked, options

SECRET = "sk-secret-of-the-test"


@pytest.mark.parametrize("passing", [fails(429), fails(500), fails(503), fails(408), Reply(b"", 0)])
def test_a_passing_fault_is_tried_again(tmp_path: Path, passing: Reply) -> None:
    with playing(passing, passing, says(GOOD)) as endpoint:
        answer, chat = asked(tmp_path, endpoint)
        assert (answer.place, len(endpoint.asked), chat.ledger.used.calls) == ("river", 3, 1)


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
                chat.ask(PROMPT, Place)
            assert (chat.ledger.used.calls, chat.ledger.used.output_tokens) == (1, 50)


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
            chat.ask(PROMPT, Place)
        assert chat.ledger.used == Usage()


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
