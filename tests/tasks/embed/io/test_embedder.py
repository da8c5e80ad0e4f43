import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import DocumentError, InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io import numpy_engine, torch_engine
from tasks.embed.io.embedder import Embedder, Vectors
from tasks.embed.io.model_files import dimension, embedder_facts, pooling
from tasks.embed.io.tokenizer import PACKAGED, load_tokenizer, model_dir
from tasks.embed.io.too_long import TooLong

WORDS = "the mill turns folders of documents into a corpus that answers 42 questions, every night; naïve café 漢字".split()
FLOAT32 = EmbedOptions(dtype="float32", device="cpu")

by_each_engine = pytest.mark.usefixtures("engine")


@pytest.fixture(params=["numpy", "torch"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the limit, NumPy takes all texts of a BERT; with no room for a token, torch does."""
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 10**9 if request.param == "numpy" else 0)


def texts_of(n: int, longest: int = 60) -> list[str]:
    chance = random.Random(7)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, longest))) for _ in range(n)]


def reference(folder: Path, texts: Sequence[str]) -> Vectors:
    """Plain float32 mean pooling, one text at a time."""
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    rows = []
    for ids in load_tokenizer(folder).encode(texts):
        with torch.no_grad():
            states = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
        mean = states.mean(dim=0)
        rows.append((mean / mean.norm()).numpy())
    return np.stack(rows)


def cosines(left: Vectors, right: Vectors) -> Vectors:
    products: Vectors = (left * right).sum(axis=1)
    return products


def pool_by(folder: Path, **config: Any) -> Path:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    return folder


@by_each_engine
def test_vectors_are_those_of_plain_mean_pooling() -> None:
    texts = texts_of(12)
    vectors = Embedder(PACKAGED, FLOAT32).encode(texts)
    assert vectors.shape == (12, 384)
    assert vectors.dtype.name == "float32"
    assert cosines(vectors, reference(model_dir(PACKAGED), texts)).min() > 0.999999
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_numpy_and_torch_give_the_same_vectors(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*texts_of(30), "a", "", "###", "42%"]
    for model in (PACKAGED, str(pool_by(copy, pooling_mode="cls"))):
        few = Embedder(model, FLOAT32.model_copy(update={"too_long": "truncate"}))
        by_numpy = few.encode(texts)
        monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
        assert np.abs(few.encode(texts) - by_numpy).max() < 1e-6
        monkeypatch.undo()


def test_a_question_imports_neither_torch_nor_transformers() -> None:
    script = (
        "import sys\n"
        "from schemas.options.sections import EmbedOptions; from tasks.embed.io.embedder import Embedder\n"
        f"Embedder({PACKAGED!r}, EmbedOptions()).encode(['what does the mill turn?'])\n"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub', 'lancedb', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_what_numpy_cannot_do_is_left_to_torch(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    ids = [[2, 3]]
    assert numpy_engine.vectors_of_few(copy, ids, "max") is None
    assert numpy_engine.vectors_of_few(copy, [[2] * 9000], "mean") is None
    for changed in ({"model_type": "roberta"}, {"hidden_act": "relu"}, {"position_embedding_type": "relative_key"}):
        (copy / "config.json").write_text(json.dumps({**config, **changed}))
        numpy_engine._load.cache_clear()
        assert numpy_engine.vectors_of_few(copy, ids, "mean") is None


def test_weights_in_16_bits_are_left_to_torch(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    half = {name: weight.half() for name, weight in load_file(copy / "model.safetensors").items()}
    save_file(half, copy / "model.safetensors", metadata={"format": "pt"})
    assert numpy_engine.vectors_of_few(copy, [[2, 3]], "mean") is None
    assert Embedder(str(copy), FLOAT32).encode(["a"]).shape == (1, 32)


def test_bfloat16_gives_the_same_vectors_to_four_digits() -> None:
    texts = [*texts_of(12), "a", "", "###", "42%"]
    half = Embedder(PACKAGED, EmbedOptions(dtype="bfloat16", device="cpu")).encode(texts)
    assert cosines(half, reference(model_dir(PACKAGED), texts)).min() > 0.9999


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
    assert cosines(np.load(target), reference(model_dir(PACKAGED), [*texts_of(12), "a", ""])).min() > 0.9999


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
    monkeypatch.setattr(numpy_engine, "_load", None)
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
    assert pooling(copy) == "mean"
    assert pooling(pool_by(copy, **config)) == expected


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
    for config in ({"pooling_mode": "lasttoken"}, {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}, {}):
        shutil.rmtree(copy / "1_Pooling", ignore_errors=True)
        with pytest.raises(InputError, match="uses the pooling"):
            pooling(pool_by(copy, **config))


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
    with pytest.raises(InputError, match="cannot be loaded"):
        Embedder(str(copy), FLOAT32).encode(["a"])


@by_each_engine
def test_weights_that_are_not_all_there_are_an_error_not_random_numbers(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"embeddings\.word_embeddings"):
        Embedder(str(copy), FLOAT32).encode(["a"])


def test_the_device_is_an_error_if_it_is_not_there(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="no CUDA device"):
        Embedder(str(tiny), EmbedOptions(device="cuda")).encode(["a"])


def test_the_type_of_products_is_the_fastest_unless_an_option_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    for fastest in ("float32", "bfloat16", "float16"):
        monkeypatch.setattr(torch_engine, "fastest_dtype", lambda fastest=fastest: fastest)
        assert torch_engine._dtype("auto", "cpu") is getattr(torch, fastest)
        assert torch_engine._dtype("bfloat16", "cpu") is torch.bfloat16
        assert torch_engine._dtype("float32", "cuda") is torch.float32


def test_a_device_without_memory_gets_smaller_batches_and_keeps_to_them(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    sizes: list[int] = []

    def run(backbone: Any, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        if len(ids) * max(map(len, ids)) > 300:
            raise torch.OutOfMemoryError("CUDA out of memory")
        sizes.append(len(ids))
        return torch.tensor([[len(row), 1.0] for row in ids])

    device = torch_engine.Backbone(None, "cuda", torch.float16, 0, threading.Lock(), {})
    monkeypatch.setattr(torch_engine, "_load", lambda *_: device)
    monkeypatch.setattr(torch_engine, "_run", run)
    ids = [[1] * 10] * 100
    found = torch_engine.vectors(tiny, EmbedOptions(batch_tokens=100), ids, "mean")
    assert found[:, 0].tolist() == [10] * 100
    assert sizes == [10, 20, 20, 20, 20, 10]
    assert device.budgets[100].tokens == 200


def test_what_overflows_in_16_bits_is_computed_again_in_32(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    asked: list[tuple[Any, int]] = []

    def run(backbone: Any, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        asked.append((backbone.dtype, len(ids)))
        half = backbone.dtype != torch.float32
        return torch.tensor([[float("inf") if half and row[0] == 7 else 1.0] for row in ids])

    monkeypatch.setattr(
        torch_engine, "_load", lambda *_: torch_engine.Backbone(None, "cpu", torch.float16, 0, threading.Lock(), {})
    )
    monkeypatch.setattr(torch_engine, "_run", run)
    found = torch_engine.vectors(tiny, EmbedOptions(), [[1, 2], [7], [3]], "mean")
    assert np.isfinite(found).all()
    assert asked == [(torch.float16, 3), (torch.float32, 1)]


def test_float16_gives_the_same_vectors_to_four_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "fastest_dtype", lambda: "float16")
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    torch_engine._load.cache_clear()
    half = Embedder(PACKAGED, EmbedOptions(device="cpu")).encode(texts_of(12))
    torch_engine._load.cache_clear()
    assert cosines(half, reference(model_dir(PACKAGED), texts_of(12))).min() > 0.9999


def test_the_dimension_and_the_facts_are_read_from_the_files(copy: Path) -> None:
    assert dimension(copy) == 32
    facts = embedder_facts(str(copy))
    assert facts["model"] == "model"
    assert facts == embedder_facts(str(copy)) != embedder_facts(PACKAGED)
    (copy / "config.json").write_text("{}")
    with pytest.raises(InputError, match="hidden_size"):
        dimension(copy)


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
