import json

import numpy as np
import pytest

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.endpoint.encoder import EndpointEncoder
from tasks.embed.io.providers import open_provider
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.embed.io.too_long import TooLong
from tasks.embed.vectors import VectorCache
from tests.tasks.embed.io.endpoint.asking import options, unit
from tests.vector_endpoint import answered, serving, vector_of


def test_texts_become_vectors_of_length_1_in_their_order_several_a_call() -> None:
    texts = [f"text {n}" for n in range(11)]
    with serving() as served:
        encoder = EndpointEncoder(options(served, batch_texts=4, calls_at_once=3))
        found = encoder.encode(texts)
    assert (encoder.dimension, found.shape, found.dtype.name) == (8, (11, 8), "float32")
    assert np.allclose(found, [unit(text) for text in texts], atol=1e-6)
    assert sorted(map(len, served.texts)) == [1, 3, 4, 4]
    assert {(one["path"], one["model"]) for one in served.asked} == {("/v1/embeddings", "mill-embed")}
    assert all("dimensions" not in one for one in served.asked)


def test_vectors_that_come_in_another_order_are_told_by_their_index() -> None:
    rows = [vector_of(text, 8) for text in ("a", "b", "c")]
    with serving(answered(rows, order=[2, 0, 1])) as served:
        found = EndpointEncoder(options(served), dimension=8).encode(["a", "b", "c"])
    assert np.allclose(found, [unit("a"), unit("b"), unit("c")], atol=1e-6)


def test_shorter_vectors_are_asked_for_and_an_endpoint_that_ignores_it_is_refused() -> None:
    with serving() as served:
        found = EndpointEncoder(options(served, dimensions=3)).encode(["a"])
        assert (found.shape, [one["dimensions"] for one in served.asked]) == ((1, 3), [3, 3])
    with serving(answered([[1.0] * 8])) as served:
        with pytest.raises(InputError, match=r"makes vectors of 8 numbers by mill-embed, though embed\.dimensions asks for 3"):
            EndpointEncoder(options(served, dimensions=3))


def test_a_key_of_embedding_goes_before_that_of_chats_and_none_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as served:
        for name in (None, "OPENAI_API_KEY", "PAGEMILL_API_KEY", "PAGEMILL_EMBED_API_KEY"):
            if name:
                monkeypatch.setenv(name, f"key of {name}")
            EndpointEncoder(options(served))
    assert served.keys == [
        None,
        "Bearer key of OPENAI_API_KEY",
        "Bearer key of PAGEMILL_API_KEY",
        "Bearer key of PAGEMILL_EMBED_API_KEY",
    ]


def test_a_text_beyond_the_limit_is_an_error_is_cut_or_is_averaged() -> None:
    words = [f"word{n}" for n in range(30)]
    text = " ".join(words)
    n = load_tokenizer(find_model_folder(PACKAGED)).count([text])[0]
    with serving() as served:
        short = options(served, max_tokens=22)
        with pytest.raises(TooLong, match=f"text 1 has {n} tokens, but the embedder takes at most 22"):
            EndpointEncoder(short, 8).encode(["a", text])
        cut = EndpointEncoder(short.model_copy(update={"too_long": "truncate"}), 8).encode([text])
        windows = EndpointEncoder(short.model_copy(update={"too_long": "mean"}), 8).encode(["a", text])
    per_window = words[:10], words[10:20], words[20:]
    assert n == 62, "each word is two tokens"
    assert np.allclose(cut, [unit(" ".join(per_window[0]))], atol=1e-6)
    mean = sum(unit(" ".join(part)) for part in per_window)
    assert np.allclose(windows, [unit("a"), mean / np.linalg.norm(mean)], atol=1e-5)


def test_prompts_of_the_options_stand_before_what_is_sent() -> None:
    with serving() as served:
        prompted = options(served, query_prompt="search_query: ", document_prompt="search_document: ")
        provider = open_provider(prompted, 8).with_memory(VectorCache())
        provider.encode(["the mill"])
        provider.encode_queries(["the mill"])
        provider.encode(["the mill"])
    assert served.texts == [["search_document: the mill"], ["search_query: the mill"]]


def test_no_texts_need_no_call() -> None:
    with serving() as served:
        assert EndpointEncoder(options(served), 8).encode([]).shape == (0, 8)
    assert json.dumps(served.asked) == "[]"


def test_an_address_is_needed_and_only_with_an_endpoint() -> None:
    with pytest.raises(InputError, match=r"the address of the endpoint with the embedder m is not known: set embed\.base_url"):
        EndpointEncoder(EmbedOptions(provider="endpoint", model="m"))
    for given in ({"base_url": "http://a/v1"}, {"tokenizer": "x"}, {"provider": "endpoint", "engine": "torch"}):
        with pytest.raises(ValueError, match="provider"):
            EmbedOptions.model_validate(given)
    for url in ("http://user:key@a/v1", "http://a/v1?key=b", "ftp://a"):
        with pytest.raises(ValueError, match="base_url"):
            EmbedOptions.model_validate({"provider": "endpoint", "base_url": url})
