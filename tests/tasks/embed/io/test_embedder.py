import json
import os
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import DocumentError, InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io import torch_engine
from tasks.embed.io.cpu import numpy_engine
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.model_files import gather_embedder_facts, read_dimension, read_pooling
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.embed.io.too_long import TooLong
from tests.tasks.embed.io.vectors import FLOAT32, cosines, pool_by, reference, texts_of

by_each_engine = pytest.mark.usefixtures("engine")


@pytest.fixture(params=["numpy", "torch"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the limit, NumPy takes all texts of a BERT; with no room for a token, torch does."""
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 10**9 if request.param == "numpy" else 0)


@by_each_engine
def test_vectors_are_those_of_plain_mean_pooling() -> None:
    texts = texts_of(12)
    vectors = Embedder(PACKAGED, FLOAT32).encode(texts)
    assert vectors.shape == (12, 384)
    assert vectors.dtype.name == "float32"
    assert cosines(vectors, reference(find_model_folder(PACKAGED), texts)).min() > 0.999999
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_numpy_and_torch_give_the_same_vectors(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*texts_of(30), "a", "", "###", "42%"]
    for model in (PACKAGED, str(pool_by(copy, pooling_mode="cls"))):
        few = Embedder(model, FLOAT32.model_copy(update={"too_long": "truncate"}))
        by_numpy = few.encode(texts)
        monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
        assert np.abs(few.encode(texts) - by_numpy).max() < 1e-6
        monkeypatch.undo()


def test_what_numpy_cannot_do_is_left_to_torch(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    ids = [[2, 3]]
    assert numpy_engine.embed_few(copy, ids, "max") is None
    assert numpy_engine.embed_few(copy, [[2] * 9000], "mean") is None
    for changed in ({"model_type": "roberta"}, {"hidden_act": "relu"}, {"position_embedding_type": "relative_key"}):
        (copy / "config.json").write_text(json.dumps({**config, **changed}))
        numpy_engine._load_questions.cache_clear()
        assert numpy_engine.embed_few(copy, ids, "mean") is None


def test_a_light_embedder_leaves_no_text_to_torch_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = texts_of(3)
    few = Embedder(PACKAGED, FLOAT32).encode(texts)
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    monkeypatch.setattr(torch_engine, "embed_by_torch", lambda *given: pytest.fail("torch was asked"))
    assert np.array_equal(Embedder(PACKAGED, FLOAT32, light=True).encode(texts), few)


def test_weights_in_16_bits_are_left_to_torch(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    half = {name: weight.half() for name, weight in load_file(copy / "model.safetensors").items()}
    save_file(half, copy / "model.safetensors", metadata={"format": "pt"})
    assert numpy_engine.embed_few(copy, [[2, 3]], "mean") is None
    assert Embedder(str(copy), FLOAT32).encode(["a"]).shape == (1, 32)


def test_bfloat16_gives_the_same_vectors_to_four_digits() -> None:
    texts = [*texts_of(12), "a", "", "###", "42%"]
    half = Embedder(PACKAGED, EmbedOptions(dtype="bfloat16", device="cpu")).encode(texts)
    assert cosines(half, reference(find_model_folder(PACKAGED), texts)).min() > 0.9999


def test_a_limit_of_threads_leaves_no_part_of_a_batch_undone(tmp_path: Path) -> None:
    script = (
        "import sys; import numpy as np\n"
        "from schemas.options.sections import EmbedOptions; from tasks.embed.io.embedder import Embedder\n"
        "from tests.tasks.embed.io.test_embedder import PACKAGED, texts_of\n"
        "np.save(sys.argv[1], Embedder(PACKAGED, EmbedOptions(dtype='bfloat16', device='cpu')).encode([*texts_of(12), 'a', '']))"
    )
    target = tmp_path / "vectors.npy"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "MKL_"))}
    command = [sys.executable, "-c", script, str(target)]
    subprocess.run(command, check=True, env={**environment, "OMP_THREAD_LIMIT": "1"}, timeout=120)
    assert cosines(np.load(target), reference(find_model_folder(PACKAGED), [*texts_of(12), "a", ""])).min() > 0.9999


@by_each_engine
def test_order_and_neighbours_of_texts_do_not_matter(tiny: Path) -> None:
    texts = texts_of(40, 30)
    alone = Embedder(str(tiny), FLOAT32)
    small = Embedder(str(tiny), EmbedOptions(dtype="float32", device="cpu", batch_tokens=64))
    vectors = alone.encode(texts)
    assert np.allclose(alone.encode(texts[::-1])[::-1], vectors, atol=1e-6)
    assert np.allclose(small.encode(texts), vectors, atol=1e-6)
    assert np.allclose(np.concatenate([alone.encode([text]) for text in texts]), vectors, atol=1e-6)


def test_no_texts_have_no_vectors_and_load_no_model(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "_load", None)
    monkeypatch.setattr(numpy_engine, "_load_questions", None)
    assert Embedder(str(tiny), FLOAT32).encode([]).shape == (0, 32)


def test_a_text_beyond_the_limit_is_an_error_that_names_it(tiny: Path) -> None:
    with pytest.raises(TooLong, match="text 1 has 65 tokens, but the embedder takes at most 64") as caught:
        Embedder(str(tiny), FLOAT32).encode(["short", "word " * 63, "short"])
    assert (caught.value.position, caught.value.n_tokens, caught.value.limit) == (1, 65, 64)
    assert isinstance(caught.value, DocumentError)
    with pytest.raises(TooLong, match="at most 16"):
        Embedder(str(tiny), EmbedOptions(max_tokens=16)).encode(["word " * 15])
    assert Embedder(str(tiny), FLOAT32).encode(["word " * 62]).shape == (1, 32)


@by_each_engine
def test_threads_share_one_model(tiny: Path) -> None:
    texts = texts_of(6, 20)
    expected = Embedder(str(tiny), FLOAT32).encode(texts)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: Embedder(str(tiny), FLOAT32).encode(texts), range(8)))
    assert all(np.allclose(vectors, expected, atol=1e-6) for vectors in found)
    assert torch_engine._load(tiny, "cpu", "float32") is torch_engine._load(tiny, "cpu", "float32")


@by_each_engine
def test_a_local_model_needs_no_network(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert Embedder(str(copy), FLOAT32).encode(["a"]).shape == (1, 32)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode": "mean_sqrt_len_tokens"}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
)
def test_pooling_is_the_models_own(copy: Path, config: dict[str, Any], expected: str) -> None:
    assert read_pooling(copy) == "mean"
    assert read_pooling(pool_by(copy, **config)) == expected


@by_each_engine
def test_cls_and_max_pooling_look_at_the_text_alone_not_at_padding(copy: Path) -> None:
    import torch
    from transformers import AutoModel

    texts = ["the mill", "the mill turns folders of documents"]
    ids = torch.tensor([load_tokenizer(copy).encode(texts)[0]])
    with torch.no_grad():
        states = AutoModel.from_pretrained(copy).eval()(input_ids=ids).last_hidden_state[0].numpy()
    for mode, expected in (("cls", states[0]), ("max", states.max(axis=0))):
        shutil.rmtree(copy / "1_Pooling", ignore_errors=True)
        found = Embedder(str(pool_by(copy, pooling_mode=mode)), FLOAT32).encode(texts)[0]
        assert found == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)


def test_poolings_and_modules_that_are_not_applied_are_errors(copy: Path) -> None:
    (copy / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]))
    with pytest.raises(InputError, match="Dense"):
        Embedder(str(copy), FLOAT32)
    (copy / "modules.json").unlink()
    for config in ({"pooling_mode": "weightedmean"}, {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}, {}):
        shutil.rmtree(copy / "1_Pooling", ignore_errors=True)
        with pytest.raises(InputError, match="uses the pooling"):
            read_pooling(pool_by(copy, **config))


@by_each_engine
def test_weights_that_give_no_vector_are_an_error(copy: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    weights["embeddings.LayerNorm.weight"] = torch.full_like(weights["embeddings.LayerNorm.weight"], float("nan"))
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    for dtype in ("float32", "bfloat16"):
        options = EmbedOptions.model_validate({"dtype": dtype, "device": "cpu"})
        with pytest.raises(DocumentError, match="text 0 has no vector"):
            Embedder(str(copy), options).encode(["a"])


@by_each_engine
def test_truncated_weights_are_an_error_that_says_what_to_do(copy: Path) -> None:
    data = (copy / "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="damaged or not whole: download the model again"):
        Embedder(str(copy), FLOAT32).encode(["a"])


@by_each_engine
def test_weights_that_are_not_all_there_are_an_error_not_random_numbers(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"embeddings\.word_embeddings"):
        Embedder(str(copy), FLOAT32).encode(["a"])


def test_the_dimension_and_the_facts_are_read_from_the_files(copy: Path) -> None:
    assert read_dimension(copy) == 32
    facts = gather_embedder_facts(str(copy))
    assert facts["model"] == "model"
    assert facts == gather_embedder_facts(str(copy)) != gather_embedder_facts(PACKAGED)
    (copy / "config.json").write_text("{}")
    with pytest.raises(InputError, match="hidden_size"):
        read_dimension(copy)


@by_each_engine
def test_a_text_that_is_too_long_is_cut_or_averaged_on_demand(tiny: Path) -> None:
    texts = ["word " * 100, "mill"]
    strict = Embedder(str(tiny), FLOAT32)
    cut = Embedder(str(tiny), FLOAT32.model_copy(update={"too_long": "truncate"}))
    mean = Embedder(str(tiny), FLOAT32.model_copy(update={"too_long": "mean"}))
    windows = strict.encode(["word " * 62, "word " * 38])
    expected = windows[0] * 64 + windows[1] * 40
    assert np.allclose(cut.encode(texts), strict.encode(["word " * 62, "mill"]), atol=1e-5)
    assert np.allclose(mean.encode(texts)[0], expected / np.linalg.norm(expected), atol=1e-5)
    assert (cut.n_too_long, mean.n_too_long, strict.n_too_long) == (1, 1, 0)
