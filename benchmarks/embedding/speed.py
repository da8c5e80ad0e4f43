"""The speed of the engines beside sentence-transformers, on texts of mixed lengths, and how like their vectors are."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import cache_folder, say, say_bar, say_table
from schemas.options.sections import EmbedOptions
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]

N_TEXTS = 2000
LONGEST_WORDS = 150
ROUNDS = 3
PEER = "sentence-transformers float32"
PACKAGES = ("sentence-transformers", "scikit-learn", "scipy", "joblib", "threadpoolctl", "narwhals", "tqdm")
"""Of the peer, without what it shares with Pagemill: both run on the same torch and transformers."""


def run_speed(data: Path) -> None:
    """Print the time of each engine relative to the peer's, and the cosines of their vectors to its."""
    texts = mixed_texts(data)
    engines = {
        PEER: _peer(),
        "torch": Embedder(PACKAGED, EmbedOptions(engine="torch", device="cpu", too_long="truncate")).encode,
        "openvino": Embedder(PACKAGED, EmbedOptions(engine="openvino", too_long="truncate")).encode,
    }
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    cpu: dict[str, list[float]] = {name: [] for name in engines}
    vectors = {name: encode(texts) for name, encode in engines.items()}
    for _ in range(ROUNDS):
        for name, encode in engines.items():
            started, cpu_started = time.perf_counter(), time.process_time()
            encode(texts)
            seconds[name].append(time.perf_counter() - started)
            cpu[name].append(time.process_time() - cpu_started)
    faster = {name: _ratio(seconds[PEER], found) for name, found in seconds.items()}
    cosines = {name: (found * vectors[PEER]).sum(axis=1) for name, found in vectors.items()}
    rows: dict[str, list[float | None]] = {
        name: [
            statistics.median(seconds[name]),
            faster[name],
            _ratio(cpu[PEER], cpu[name]),
            float(cosines[name].mean()),
            float(cosines[name].min()),
        ]
        for name in engines
    }
    say(f"{len(texts)} texts")
    say_table(["seconds", "times as fast", "by CPU time", "mean cosine", "least"], rows, digits=4)
    say_bar("torch, times as fast", faster["torch"], 1.15)
    say_bar("torch, least cosine", float(cosines["torch"].min()), 0.9999)
    say_bar("openvino, times as fast", faster["openvino"], 2.5)


def mixed_texts(data: Path) -> list[str]:
    """Return the same texts at every call: of 1 to LONGEST_WORDS words, from all corpora."""
    chance = np.random.default_rng(0)
    words = [path.read_text(encoding="utf-8").split() for path in sorted((data / "corpora").glob("*.md"))]
    texts = []
    for i in range(N_TEXTS):
        source, length = words[i % len(words)], int(chance.integers(1, LONGEST_WORDS + 1))
        at = int(chance.integers(0, len(source) - length))
        texts.append(" ".join(source[at : at + length]))
    return texts


def _ratio(peer: Sequence[float], own: Sequence[float]) -> float:
    return statistics.median(theirs / ours for theirs, ours in zip(peer, own, strict=True))


def _peer() -> Encode:
    """Return sentence-transformers' encoder, installed into the cache folder if it is not there."""
    folder = cache_folder() / "sentence-transformers"
    if not (folder / "sentence_transformers").exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), *PACKAGES]
        subprocess.run(command, check=True)
    sys.path.append(str(folder))
    from sentence_transformers import SentenceTransformer

    model: Any = SentenceTransformer(str(find_model_folder(PACKAGED)), device="cpu", local_files_only=True)
    return lambda texts: np.asarray(model.encode(list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False))
