"""Texts for embedding: windows of the prose in the docstrings of Python and of packages that are there anyway."""

import re
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer

PACKAGES = ("torch", "transformers", "scipy", "sklearn", "numpy", "pandas")
MOST_WORDS = 1_500_000
MEAN_TOKENS, SPREAD, SHORTEST, LONGEST = 120, 0.55, 8, 250
"""Lengths of chunks: a log-normal distribution, which gives 128 tokens in the mean with the special ones."""
DOCSTRING = re.compile(r'"""(.{80,}?)"""', re.DOTALL)


def drawn_texts(n: int) -> list[str]:
    """Return the same `n` texts at every call on a machine, of 8 to 250 tokens."""
    chance = np.random.default_rng(0)
    words = words_of_docstrings()
    lengths = np.clip(chance.lognormal(np.log(MEAN_TOKENS), SPREAD, n), SHORTEST, LONGEST) / tokens_a_word()
    starts = chance.integers(0, len(words) - LONGEST, n)
    return [
        " ".join(words[at : at + max(1, round(length))]) for at, length in zip(starts.tolist(), lengths.tolist(), strict=True)
    ]


@lru_cache(maxsize=1)
def words_of_docstrings() -> tuple[str, ...]:
    """Return at most MOST_WORDS words of docstrings, in the order of the files' names."""
    words: list[str] = []
    for text in _docstrings():
        words += text.split()
        if len(words) > MOST_WORDS:
            break
    return tuple(words)


def tokens_a_word() -> float:
    """Return the mean number of tokens of these words, by the tokenizer of the packaged model."""
    words = words_of_docstrings()
    sample = [" ".join(words[at : at + 100]) for at in range(0, len(words), max(1, len(words) // 200))]
    counts = load_tokenizer(find_model_folder(PACKAGED)).count(sample)
    return sum(counts) / sum(len(text.split()) for text in sample)


def _docstrings() -> Iterator[str]:
    paths = sysconfig.get_paths()
    folders = [Path(paths["stdlib"]), *(Path(paths["purelib"]) / name for name in PACKAGES)]
    for folder in folders:
        for path in sorted(folder.glob("*.py")) + sorted(folder.glob("*/*.py")):
            if folder.name in PACKAGES or path.parent == folder:
                yield from DOCSTRING.findall(path.read_text(encoding="utf-8", errors="ignore"))
