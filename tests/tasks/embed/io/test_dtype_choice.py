from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.embed.io import dtype_choice
from tasks.embed.io.dtype_choice import CANDIDATES, fastest_dtype


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fastest_dtype.cache_clear()
    yield tmp_path / "pagemill" / dtype_choice.FILE
    fastest_dtype.cache_clear()


def test_each_type_is_timed() -> None:
    assert all(0 < seconds < 60 for seconds in dtype_choice._seconds().values())


def test_the_fastest_type_is_measured_once_per_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dtype_choice, "_seconds", lambda: {"float32": 2.0, "bfloat16": 1.0, "float16": 3.0})
    assert fastest_dtype() == "bfloat16"
    fastest_dtype.cache_clear()
    monkeypatch.setattr(dtype_choice, "_seconds", None)
    assert fastest_dtype() == "bfloat16"
    fastest_dtype.cache_clear()
    monkeypatch.setattr(dtype_choice, "processor", lambda: "another")
    monkeypatch.setattr(dtype_choice, "_seconds", lambda: {"float32": 1.0, "bfloat16": 2.0, "float16": 3.0})
    assert fastest_dtype() == "float32"


@pytest.mark.parametrize("damaged", ["{", "[]", '{"another": "float32"}'])
def test_a_damaged_memory_costs_another_measurement(cache: Path, damaged: str) -> None:
    cache.parent.mkdir()
    cache.write_text(damaged)
    assert fastest_dtype() in CANDIDATES
    assert dtype_choice._machine() in cache.read_text()


def test_what_is_no_type_is_measured_again(cache: Path) -> None:
    from tasks.store import user_cache

    user_cache.remember(dtype_choice.FILE, dtype_choice._machine(), "int4")
    assert fastest_dtype() in CANDIDATES
