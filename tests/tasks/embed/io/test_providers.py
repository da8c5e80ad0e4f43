import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import InputError
from schemas.options.sections import ChunkOptions, EmbedEngine, EmbedOptions, RefreshOptions
from tasks.embed.io.cpu import numpy_engine
from tasks.embed.io.engine_choice import choose_engine
from tasks.embed.io.providers import find_max_text_tokens, open_provider, read_model_info
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.embed.provider import Prompts
from tasks.embed.vectors import VectorCache
from tasks.refresh.io.facts import make_recipes
from tests.tasks.embed.io.vectors import FLOAT32, cosines, pool_by, reference
from tests.vector_endpoint import serving

BEFORE: tuple[EmbedEngine, ...] = ("static", "endpoint")
ASYMMETRIC = {"prompts": {"query": "query: ", "passage": "passage: the "}}


def at(folder: Path, **own: Any) -> EmbedOptions:
    return FLOAT32.model_copy(update={"model": str(folder), **own})


def state_prompts(folder: Path, config: dict[str, Any]) -> Path:
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    return folder


def test_the_packaged_model_has_no_prompts_and_the_recipe_of_a_corpus_names_nothing_new() -> None:
    recipes = make_recipes(RefreshOptions(), "torch")
    facts = json.loads(recipes.details)["embed"]
    assert (read_model_info(EmbedOptions()).prompts, recipes.document_prompt) == (Prompts(), "")
    assert facts.keys() == {"version", "options", "engine", "libraries"}
    assert facts["options"].keys() == {"model", "max_tokens", "too_long"}
    assert facts["engine"].keys() == {"model", "weights"}


def test_the_prompts_of_a_models_files_stand_before_questions_and_documents(copy: Path) -> None:
    bare = open_provider(at(copy)).encode(["query: the mill", "passage: the mill"])
    provider = open_provider(at(state_prompts(copy, ASYMMETRIC))).with_memory(VectorCache())
    assert np.allclose(provider.encode_queries(["the mill"]), bare[:1], atol=1e-6)
    assert np.allclose(provider.encode(["mill"]), bare[1:], atol=1e-6)
    assert np.allclose(provider.encode(["mill"], provider.tokenise(["mill"])), bare[1:], atol=1e-6)


def test_prompts_of_options_take_precedence_even_blank_ones(copy: Path) -> None:
    state_prompts(copy, ASYMMETRIC)
    assert read_model_info(at(copy, query_prompt="", document_prompt="doc: ")).prompts == Prompts("", "doc: ")
    assert read_model_info(at(copy, query_prompt="ask: ")).prompts == Prompts("ask: ", "passage: the ")


def test_a_prompt_is_part_of_the_recipe_and_takes_its_tokens_from_the_longest_chunk(copy: Path) -> None:
    plain = make_recipes(RefreshOptions(embed=at(copy), chunk=ChunkOptions(size_tokens=60)))
    assert (find_max_text_tokens(at(copy)), plain.max_tokens) == (64, 64)
    state_prompts(copy, ASYMMETRIC)
    n = load_tokenizer(copy).count(["passage: the "])[0] - 2
    assert find_max_text_tokens(at(copy)) == 64 - n
    with pytest.raises(InputError, match=f"takes {64 - n} tokens"):
        make_recipes(RefreshOptions(embed=at(copy), chunk=ChunkOptions(size_tokens=63)))
    prompted = make_recipes(RefreshOptions(embed=at(copy), chunk=ChunkOptions(size_tokens=60)))
    assert (prompted.embed != plain.embed, prompted.document_prompt) == (True, "passage: the ")
    blank = make_recipes(RefreshOptions(embed=at(copy, query_prompt="", document_prompt=""), chunk=ChunkOptions(size_tokens=60)))
    assert (blank.max_tokens, blank.document_prompt) == (64, "")


def test_prompts_that_must_be_left_out_of_the_pooling_are_refused(copy: Path) -> None:
    pool_by(state_prompts(copy, ASYMMETRIC), pooling_mode="mean", include_prompt=False)
    with pytest.raises(InputError, match="leaves its prompts out of the pooling"):
        open_provider(at(copy))


def test_the_last_token_of_each_text_can_be_its_vector(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from transformers import AutoModel

    texts = ["the mill", "the mill turns folders of documents", "a"]
    model = AutoModel.from_pretrained(copy).eval()
    expected = []
    for ids in load_tokenizer(copy).encode(texts):
        with torch.no_grad():
            state = model(input_ids=torch.tensor([ids])).last_hidden_state[0, -1].numpy()
        expected.append(state / np.linalg.norm(state))
    found = open_provider(at(pool_by(copy, pooling_mode="lasttoken"))).encode(texts)
    assert np.allclose(found, expected, atol=1e-5)
    assert numpy_engine.embed_few(copy, [[2, 3]], "last") is None


def test_the_first_numbers_of_a_transformer_have_length_1_again() -> None:
    whole = reference(find_model_folder(PACKAGED), ["the mill turns"])
    options = FLOAT32.model_copy(update={"dimensions": 64})
    found = open_provider(options).encode(["the mill turns"])
    assert found.shape == (1, 64)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert cosines(found, whole[:, :64] / np.linalg.norm(whole[:, :64], axis=1, keepdims=True)).min() > 0.999999
    short, own = (make_recipes(RefreshOptions(embed=one), "torch") for one in (options, FLOAT32))
    assert (short.dimension, short.embedder != own.embedder, short.chunk == own.chunk) == (64, True, True)
    with pytest.raises(InputError, match="makes vectors of 384: lower it or leave it out"):
        open_provider(FLOAT32.model_copy(update={"dimensions": 385}))


def test_a_model_that_wants_to_run_code_of_its_own_is_refused_in_one_line(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    own = {"model_type": "mill_bert", "auto_map": {"AutoConfig": "code.Config", "AutoModel": "code.Model"}}
    (copy / "config.json").write_text(json.dumps({**config, **own}))
    (copy / "code.py").write_text("raise SystemExit('its code was run')")
    with pytest.raises(InputError, match="wants to run code of its own, which is never done: choose") as caught:
        open_provider(at(copy)).encode(["a"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ("config.json", r"has no config\.json: it is not the folder of an embedder"),
        ("tokenizer.json", r"has no tokenizer\.json"),
        ("model.safetensors", r"has no \*\.safetensors \(pickled weights are never loaded"),
        ("", "there is no embedder '.*': give all-MiniLM-L6-v2, an existing directory, or a hub id"),
    ],
)
def test_a_model_of_which_something_is_missing_is_told_before_anything_is_read(copy: Path, gone: str, told: str) -> None:
    (copy / "pytorch_model.bin").write_bytes(b"pickled")
    (copy / gone).unlink() if gone else shutil.rmtree(copy)
    with pytest.raises(InputError, match=told):
        make_recipes(RefreshOptions(embed=at(copy)))


@pytest.mark.parametrize("kept", [0, 7, 100, -1])
def test_weights_that_are_not_whole_are_told_before_anything_is_read(copy: Path, kept: int) -> None:
    weights = copy / "model.safetensors"
    content = weights.read_bytes()[:kept]
    weights.unlink()  # it may be a link to the installed model
    weights.write_bytes(content)
    with pytest.raises(InputError, match=r"model\.safetensors is damaged or not whole: download the model again"):
        make_recipes(RefreshOptions(embed=at(copy)))


def test_an_endpoint_is_identified_by_model_and_dimension_not_by_its_address() -> None:
    def recipes_of(url: str, **own: Any) -> Any:
        given = {"provider": "endpoint", "model": "mill-embed", "base_url": url, **own}
        return make_recipes(RefreshOptions.model_validate({"embed": given}))

    with serving() as one, serving() as other, serving(dimension=12) as longer:
        first = recipes_of(one.url)
        assert recipes_of(other.url, batch_texts=7, timeout_seconds=3) == first
        assert (first.engine, first.dimension, first.max_tokens) == ("endpoint", 8, 512)
        assert one.url not in first.details
        for changed in (recipes_of(longer.url), recipes_of(one.url, model="other"), recipes_of(one.url, dimensions=4)):
            assert (changed.embedder != first.embedder, changed.chunk == first.chunk) == (True, True)
        assert first.chunk == make_recipes(RefreshOptions()).chunk, "chunks are counted as before"


def test_a_transformer_is_not_computed_by_what_made_the_vectors_of_another_kind_of_model() -> None:
    assert [choose_engine(FLOAT32, before) for before in BEFORE] == ["torch", "torch"]
