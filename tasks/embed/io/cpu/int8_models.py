"""Models in 8 bits: which ones keep their vectors, and the vectors. What was found out of a model is kept in the user's cache."""

import logging
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ValidationError

from schemas.errors import InputError
from tasks.embed.bert import Array, Bert, pooled
from tasks.embed.io.bert_weights import is_finite, read_bert
from tasks.embed.io.cpu.openvino_engine import Compiled, compiled, is_installed, run
from tasks.embed.io.model_files import pooling
from tasks.embed.io.tokenizer import load_tokenizer
from tasks.embed.quantising import Likeness, Scales, calibrated, likeness, sample_ids
from tasks.store import user_cache
from tasks.store.fingerprints import weights_digest

QUANTISING_VERSION = "1"
"""Raise it when the vectors change."""
LEAST = Likeness(mean=0.995, least=0.98, neighbours=0.85)
"""What the vectors of random words must keep. These lie closer together than those of prose, of which more is kept."""
LEAST_WIDTH = 128
"""Narrower models spend their time on other things than products."""

_LOADING = threading.Lock()
logger = logging.getLogger(__name__)


class Tried(NamedTuple):
    """What was found out of a model."""

    scales: Scales
    likeness: Likeness


class _Record(BaseModel):
    """The same as JSON. A scale is a power of two: its exponents, by `block name`."""

    likeness: tuple[float, float, float]
    exponents: dict[str, list[int]]


def check_usable(folder: Path) -> None:
    """Refuse a model that cannot run in 8 bits here.

    Raises:
        InputError: OpenVINO is not installed, or the model is no plain BERT.
    """
    if not is_installed():
        raise InputError(
            "OpenVINO is not installed: pip install 'pagemill[openvino]', or set embed.engine to torch; "
            "a corpus that was made with OpenVINO then needs --rebuild"
        )
    _bert(folder)


def keeps_its_vectors(folder: Path) -> bool:
    """Tell whether the model can run in 8 bits here, and gives vectors like those in float32 then."""
    try:
        check_usable(folder)
    except InputError:
        return False
    if _bert(folder).words.shape[1] < LEAST_WIDTH:
        return False
    with _LOADING:
        found = _tried(folder).likeness
    kept = all(value >= least for value, least in zip(found, LEAST, strict=True))
    if not kept:
        logger.warning("%s is embedded by torch, because in 8 bits its vectors would be other ones: %s", folder.name, found)
    return kept


def int8_vectors(folder: Path, ids: Sequence[Sequence[int]]) -> Array:
    """Return one vector for each row of token ids, not yet normalised.

    Raises:
        InputError: OpenVINO is not installed, or the model is no plain BERT.
    """
    check_usable(folder)
    with _LOADING:
        model = _load(folder)
    return run(model, ids)


@lru_cache(maxsize=2)
def _bert(folder: Path) -> Bert:
    bert = read_bert(folder) if pooling(folder) in ("mean", "cls") else None
    if bert is None:
        raise InputError(f"{folder.name} is not a BERT in float32 with mean or CLS pooling: set embed.engine to torch")
    return bert


@lru_cache(maxsize=2)
def _load(folder: Path) -> Compiled:
    return compiled(_bert(folder), _tried(folder).scales, pooling(folder))


@lru_cache(maxsize=2)
def _tried(folder: Path) -> Tried:
    """Return what is known of the model, tried now if it never was on this machine: that takes seconds.

    Raises:
        InputError: weights are no numbers.
    """
    name = f"int8-{weights_digest(folder)[:16]}.json"
    key = f"{QUANTISING_VERSION}, OpenVINO {version('openvino')}"
    found = _read(user_cache.recall(name).get(key), _bert(folder))
    if found is None:
        if not is_finite(folder):
            raise InputError(f"{folder} has weights that are NaN or infinite, so no text gets a vector: download the model again")
        found = _try(folder)
        exponents = {f"{number} {part}": np.log2(scale).astype(int).tolist() for (number, part), scale in found.scales.items()}
        user_cache.remember(name, key, _Record(likeness=tuple(found.likeness), exponents=exponents).model_dump())
    return found


def _read(value: object, bert: Bert) -> Tried | None:
    """Return what was remembered, if it is whole."""
    try:
        record = _Record.model_validate(value)
        scales = {
            (int(name.split()[0]), name.split()[1]): np.exp2(np.array(exponents, dtype=np.float32))
            for name, exponents in record.exponents.items()
        }
        fits = all(len(scale) == getattr(bert.blocks[number], part).weight.shape[1] for (number, part), scale in scales.items())
    except (ValidationError, ValueError, IndexError, AttributeError):
        return None
    return Tried(scales, Likeness(*record.likeness)) if fits else None


def _try(folder: Path) -> Tried:
    bert, mode = _bert(folder), pooling(folder)
    ids = sample_ids(len(bert.words), load_tokenizer(folder).encode([""])[0])
    scales, states = calibrated(bert, ids)
    exact = np.stack([pooled(state, mode) for state in states])
    return Tried(scales, likeness(_unit(run(compiled(bert, scales, mode), ids)), _unit(exact)))


def _unit(made: Array) -> Array:
    unit: Array = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit
