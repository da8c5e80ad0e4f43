import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import DocumentError, InputError
from schemas.options.sections import EmbedOptions, RefreshOptions
from tasks.embed.io.engine_choice import choose_engine
from tasks.embed.io.providers import load_counting_tokenizer, open_provider, read_model_info
from tasks.embed.io.too_long import TooLong
from tasks.refresh.io.facts import make_recipes
from tests.tasks.embed.io.static_models import WORDS, model2vec, save, save_tokenizer, sentence_transformers, table, wordllama

FORMS = [model2vec, wordllama, sentence_transformers]


def at(folder: Path, **own: Any) -> EmbedOptions:
    return EmbedOptions.model_validate({"model": str(folder), **own})


def mean_of(vectors: Any, *words: str) -> Any:
    mean = vectors[[WORDS.index(word) for word in words]].mean(axis=0)
    return mean / np.linalg.norm(mean)


@pytest.mark.parametrize("form", FORMS)
def test_a_text_is_the_mean_of_its_tokens_without_special_ones(form: Callable[[Path], Path], tmp_path: Path) -> None:
    options = at(form(tmp_path))
    found = open_provider(options).encode(["The mill turns.", "heron"])
    assert found.dtype.name == "float32"
    assert np.allclose(found[0], mean_of(table(), "the", "mill", "turns", "."), atol=1e-3)
    assert np.allclose(found[1], mean_of(table(), "heron"), atol=1e-3)
    assert (read_model_info(options).dimension, open_provider(options).dimension, choose_engine(options, None)) == (
        6,
        6,
        "static",
    )
    assert load_counting_tokenizer(options).count(["the mill", ""]) == [2, 0]
    assert open_provider(options).encode([]).shape == (0, 6)


def test_what_model2vec_keeps_beside_its_vectors_is_applied(tmp_path: Path) -> None:
    rows, factors = np.arange(len(WORDS)) // 2, np.linspace(0.5, 2, len(WORDS)).astype(np.float32)
    vectors = table(len(WORDS) // 2)
    folder = model2vec(tmp_path, embeddings=vectors, mapping=rows, weights=factors)
    expected = (vectors[rows] * factors[:, None])[[WORDS.index(word) for word in ("the", "mill")]].mean(axis=0)
    assert np.allclose(open_provider(at(folder)).encode(["the mill"])[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_vectors_in_8_bits_are_read(tmp_path: Path) -> None:
    whole = np.rint(table() * 40).astype(np.int8)
    found = open_provider(at(model2vec(tmp_path, embeddings=whole))).encode(["the mill"])
    assert np.allclose(found[0], mean_of(whole.astype(np.float32), "the", "mill"), atol=1e-6)


def test_unknown_words_are_left_out_by_model2vec_alone(tmp_path: Path) -> None:
    by_model2vec = open_provider(at(model2vec(tmp_path / "a"))).encode(["the zeppelin mill"])
    by_wordllama = open_provider(at(wordllama(tmp_path / "b"))).encode(["the zeppelin mill"])
    assert np.allclose(by_model2vec[0], mean_of(table(), "the", "mill"), atol=1e-6)
    assert np.allclose(by_wordllama[0], mean_of(table(), "the", "[UNK]", "mill"), atol=1e-3)


def test_a_text_without_a_known_word_is_near_to_no_text_in_particular(tmp_path: Path) -> None:
    found = open_provider(at(model2vec(tmp_path))).encode(["zeppelin", ""])
    middle = table().mean(axis=0)
    assert np.allclose(found, [middle / np.linalg.norm(middle)] * 2, atol=1e-6)


def test_the_first_numbers_of_vectors_can_be_all_that_is_kept(tmp_path: Path) -> None:
    folder = model2vec(tmp_path)
    found = open_provider(at(folder, dimensions=3)).encode(["the mill"])
    assert np.allclose(found[0], mean_of(table()[:, :3], "the", "mill"), atol=1e-6)
    assert read_model_info(at(folder, dimensions=3)).identity != read_model_info(at(folder)).identity
    with pytest.raises(InputError, match=r"embed\.dimensions is 7, but .* makes vectors of 6: lower it or leave it out"):
        open_provider(at(folder, dimensions=7))


def test_a_text_has_no_limit_unless_an_option_sets_one(tmp_path: Path) -> None:
    folder, text = model2vec(tmp_path), "the mill turns grain " * 5000
    assert open_provider(at(folder)).encode([text]).shape == (1, 6)
    with pytest.raises(TooLong, match="text 0 has 20000 tokens, but the embedder takes at most 16"):
        open_provider(at(folder, max_tokens=16)).encode([text])
    words = ["the"] * 16 + ["heron"] * 4
    cut, averaged = (
        open_provider(at(folder, max_tokens=16, too_long=how)).encode([" ".join(words)])[0] for how in ("truncate", "mean")
    )
    assert np.allclose(cut, mean_of(table(), "the"), atol=1e-6)
    expected = 16 * mean_of(table(), "the") + 4 * mean_of(table(), "heron")
    assert np.allclose(averaged, expected / np.linalg.norm(expected), atol=1e-6)


def test_vectors_without_a_direction_are_an_error_of_the_document(tmp_path: Path) -> None:
    vectors = table()
    vectors[WORDS.index("mill")] = np.nan
    with pytest.raises(DocumentError, match="text 1 has no vector"):
        open_provider(at(model2vec(tmp_path, embeddings=vectors))).encode(["heron", "mill"])


def test_a_recipe_knows_the_model_and_no_torch(tmp_path: Path) -> None:
    recipes = make_recipes(RefreshOptions(embed=at(model2vec(tmp_path / "a"))))
    facts = json.loads(recipes.details)["embed"]
    assert (recipes.engine, recipes.dimension, facts["libraries"].keys()) == ("static", 6, {"tokenizers"})
    other = make_recipes(RefreshOptions(embed=at(model2vec(tmp_path / "b" / "a", embeddings=table(seed=6)))))
    assert (recipes.chunk != other.chunk, recipes.embedder != other.embedder) == (True, True)


def _several(folder: Path) -> None:
    save(folder / "weights" / "mill_3.safetensors", **{"embedding.weight": table(dimension=3)})


def _damaged(folder: Path) -> None:
    path = folder / "weights" / "mill_6.safetensors"
    path.write_bytes(path.read_bytes()[:-20])


def _too_few(folder: Path) -> None:
    save(folder / "weights" / "mill_6.safetensors", **{"embedding.weight": table(7)})


def _without_tokenizer(folder: Path) -> None:
    (folder / "tokenizers" / "mill_tokenizer_config.json").unlink()


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (_several, r"holds several tables of static vectors \(weights/mill_3.safetensors, weights/mill_6.safetensors\)"),
        (_damaged, "mill_6.safetensors cannot be read"),
        (_too_few, "has vectors for 7 tokens, and its tokenizer 10: download the model again"),
        (_without_tokenizer, "neither tokenizer.json nor"),
    ],
)
def test_what_is_wrong_with_a_model_is_told(harm: Callable[[Path], None], told: str, tmp_path: Path) -> None:
    harm(wordllama(tmp_path))
    with pytest.raises(InputError, match=told):
        open_provider(at(tmp_path))


def test_an_engine_for_transformers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has static vectors, which torch does not compute: set embed\.engine to auto"):
        choose_engine(at(model2vec(tmp_path), engine="torch"), None)


def test_a_folder_with_a_tokenizer_alone_is_no_static_model(tmp_path: Path) -> None:
    save_tokenizer(tmp_path / "tokenizer.json")
    with pytest.raises(InputError, match=r"has no config\.json"):
        open_provider(at(tmp_path))
