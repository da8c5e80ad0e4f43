"""The weights of a BERT for NumPy, read from safetensors without torch."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

import numpy as np

from tasks.embed.bert import Array, Bert, Block, Linear
from tasks.embed.io.model_folders import read_header
from tasks.embed.io.tokenizer import read_json

BLOCK = {
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "norm": "output.LayerNorm",
}
"""Names of a block's parts in the file, beside queries, keys and values."""


def read_bert(folder: Path) -> Bert | None:
    """Return the model in `folder`; None if it is no plain BERT in float32, or its file is not whole.

    Its arrays are the file itself, mapped into memory: of the words' vectors only those that are asked for are read.
    """
    config = read_json(folder / "config.json")
    if not _is_plain_bert(config):
        return None
    try:
        tensors = _map_tensors(folder / "model.safetensors")
        prefix = "" if "embeddings.LayerNorm.weight" in tensors else "bert."
        return _assemble_bert(config, lambda name: tensors[prefix + name])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_finite(folder: Path) -> bool:
    """Return whether all weights of the BERT in `folder` are numbers, none of them NaN or infinite."""
    return all(bool(np.isfinite(tensor).all()) for tensor in _map_tensors(folder / "model.safetensors").values())


def _is_plain_bert(config: Mapping[str, object]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder")
    )


def _map_tensors(path: Path) -> dict[str, Array]:
    """Return the float32 tensors of a safetensors file."""
    data, (header, start) = np.memmap(path, np.uint8, "r"), read_header(path)
    return {
        name: data[start + part["data_offsets"][0] : start + part["data_offsets"][1]].view(np.float32).reshape(part["shape"])
        for name, part in header.items()
        if part["dtype"] == "F32"
    }


class BertConfig(TypedDict):
    """What is needed of the configuration of a BERT."""

    num_hidden_layers: int
    num_attention_heads: int
    layer_norm_eps: NotRequired[float]


def _assemble_bert(config: BertConfig, get: Callable[[str], Array]) -> Bert:
    def linear(name: str) -> Linear:
        return Linear(get(f"{name}.weight"), get(f"{name}.bias"))

    def block(number: int) -> Block:
        at = f"encoder.layer.{number}"
        parts = [linear(f"{at}.attention.self.{name}") for name in ("query", "key", "value")]
        attend = Linear(np.concatenate([part.weight for part in parts]), np.concatenate([part.bias for part in parts]))
        return Block(attend=attend, **{name: linear(f"{at}.{rest}") for name, rest in BLOCK.items()})

    places = get("embeddings.position_embeddings.weight") + get("embeddings.token_type_embeddings.weight")[0]
    return Bert(
        words=get("embeddings.word_embeddings.weight"),
        places=places,
        norm=linear("embeddings.LayerNorm"),
        blocks=tuple(block(number) for number in range(config["num_hidden_layers"])),
        n_heads=config["num_attention_heads"],
        epsilon=config.get("layer_norm_eps", 1e-12),
    )
