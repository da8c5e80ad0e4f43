"""Fingerprints of model weights: by their bytes, remembered between runs, since a model has hundreds of megabytes."""

import hashlib
import json
import logging
import time
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from schemas.errors import InputError
from tasks.store import files
from tasks.store.user_cache import find_user_cache

MODEL_SUFFIXES = {".safetensors", ".bin", ".onnx", ".pt", ".json", ".txt", ".model"}
"""Endings of what a model is made of: weights, configuration, vocabulary, tokenizer."""

SETTLED_NS = 2_000_000_000
"""A file that changed less long ago is not remembered: it could change again within one tick of the file system's clock."""

logger = logging.getLogger(__name__)


class _Known(BaseModel):
    """What is known of a file: its digest as long as its size, modification and change times (ns) stay."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    stamp: tuple[int, int, int]
    sha256: str


_MEMORY = TypeAdapter(dict[str, _Known])


def compute_weights_digest(folder_or_file: Path) -> str:
    """Return SHA-256 over the names and bytes of a model's files, 64 hex digits: the same wherever the model lies.

    Hidden files in a folder do not count, symbolic links are followed. What was read once is not read again while its
    size and times stay; without a cache folder that can be written, every call reads all.

    Raises:
        InputError: there is no such file, or the folder holds no model.
    """
    members = _list_model_files(folder_or_file)
    if not members:
        raise InputError(f"{folder_or_file} holds no model: name a model file, or a folder with weights and configuration")
    memory = _load_known_digests()
    paths = {name: str(path.resolve()) for name, path in members.items()}
    known = {path: _digest_file(Path(path), memory.get(path)) for path in paths.values()}
    if learnt := {path: seen for path, seen in known.items() if memory.get(path) != seen and _is_file_settled(Path(path), seen)}:
        _save_known_digests(learnt)
    digests = sorted((name, known[path].sha256) for name, path in paths.items())
    return hashlib.sha256(json.dumps(digests).encode()).hexdigest()


def _list_model_files(folder_or_file: Path) -> dict[str, Path]:
    """Return the model's files by their names, relative to its folder."""
    if folder_or_file.is_file():
        return {folder_or_file.name: folder_or_file}
    found = (path for path in folder_or_file.rglob("*") if path.suffix in MODEL_SUFFIXES and path.is_file())
    named = {path.relative_to(folder_or_file).as_posix(): path for path in found}
    return {name: path for name, path in named.items() if not any(part.startswith(".") for part in name.split("/"))}


def _digest_file(path: Path, known: _Known | None) -> _Known:
    stamp = _read_size_and_times(path)
    if known and known.stamp == stamp:
        return known
    return _Known(stamp=stamp, sha256=files.compute_sha256(path))


def _read_size_and_times(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _is_file_settled(path: Path, seen: _Known) -> bool:
    """Return whether the file is still the one that was read, and had been at rest before.

    The change time decides: every write sets it, and nobody can set it ahead, as one can with the modification time.
    """
    return _read_size_and_times(path) == seen.stamp and time.time_ns() - seen.stamp[2] > SETTLED_NS


def _place_digest_cache() -> Path:
    return find_user_cache() / "weights.json"


def _load_known_digests() -> dict[str, _Known]:
    try:
        return _MEMORY.validate_json(_place_digest_cache().read_bytes())
    except (OSError, ValueError, RuntimeError):  # then all is read, and `_save_known_digests` says it if that will not change
        return {}


def _save_known_digests(learnt: dict[str, _Known]) -> None:
    """Add to the memory. Of two processes at once one may be forgotten, which only costs it another reading."""
    kept = {path: known for path, known in _load_known_digests().items() if Path(path).exists()}
    try:
        files.write_atomically(_place_digest_cache(), _MEMORY.dump_json({**kept, **learnt}))
    except (OSError, RuntimeError) as error:
        _warn_once(str(error))


@cache
def _warn_once(reason: str) -> None:
    """Warn once in a process that digests are not remembered: the reason is the same for all models."""
    logger.warning(
        "every run reads the models again, because their digests cannot be saved; set XDG_CACHE_HOME to a writable folder: %s",
        reason,
    )
