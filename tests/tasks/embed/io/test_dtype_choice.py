from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io import dtype_choice, torch_engine
from tasks.embed.io.dtype_choice import CANDIDATES, N_SAMPLES, find_fastest_dtype, recall_cosine
from tasks.embed.vectors import Vectors


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    find_fastest_dtype.cache_clear()
    yield tmp_path / "pagemill" / dtype_choice.FILE
    find_fastest_dtype.cache_clear()


def test_each_type_is_timed() -> None:
    assert all(0 < seconds < 60 for seconds in dtype_choice._time_dtypes().values())


def test_the_fastest_type_is_measured_once_per_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dtype_choice, "_time_dtypes", lambda: {"float32": 2.0, "bfloat16": 1.0, "float16": 3.0})
    assert find_fastest_dtype() == "bfloat16"
    find_fastest_dtype.cache_clear()
    monkeypatch.setattr(dtype_choice, "_time_dtypes", None)
    assert find_fastest_dtype() == "bfloat16"
    find_fastest_dtype.cache_clear()
    monkeypatch.setattr(dtype_choice, "describe_processor", lambda: "another")
    monkeypatch.setattr(dtype_choice, "_time_dtypes", lambda: {"float32": 1.0, "bfloat16": 2.0, "float16": 3.0})
    assert find_fastest_dtype() == "float32"


@pytest.mark.parametrize("damaged", ["{", "[]", '{"another": "float32"}'])
def test_a_damaged_memory_costs_another_measurement(cache: Path, damaged: str) -> None:
    cache.parent.mkdir()
    cache.write_text(damaged)
    assert find_fastest_dtype() in CANDIDATES
    assert dtype_choice._describe_machine() in cache.read_text()


def test_what_is_no_type_is_measured_again(cache: Path) -> None:
    from tasks.store import user_cache

    user_cache.remember_in_user_cache(dtype_choice.FILE, dtype_choice._describe_machine(), "int4")
    assert find_fastest_dtype() in CANDIDATES


IDS = [[2, 3, 5], [7, 11, 13, 17]]


@pytest.fixture(autouse=True)
def forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    torch_engine._load.cache_clear()


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 16 bits each text gets the vector of another one; 16 bits are the fastest."""
    import torch

    right = torch_engine._run_batch

    def run(backbone: torch_engine.Backbone, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        vectors = right(backbone._replace(dtype=torch.float32), ids, pooling)
        return vectors if backbone.dtype == torch.float32 else vectors.flip(0)

    monkeypatch.setattr(torch_engine, "_run_batch", run)
    monkeypatch.setattr(torch_engine, "find_fastest_dtype", lambda: "bfloat16")


@pytest.mark.usefixtures("wrong")
def test_16_bits_that_go_wrong_are_left_for_32_and_that_is_said(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = torch_engine.embed_by_torch(tiny, EmbedOptions(device="cpu"), IDS, "cls")
    assert "bfloat16 on this cpu have cosines down to" in caplog.text and "it is run in float32" in caplog.text
    exact = torch_engine.embed_by_torch(tiny, EmbedOptions(device="cpu", dtype="float32"), IDS, "cls")
    assert np.array_equal(made, exact)


@pytest.mark.usefixtures("wrong")
def test_16_bits_that_go_wrong_are_refused_if_an_option_names_them(tiny: Path) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match=r"less than 0\.98: set embed\.dtype to auto or float32"):
            torch_engine.embed_by_torch(tiny, EmbedOptions(device="cpu", dtype="bfloat16"), IDS, "cls")


def test_16_bits_that_are_right_are_used(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    torch_engine.embed_by_torch(tiny, EmbedOptions(device="cpu", dtype="bfloat16"), IDS, "cls")
    assert str(torch_engine._load(tiny, "cpu", "bfloat16").dtype) == "torch.bfloat16"
    assert caplog.text == ""


def right(ids: list[list[int]]) -> Vectors:
    return np.array([[len(row), row[1], 1] for row in ids], dtype=np.float32)


def unasked(ids: list[list[int]]) -> Vectors:
    raise AssertionError("it was measured before")


def test_a_model_is_measured_once_for_each_engine_and_processor(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recall_cosine(tiny, "torch, H100", right, right) == pytest.approx(1)
    assert recall_cosine(tiny, "torch, H100", unasked, unasked) == pytest.approx(1)
    assert recall_cosine(tiny, "torch, H200", lambda ids: -right(ids), right) == pytest.approx(-1)
    monkeypatch.setattr(dtype_choice, "describe_processor", lambda: "another")
    assert recall_cosine(tiny, "torch, H100", lambda ids: -right(ids), right) == pytest.approx(-1)


def test_one_wrong_vector_is_found_and_what_overflows_does_not_count(tiny: Path) -> None:
    def one(ids: list[list[int]], value: float) -> Vectors:
        vectors = right(ids)
        assert len(vectors) == N_SAMPLES
        vectors[3] *= np.float32(value)
        return vectors

    assert recall_cosine(tiny, "one is turned", lambda ids: one(ids, -1), right) == pytest.approx(-1)
    assert recall_cosine(tiny, "one overflows", lambda ids: one(ids, float("inf")), right) == pytest.approx(1)
