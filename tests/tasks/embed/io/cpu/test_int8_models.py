import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.bert import Array, Bert
from tasks.embed.io import device, dtype_choice, engine_choice
from tasks.embed.io.cpu import int8_models, openvino_engine
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.engine_choice import choose_engine
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.embed.quantising import Likeness, Scales, calibrate_scales
from tests.tasks.embed.io.vectors import FLOAT32, cosines, pool_by, texts_of

INT8 = EmbedOptions(engine="openvino")


CALIBRATED: dict[bytes, tuple[Scales, list[Array]]] = {}
"""What the calibration of each model gave: it gives the same each time, and takes most of the time of a trial."""


def calibrate_once(bert: Bert, ids: list[list[int]]) -> tuple[Scales, list[Array]]:
    return CALIBRATED.get(key := bert.words.tobytes()) or CALIBRATED.setdefault(key, calibrate_scales(bert, ids))


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is known of a model at the beginning but what lies in the cache; the processor is fast in 8 bits."""
    monkeypatch.setattr(engine_choice, "describe_processor", lambda: "flags avx512_vnni")
    monkeypatch.setattr(int8_models, "calibrate_scales", calibrate_once)
    for known in (int8_models._recall_trial, int8_models._compile_model, int8_models._load_bert):
        known.cache_clear()
    yield


def test_vectors_in_8_bits_are_like_those_in_float32() -> None:
    texts = texts_of(40)
    assert cosines(Embedder(PACKAGED, INT8).encode(texts), Embedder(PACKAGED, FLOAT32).encode(texts)).min() > 0.995


def test_openvino_calls_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert Embedder(PACKAGED, INT8).encode(["a"]).shape == (1, 384)


def test_cls_pooling_takes_the_first_token(copy: Path) -> None:
    model = str(pool_by(copy, pooling_mode="cls"))
    texts = texts_of(20, 30)
    assert cosines(Embedder(model, INT8).encode(texts), Embedder(model, FLOAT32).encode(texts)).min() > 0.98


def test_a_vector_is_the_same_alone_in_company_and_in_any_order() -> None:
    texts, embedder = texts_of(30), Embedder(PACKAGED, INT8)
    vectors = embedder.encode(texts)
    assert np.abs(embedder.encode(texts[::-1])[::-1] - vectors).max() < 1e-6
    assert np.abs(np.concatenate([embedder.encode([text]) for text in texts]) - vectors).max() < 1e-6


def test_weights_that_are_no_numbers_are_told_before_anything_is_embedded(copy: Path) -> None:
    weights = copy / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-4:] = np.float32(np.nan).tobytes()
    weights.unlink()  # it may be a link to the installed model
    weights.write_bytes(content)
    with pytest.raises(InputError, match="weights that are NaN or infinite, so no text gets a vector: download the model again"):
        int8_models.embed_in_int8(copy, [[1, 2]])


def test_a_model_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tried = int8_models._recall_trial(find_model_folder(PACKAGED))
    int8_models._recall_trial.cache_clear()
    monkeypatch.setattr(int8_models, "_try_precisions", None)
    again = int8_models._recall_trial(find_model_folder(PACKAGED))
    assert again.likeness == tried.likeness
    assert all(np.array_equal(scale, again.scales[key]) for key, scale in tried.scales.items())


def go_wrong(monkeypatch: pytest.MonkeyPatch, cache: Path, *precisions: str) -> None:
    """Give each text the vector of another one, as a processor with a fault does, where OpenVINO computes in `precisions`."""
    right = openvino_engine.compile_int8
    made: dict[int, str] = {}

    def compiled(*given: Any) -> Any:
        model = right(*given)
        made[id(model)] = given[-1]
        return model

    def run(model: Any, ids: Any) -> Any:
        vectors = openvino_engine.run_batches(model, ids)
        return vectors[::-1].copy() if made[id(model)] in precisions else vectors

    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setattr(int8_models, "list_precisions", lambda: ("bf16", "f32"))
    monkeypatch.setattr(int8_models, "compile_int8", compiled)
    monkeypatch.setattr(int8_models, "run_batches", run)


def test_an_engine_that_goes_wrong_on_a_processor_is_refused_though_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    go_wrong(monkeypatch, tmp_path, "bf16", "f32")
    refused = r"mean cosine 0\.\d+, least .+: set embed\.engine to torch; a corpus .+ --rebuild"
    with pytest.raises(InputError, match=refused):
        choose_engine(INT8, None)
    with pytest.raises(InputError, match=refused):
        choose_engine(EmbedOptions(), "openvino")
    with pytest.raises(InputError, match=refused):
        Embedder(PACKAGED, INT8).encode(["another machine than the one that planned"])
    assert choose_engine(EmbedOptions(), None) == "torch"
    assert "is embedded by torch" in caplog.text


def test_where_only_16_bits_go_wrong_the_rest_is_computed_in_32(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_wrong(monkeypatch, tmp_path, "bf16")
    texts = texts_of(20)
    assert choose_engine(INT8, None) == "openvino"
    assert cosines(Embedder(PACKAGED, INT8).encode(texts), Embedder(PACKAGED, FLOAT32).encode(texts)).min() > 0.98


def test_what_was_found_on_one_processor_says_nothing_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert choose_engine(INT8, None) == "openvino"
    int8_models._recall_trial.cache_clear()
    monkeypatch.setattr(dtype_choice, "describe_processor", lambda: "flags avx512_vnni amx_int8")
    go_wrong(monkeypatch, tmp_path, "bf16", "f32")
    with pytest.raises(InputError, match="on this processor"):
        choose_engine(INT8, None)


WRONG: tuple[object, ...] = (None, [], {"likeness": [1, 1, 1]}, {"exponents": {"0 attend": [1]}}, {"exponents": {"9 x": [1]}})


@pytest.mark.parametrize("change", WRONG)
def test_a_damaged_memory_is_tried_again(copy: Path, change: object) -> None:
    bert = int8_models._load_bert(copy)
    tried = int8_models._try_precisions(copy)
    exponents = {f"{number} {part}": np.log2(scale).astype(int).tolist() for (number, part), scale in tried.scales.items()}
    whole = json.loads(json.dumps({"likeness": list(tried.likeness), "precision": "f32", "exponents": exponents}))
    assert int8_models._parse_record(whole, bert) is not None
    assert (
        int8_models._parse_record({**whole, **change} if isinstance(change, dict) and "exponents" in change else change, bert)
        is None
    )


def test_a_new_corpus_takes_8_bits_where_they_are_fast_and_keep_the_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_engine(EmbedOptions(), None) == "openvino"
    assert choose_engine(EmbedOptions(dtype="float32"), None) == "torch"
    assert choose_engine(EmbedOptions(device="cuda"), None) == "torch"
    assert choose_engine(EmbedOptions(engine="torch"), None) == "torch"
    monkeypatch.setattr(device, "NVIDIA", (Path("/"),))
    assert choose_engine(EmbedOptions(), None) == "torch"
    assert choose_engine(EmbedOptions(device="cpu"), None) == "openvino"
    monkeypatch.setattr(engine_choice, "describe_processor", lambda: "flags avx2")
    assert choose_engine(EmbedOptions(device="cpu"), None) == "torch"


def test_a_corpus_keeps_its_engine_unless_an_option_names_another(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_engine(EmbedOptions(), "torch") == "torch"
    assert choose_engine(EmbedOptions(engine="openvino"), "torch") == "openvino"
    monkeypatch.setattr(engine_choice, "describe_processor", lambda: "")
    assert choose_engine(EmbedOptions(), "openvino") == "openvino"


def test_a_model_that_8_bits_would_change_is_left_to_torch_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(int8_models, "LEAST", Likeness(2.0, 0, 0))
    assert choose_engine(EmbedOptions(), None) == "torch"
    assert "is embedded by torch" in caplog.text


def test_without_openvino_torch_is_taken_and_a_corpus_that_needs_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    monkeypatch.setattr(int8_models, "is_installed", lambda: False)
    assert choose_engine(EmbedOptions(), None) == "torch"
    for options, built_with in ((EmbedOptions(engine="openvino"), None), (EmbedOptions(), "openvino")):
        with pytest.raises(InputError, match=r"pip install 'pagemill\[openvino\]'"):
            choose_engine(options, built_with)  # type: ignore[arg-type]


def test_what_is_no_bert_is_refused_in_8_bits_and_not_chosen(copy: Path) -> None:
    assert choose_engine(EmbedOptions(model=str(copy)), None) == "torch", "it is narrow"
    model = str(pool_by(copy, pooling_mode="max"))
    int8_models._load_bert.cache_clear()
    assert choose_engine(EmbedOptions(model=model), None) == "torch"
    with pytest.raises(InputError, match=r"set embed\.engine to torch"):
        Embedder(model, INT8).encode(["a"])


def test_tokens_beyond_the_padding_do_not_count() -> None:
    ids = load_tokenizer(find_model_folder(PACKAGED)).encode(["the mill turns folders of documents into a corpus"])
    assert len(ids[0]) % 8, "the text is padded"
    exact = Embedder(PACKAGED, FLOAT32)._embed_rows(ids)
    assert cosines(Embedder(PACKAGED, INT8)._embed_rows(ids), exact).min() > 0.995
