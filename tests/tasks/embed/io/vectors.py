"""Texts to embed, and vectors to compare with."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from schemas.options.sections import EmbedOptions
from tasks.embed.io.tokenizer import load_tokenizer
from tasks.embed.vectors import Vectors

WORDS = "the mill turns folders of documents into a corpus that answers 42 questions, every night; naïve café 漢字".split()

FLOAT32 = EmbedOptions(dtype="float32", device="cpu")


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
