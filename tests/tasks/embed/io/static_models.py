"""Small static models in the forms in which others save theirs."""

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ["[UNK]", "[PAD]", "the", "mill", "turns", "grain", "heron", "waits", "river", "."]


def table(n: int = len(WORDS), dimension: int = 6, seed: int = 5) -> Any:
    return np.random.default_rng(seed).normal(size=(n, dimension)).astype(np.float32)


def save_tokenizer(path: Path) -> None:
    """Write a tokenizer of WORDS that puts special tokens around a text, unless it is asked not to."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="[PAD] $A [PAD]", special_tokens=[("[PAD]", 1)])
    path.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path))


def save(path: Path, **parts: Any) -> None:
    from safetensors.numpy import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(parts, path)


def model2vec(folder: Path, **parts: Any) -> Path:
    """Save a model as model2vec does; `parts` replace its vectors, or stand beside them."""
    save(folder / "model.safetensors", **{"embeddings": table(), **parts})
    save_tokenizer(folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True, "seq_length": 1000000}))
    return folder


def wordllama(folder: Path) -> Path:
    """Save a model as the package of wordllama has it: in 16 bits, with vectors and tokenizer in folders of their own."""
    save(folder / "weights" / "mill_6.safetensors", **{"embedding.weight": table().astype(np.float16)})
    save_tokenizer(folder / "tokenizers" / "mill_tokenizer_config.json")
    return folder


def sentence_transformers(folder: Path) -> Path:
    """Save a model as sentence-transformers saves a StaticEmbedding."""
    save(folder / "0_StaticEmbedding" / "model.safetensors", **{"embedding.weight": table()})
    save_tokenizer(folder / "0_StaticEmbedding" / "tokenizer.json")
    modules = [{"idx": 0, "path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder
