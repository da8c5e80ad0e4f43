import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.store import files, fingerprints
from tasks.store.fingerprints import compute_weights_digest

MODEL = {"model.safetensors": b"\x00\x01" * 1000, "config.json": b"{}", "vocab.txt": b"a\nb\n", "1_Pooling/config.json": b"{}"}
LONG_AGO_NS = 10**18


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pagemill" / "weights.json"


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take files for old enough to be remembered, though the tests have just written them."""
    monkeypatch.setattr("tasks.store.fingerprints.SETTLED_NS", -1)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    for name, content in MODEL.items():
        files.write_atomically(tmp_path / "model" / name, content)
    return tmp_path / "model"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are read."""
    names: list[str] = []
    digest = files.compute_sha256

    def note(path: Path) -> str:
        names.append(path.name)
        return digest(path)

    monkeypatch.setattr(files, "compute_sha256", note)
    return names


def test_the_same_model_elsewhere_has_the_same_digest(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "copy")
    assert compute_weights_digest(model) == compute_weights_digest(tmp_path / "copy")
    assert len(compute_weights_digest(model)) == 64


@pytest.mark.parametrize("name", MODEL)
def test_any_changed_byte_changes_the_digest(name: str, model: Path) -> None:
    before = compute_weights_digest(model)
    (model / name).write_bytes(MODEL[name] + b" ")
    assert compute_weights_digest(model) != before


def test_a_change_of_the_same_size_and_modification_time_is_seen(model: Path) -> None:
    weights = model / "model.safetensors"
    os.utime(weights, ns=(LONG_AGO_NS, LONG_AGO_NS))
    before = compute_weights_digest(model)
    weights.write_bytes(MODEL[weights.name][::-1])
    os.utime(weights, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert compute_weights_digest(model) != before


def test_names_belong_to_a_model_and_documentation_and_hidden_files_do_not(model: Path) -> None:
    before = compute_weights_digest(model)
    files.write_atomically(model / "README.md", b"about")
    files.write_atomically(model / ".cache" / "download.json", b"{}")
    assert compute_weights_digest(model) == before
    (model / "vocab.txt").rename(model / "words.txt")
    assert compute_weights_digest(model) != before


def test_a_model_is_read_once(model: Path, read: list[str]) -> None:
    first = compute_weights_digest(model)
    assert len(read) == len(MODEL)
    assert compute_weights_digest(model) == first
    assert len(read) == len(MODEL)


def test_only_what_changed_is_read_again(model: Path, read: list[str]) -> None:
    compute_weights_digest(model)
    read.clear()
    (model / "vocab.txt").write_bytes(b"other")
    compute_weights_digest(model)
    assert read == ["vocab.txt"]


def test_a_file_that_has_just_changed_is_not_remembered(model: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.store.fingerprints.SETTLED_NS", 10**18)
    assert compute_weights_digest(model) == compute_weights_digest(model)
    assert len(read) == 2 * len(MODEL)


def test_a_file_alone_has_a_digest(model: Path, read: list[str]) -> None:
    weights = model / "model.safetensors"
    assert compute_weights_digest(weights) == compute_weights_digest(weights) != compute_weights_digest(model)
    assert read.count("model.safetensors") == 1


def test_links_into_a_store_are_followed(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "snapshot")
    (tmp_path / "snapshot" / "vocab.txt").unlink()
    (tmp_path / "snapshot" / "vocab.txt").symlink_to(model / "vocab.txt")
    assert compute_weights_digest(tmp_path / "snapshot") == compute_weights_digest(model)


@pytest.mark.parametrize("damage", [b"", b"not JSON", b"[]", b'{"/x": 1}', b"\xff\xfe"])
def test_a_damaged_memory_only_costs_time(damage: bytes, model: Path, cache: Path, read: list[str]) -> None:
    digest = compute_weights_digest(model)
    cache.write_bytes(damage)
    assert compute_weights_digest(model) == digest
    assert len(read) == 2 * len(MODEL)
    assert compute_weights_digest(model) == digest
    assert len(read) == 2 * len(MODEL)


def test_a_cache_folder_that_cannot_be_written_only_costs_time(
    model: Path, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fingerprints._warn_once.cache_clear()
    files.write_atomically(cache.parent.parent, b"a file where the folder should be")
    assert compute_weights_digest(model) == compute_weights_digest(model)
    assert caplog.text.count("reads the models again") == 1


def test_models_that_are_gone_are_forgotten(model: Path, cache: Path, tmp_path: Path) -> None:
    compute_weights_digest(model)
    shutil.move(model, tmp_path / "elsewhere")
    compute_weights_digest(tmp_path / "elsewhere")
    assert str(model) + "/" not in cache.read_text()


def test_many_at_once_agree(model: Path, cache: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(compute_weights_digest, [model] * 32))) == 1
    assert [path.name for path in cache.parent.iterdir()] == ["weights.json"]


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "missing"):
        with pytest.raises(InputError, match="holds no model"):
            compute_weights_digest(path)


def test_a_model_whose_files_bear_a_date_ahead_is_read_once(model: Path, read: list[str]) -> None:
    for path in model.rglob("*.*"):
        os.utime(path, ns=(4 * LONG_AGO_NS, 4 * LONG_AGO_NS))
    compute_weights_digest(model)
    n = len(read)
    compute_weights_digest(model)
    assert n == len(MODEL) == len(read)
