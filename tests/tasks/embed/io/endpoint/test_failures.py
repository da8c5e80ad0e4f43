import socket
import time

import numpy as np
import pytest

from schemas.errors import DocumentError, InputError, ServiceError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.embed import embed_each
from tasks.embed.io.endpoint import calls
from tasks.embed.io.endpoint.encoder import EndpointEncoder
from tasks.embed.io.providers import open_provider
from tasks.embed.vectors import VectorCache
from tests.chat_endpoint import Reply, fails
from tests.tasks.embed.io.endpoint.asking import options, unit
from tests.vector_endpoint import answered, serving, vector_of

SECRET = "sk-secret-of-the-test"


@pytest.mark.parametrize(
    "failure",
    [
        fails(429, "slow down", Retry_After="0"),
        fails(500, "oops"),
        fails(503),
        Reply(b"", status=0),
        Reply(b'{"data": [', headers={"Content-Length": "99"}),
        answered([]),
    ],
    ids=["429", "500", "503", "cut", "cut in the answer", "fewer"],
)
def test_what_may_pass_is_asked_again(failure: Reply) -> None:
    with serving(failure, failure) as served:
        found = EndpointEncoder(options(served), dimension=8).encode(["a", "b"])
    assert np.allclose(found, [unit("a"), unit("b")], atol=1e-6)
    assert len(served.asked) == 3


def test_the_wait_that_a_server_asks_for_is_kept_and_one_that_is_too_long_is_an_error() -> None:
    with serving(fails(429, "slow", Retry_After="1")) as served:
        began = time.monotonic()
        EndpointEncoder(options(served), dimension=8).encode(["a"])
        assert 1 <= time.monotonic() - began < 10
    with serving(fails(429, "slow", Retry_After="500")) as served:
        with pytest.raises(ServiceError, match=r"status 429 \('slow'\), and asks to wait 500 s: check the endpoint"):
            EndpointEncoder(options(served), dimension=8).encode(["a"])
        assert len(served.asked) == 1


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (fails(500, "out of memory"), r"status 500 \('out of memory'\)"),
        (Reply(b"", status=0), "RemoteProtocolError"),
        (Reply(b"{}", delay_seconds=1.5), r"no answer within 0\.3 s \(embed\.timeout_seconds\)"),
        (Reply(b"{" + b" " * 40, drip_seconds=0.05), r"no answer within 0\.3 s"),
        (answered([[1.0] * 8]), "it answered with 1 vectors to 2 texts"),
    ],
    ids=["500", "cut", "silent", "drip", "fewer"],
)
def test_what_does_not_pass_is_one_line_that_says_what_and_where(failure: Reply, told: str) -> None:
    with serving(*[failure] * 3) as served:
        slow = options(served, timeout_seconds=0.3)
        with pytest.raises(ServiceError, match=told) as caught:
            EndpointEncoder(slow, dimension=8).encode(["a", "b"])
        assert len(served.asked) == 3
    assert served.url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_endpoint_that_is_down_is_told_at_once_until_it_has_rested(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        encoder = EndpointEncoder(EmbedOptions(provider="endpoint", model="m", base_url=url, retry_seconds=(0.2,)), dimension=8)
        with pytest.raises(ServiceError, match=r"it cannot be reached \(ConnectError"):
            encoder.encode(["a"])
        began = time.monotonic()
        with pytest.raises(ServiceError, match="check that it is running, then run the same again"):
            encoder.encode(["a"])
        assert time.monotonic() - began < 0.15
        monkeypatch.setattr(calls, "_unreachable", {f"{url}/embeddings": (time.monotonic() - 1, "")})
        with pytest.raises(ServiceError, match="cannot be reached"):
            encoder.encode(["a"])


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (fails(401, f"bad key {SECRET}"), r"status 401 \('bad key \*\*\*'\): set PAGEMILL_EMBED_API_KEY or PAGEMILL_API_KEY"),
        (fails(404, "no such model"), r"status 404 \('no such model'\): check embed\.base_url and embed\.model"),
        (fails(400, "unknown"), r"status 400 \('unknown'\): check embed\.base_url, embed\.model and embed\.dimensions"),
        (Reply(b"<html>hello</html>"), "did not answer with vectors, but with '<html>hello</html>'"),
        (Reply(b'{"data": [{"index": 0, "embedding": "AAAA"}]}'), "no rows of numbers"),
    ],
)
def test_what_no_other_try_cures_ends_the_run_and_shows_no_key(
    failure: Reply, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEMILL_EMBED_API_KEY", SECRET)
    with serving(failure) as served, pytest.raises(InputError, match=told) as caught:
        EndpointEncoder(options(served))
    assert (len(served.asked), served.keys) == (1, [f"Bearer {SECRET}"])
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("value", [float("nan"), None])
def test_a_text_without_a_vector_is_an_error_of_its_document(value: float | None) -> None:
    def odd(texts: list[str]) -> Reply | None:
        return answered([[value] * 8 if "mill" in text else vector_of(text, 8) for text in texts])

    with serving(odd=odd) as served:
        encoder = EndpointEncoder(options(served))
        with pytest.raises(DocumentError, match="text 1 has no vector"):
            encoder.encode(["a", "the mill"])
        texts = {"one": ["a"], "two": ["the mill"], "three": ["c"]}
        found = dict(embed_each(list(texts), texts.__getitem__, lambda _: encoder, 64))
    assert [isinstance(one, DocumentError) for one in found.values()] == [False, True, False]


def test_a_text_that_is_refused_is_an_error_of_its_document() -> None:
    def odd(texts: list[str]) -> Reply | None:
        return fails(400, "too long") if any("mill" in text for text in texts) else None

    with serving(odd=odd) as served:
        texts = {"one": ["a"], "two": ["the mill"], "three": ["c"]}
        found = dict(embed_each(list(texts), texts.__getitem__, lambda _: EndpointEncoder(options(served)), 64))
    assert [isinstance(one, DocumentError) for one in found.values()] == [False, True, False]
    assert "lower chunk.size_tokens" in str(found["two"])


def test_a_model_of_another_dimension_is_an_error_that_says_what_to_do() -> None:
    with serving(dimension=6) as served:
        with pytest.raises(InputError, match="makes vectors of 6 numbers by mill-embed, and 8 are expected: serve the former"):
            EndpointEncoder(options(served), dimension=8).encode(["a"])


def test_what_was_embedded_before_a_failure_is_not_asked_for_again() -> None:
    texts = [f"text {n}" for n in range(40)]
    broken = [True]

    def odd(given: list[str]) -> Reply | None:
        return Reply(b"", status=0) if broken[0] and "text 20" in given else None

    memory = VectorCache()
    with serving(odd=odd) as served:
        few = options(served, batch_texts=2, calls_at_once=1, retry_seconds=())
        with pytest.raises(ServiceError):
            open_provider(few, 8).with_memory(memory).encode(texts)
        broken[0], served.asked[:] = False, []
        found = open_provider(few, 8).with_memory(memory).encode(texts)
    assert np.allclose(found, [unit(text) for text in texts], atol=1e-6)
    asked = [text for one in served.asked for text in one["input"]]
    assert asked == texts[16:], "calls of eight texts are remembered together"


def test_one_failing_content_costs_no_other_and_two_in_turn_end_the_asking() -> None:
    def odd(given: list[str]) -> Reply | None:
        return fails(500, "no") if any("mill" in text for text in given) else None

    with serving(odd=odd) as served:
        quick = options(served, retry_seconds=())
        one_bad = {"a": ["x"], "b": ["mill"], "c": ["y"], "d": ["z"]}
        found = dict(embed_each(list(one_bad), one_bad.__getitem__, lambda _: EndpointEncoder(quick, 8), 64))
        assert [name for name, one in found.items() if isinstance(one, ServiceError)] == ["b"]
        served.asked.clear()
        all_bad = {str(n): [f"mill {n}"] for n in range(9)}
        found = dict(embed_each(list(all_bad), all_bad.__getitem__, lambda _: EndpointEncoder(quick, 8), 64))
        assert all(isinstance(one, ServiceError) for one in found.values())
        assert (len(found), len(served.asked)) == (9, 3)
