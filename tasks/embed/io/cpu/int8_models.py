"""Models in 8 bits: which ones keep their vectors on this processor, and the vectors.

What was found out of a model is kept in the user's cache.
"""

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
from schemas.versions import QUANTISING_VERSION
from tasks.embed.bert import Array, Bert, pool_states
from tasks.embed.io.bert_weights import is_finite, read_bert
from tasks.embed.io.cpu.openvino_engine import BatchModel, Precision, compile_int8, is_installed, list_precisions, run_batches
from tasks.embed.io.dtype_choice import compute_processor_digest
from tasks.embed.io.model_files import read_pooling
from tasks.embed.io.tokenizer import load_tokenizer
from tasks.embed.quantising import Likeness, Scales, calibrate_scales, measure_likeness, sample_token_ids
from tasks.store import user_cache
from tasks.store.fingerprints import compute_weights_digest

LEAST = Likeness(mean=0.995, least=0.98, neighbours=0.85)
"""What the vectors of random words must keep. These lie closer together than those of prose, of which more is kept."""
LEAST_WIDTH = 128
"""Narrower models spend their time on other things than products."""

_LOADING = threading.Lock()
logger = logging.getLogger(__name__)


class Trial(NamedTuple):
    """What a trial found of a model. `precision` is the type of all numbers that are not in 8 bits."""

    scales: Scales
    likeness: Likeness
    precision: Precision

    @property
    def is_faithful(self) -> bool:
        """Whether the vectors are like those in float32."""
        return all(value >= least for value, least in zip(self.likeness, LEAST, strict=True))


class _Record(BaseModel):
    """The same as JSON. A scale is a power of two: its exponents, by `block name`."""

    likeness: tuple[float, float, float]
    precision: Precision
    exponents: dict[str, list[int]]


def check_int8_usable(folder: Path) -> None:
    """Refuse a model that cannot run in 8 bits here, or has other vectors then.

    Raises:
        InputError: OpenVINO is not installed, the model is no plain BERT, or its vectors on this processor are not its own.
    """
    _check_possible(folder)
    with _LOADING:
        _check_faithful(folder)


def _check_possible(folder: Path) -> None:
    if not is_installed():
        raise InputError(
            "OpenVINO is not installed: pip install 'pagemill[openvino]', or set embed.engine to torch; "
            "a corpus that was made with OpenVINO then needs --rebuild"
        )
    _load_bert(folder)


def _check_faithful(folder: Path) -> None:
    if not (tried := _recall_trial(folder)).is_faithful:
        raise InputError(
            f"OpenVINO's vectors of {folder.name} in 8 bits are not those of float32 on this processor ({tried.likeness}, where "
            f"{LEAST} is demanded): set embed.engine to torch; a corpus that was made with OpenVINO then needs --rebuild"
        )


def does_int8_keep_vectors(folder: Path) -> bool:
    """Return whether the model can run in 8 bits here, and gives vectors like those in float32 then."""
    try:
        _check_possible(folder)
    except InputError:
        return False
    if _load_bert(folder).words.shape[1] < LEAST_WIDTH:
        return False
    with _LOADING:
        found = _recall_trial(folder)
    if not found.is_faithful:
        told = found.likeness
        logger.warning("%s is embedded by torch, because in 8 bits its vectors would be other ones: %s", folder.name, told)
    return found.is_faithful


def embed_in_int8(folder: Path, ids: Sequence[Sequence[int]]) -> Array:
    """Return one vector for each row of token ids, not yet normalised.

    Raises:
        InputError: OpenVINO is not installed, the model is no plain BERT, or its vectors on this processor are not its own.
    """
    _check_possible(folder)
    with _LOADING:
        model = _compile_model(folder)
    return run_batches(model, ids)


@lru_cache(maxsize=2)
def _load_bert(folder: Path) -> Bert:
    bert = read_bert(folder) if read_pooling(folder) in ("mean", "cls") else None
    if bert is None:
        raise InputError(f"{folder.name} is not a BERT in float32 with mean or CLS pooling: set embed.engine to torch")
    return bert


@lru_cache(maxsize=2)
def _compile_model(folder: Path) -> BatchModel:
    _check_faithful(folder)
    tried = _recall_trial(folder)
    return compile_int8(_load_bert(folder), tried.scales, read_pooling(folder), tried.precision)


@lru_cache(maxsize=2)
def _recall_trial(folder: Path) -> Trial:
    """Return what is known of the model, tried now if it never was on such a processor: that takes seconds.

    Raises:
        InputError: weights are no numbers.
    """
    name = f"int8-{compute_weights_digest(folder)[:16]}.json"
    key = f"{QUANTISING_VERSION}, OpenVINO {version('openvino')}, processor {compute_processor_digest()}"
    found = _parse_record(user_cache.recall_from_user_cache(name).get(key), _load_bert(folder))
    if found is None:
        if not is_finite(folder):
            raise InputError(f"{folder} has weights that are NaN or infinite, so no text gets a vector: download the model again")
        found = _try_precisions(folder)
        exponents = {f"{number} {part}": np.log2(scale).astype(int).tolist() for (number, part), scale in found.scales.items()}
        record = _Record(likeness=tuple(found.likeness), precision=found.precision, exponents=exponents)
        user_cache.remember_in_user_cache(name, key, record.model_dump())
    return found


def _parse_record(value: object, bert: Bert) -> Trial | None:
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
    return Trial(scales, Likeness(*record.likeness), record.precision) if fits else None


def _try_precisions(folder: Path) -> Trial:
    """Try the precisions of this processor until one keeps the vectors: some processors or versions fail in bf16."""
    bert, mode = _load_bert(folder), read_pooling(folder)
    ids = sample_token_ids(len(bert.words), load_tokenizer(folder).encode([""])[0])
    scales, states = calibrate_scales(bert, ids)
    exact = _normalise_vectors(np.stack([pool_states(state, mode) for state in states]))
    for precision in list_precisions():
        made = _normalise_vectors(run_batches(compile_int8(bert, scales, mode, precision), ids))
        found = Trial(scales, measure_likeness(made, exact), precision)
        if found.is_faithful:
            break
    return found


def _normalise_vectors(made: Array) -> Array:
    unit: Array = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit
