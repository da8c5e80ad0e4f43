"""Embedding beside sentence-transformers, where the time goes, and how like the vectors are to those of the CPU in 32 bits."""

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.cuda.engines import Peer, as_vectors, pagemill
from benchmarks.cuda.models import drawn_bert, operations
from benchmarks.cuda.settings import Setting, Shape
from benchmarks.cuda.timeline import seconds_by_kind, spans
from tasks.embed.batching import MOST_TOKENS, Budget, run_in_batches
from tasks.embed.io.embed import choose_group_size
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.embed.io.torch_engine import read_engine_state

MINILM = Shape(hidden=384, layers=6, heads=12, inner=1536)
NEAREST = 10
FASTER, CHUNKS_A_SECOND, LARGE_FASTER, MOST_PADDING, LEAST_COSINE, LEAST_SHARED = 2.5, 20_000, 1.5, 0.05, 0.9995, 0.98
"""What embedding must reach: times as fast as the peer, chunks a second, padding of all tokens, cosines, nearest in common."""


def measure_embedding(setting: Setting) -> None:
    """A.1 with the packaged model: the rates of both, and where the time goes."""
    texts = setting.texts[: setting.sizes.chunks]
    lengths = [min(n, 256) for n in load_tokenizer(find_model_folder(PACKAGED)).count(texts)]
    add = setting.results.add
    add("embedding", "tokens of a chunk in the mean", float(np.mean(lengths)), f"of {len(texts):,}")
    setting.results.series["tokens of chunks, deciles"] = np.quantile(lengths, np.linspace(0, 1, 11)).tolist()
    own, peer = _both(setting, "embedding", find_model_folder(PACKAGED), texts, setting.sizes.trial_chunks)
    add("embedding", "Pagemill", own, "chunks a second", CHUNKS_A_SECOND, note=_how(setting, find_model_folder(PACKAGED)))
    add("embedding", "times as fast as sentence-transformers", own / peer, bar=FASTER)
    _tell_rate(setting, "embedding", own / len(texts) * operations(MINILM, lengths))
    add("embedding", "padding of all tokens", padding(setting, lengths), bar=MOST_PADDING, at_most=True)
    _tell_time(setting, texts)


def measure_large(setting: Setting) -> None:
    """A.1 with a model of e5-large's shape and drawn weights."""
    texts, shape = setting.texts[: setting.sizes.large_chunks], setting.sizes.large
    folder = large_model(setting)
    own, peer = _both(setting, "large model", folder, texts, setting.sizes.large_trial)
    setting.results.add("large model", "Pagemill", own, "chunks a second", note=_how(setting, folder))
    setting.results.add("large model", "times as fast as sentence-transformers", own / peer, bar=LARGE_FASTER)
    lengths = load_tokenizer(folder).count(texts)
    _tell_rate(setting, "large model", own / len(texts) * operations(shape, lengths))


def large_model(setting: Setting) -> Path:
    """Return the folder of the large model, drawn once."""
    folder = setting.folder / "large"
    return folder if folder.exists() else drawn_bert(folder, setting.sizes.large)


def measure_equality(setting: Setting) -> None:
    """A.2: each vector beside that of the CPU in float32, and the nearest texts by both."""
    texts = setting.texts[: setting.sizes.equal_texts]
    exact = as_vectors(pagemill(PACKAGED, setting.card, device="cpu", dtype="float32")(texts))
    found = as_vectors(pagemill(PACKAGED, setting.card)(texts))
    cosines = (exact * found).sum(axis=1)
    for what, value in (("least cosine", cosines.min()), ("mean cosine", cosines.mean())):
        setting.results.add("equality", what, float(value), f"of {len(texts):,}", LEAST_COSINE, speed=False)
    shared = nearest_in_common(exact, found)
    setting.results.add("equality", "share of the ten nearest in common", shared, bar=LEAST_SHARED, speed=False)


def nearest_in_common(left: Any, right: Any) -> float:
    """Return which share of the NEAREST of each row is the same by both sets of vectors of length 1.

    >>> nearest_in_common(np.eye(30), np.eye(30))
    1.0
    """
    nearest = []
    for vectors in (left, right):
        products = vectors @ vectors.T
        np.fill_diagonal(products, -np.inf)
        nearest.append(np.argsort(-products, axis=1, kind="stable")[:, :NEAREST])
    return float(np.mean([len({*a} & {*b}) / len(a) for a, b in zip(*(rows.tolist() for rows in nearest), strict=True)]))


def padding(setting: Setting, lengths: Sequence[int]) -> float:
    """Return the share of padding among all tokens that the device is given, once batches have grown."""
    options = pagemill(PACKAGED, setting.card).options
    budget = Budget(max(MOST_TOKENS if setting.card.device == "cuda" else 0, options.batch_tokens), fixed=True)
    given = 0
    for start, end in pairwise([*range(0, len(lengths), choose_group_size(options)), len(lengths)]):
        part = lengths[start:end]
        batches: list[list[int]] = []
        run_in_batches(part, budget, batches.append, lambda error: False)
        given += sum(len(rows) * part[rows[0]] for rows in batches)
    return 1 - sum(lengths) / given


def time_call(setting: Setting, call: Callable[[], Any]) -> float:
    """Return the seconds of a call, until the device is done."""
    began = time.perf_counter()
    call()
    setting.card.wait()
    return time.perf_counter() - began


def _how(setting: Setting, folder: Path) -> str:
    state = read_engine_state(folder, pagemill(folder, setting.card).options)
    return f"{state.dtype}, batches of {state.batch_tokens:,} tokens"


def _both(setting: Setting, part: str, folder: Path, texts: Sequence[str], n_trial: int) -> tuple[float, float]:
    """Return the chunks a second of Pagemill and of its peer with its best batches and type, in turns, medians of the rounds."""
    own = pagemill(folder, setting.card)
    own(texts[:n_trial])
    peer = _best_peer(setting, part, folder, texts[:n_trial])
    seconds: dict[str, list[float]] = {"Pagemill": [], "sentence-transformers": []}
    for _ in range(setting.sizes.rounds):
        seconds["sentence-transformers"].append(time_call(setting, lambda: peer(texts)))
        seconds["Pagemill"].append(time_call(setting, lambda: own(texts)))
    rates = {name: len(texts) / median(found) for name, found in seconds.items()}
    setting.results.series[f"{part}: seconds"] = [seconds]
    best = f"{peer.dtype}, batches of {peer.batch}"
    setting.results.add(part, "sentence-transformers", rates["sentence-transformers"], "chunks a second", note=best)
    peer.close()
    return rates["Pagemill"], rates["sentence-transformers"]


def _best_peer(setting: Setting, part: str, folder: Path, texts: Sequence[str]) -> Peer:
    """Return the peer with the type and the size of batches that embed `texts` fastest."""
    rates: dict[tuple[str, int], float] = {}
    for dtype in setting.sizes.peer_dtypes:
        peer = Peer(folder, setting.card, dtype)
        for peer.batch in setting.sizes.peer_batches:
            peer(texts[: len(texts) // 4])
            rates[dtype, peer.batch] = len(texts) / time_call(setting, lambda peer=peer: peer(texts))  # type: ignore[misc]
        peer.close()
    setting.results.series[f"{part}: peer's rates"] = [[*key, rate] for key, rate in rates.items()]
    dtype, batch = max(rates, key=lambda key: rates[key])
    best = Peer(folder, setting.card, dtype)
    best.batch = batch
    best(texts)
    return best


def _tell_rate(setting: Setting, part: str, operations_a_second: float) -> None:
    """Say which share of the rate that the card reaches in large products the model takes."""
    peak = setting.card.matrix_rate()
    if peak is None:
        return
    setting.results.add(part, "rate of large matrix products", peak / 1e12, "TFLOP/s")
    setting.results.add(part, "share of that rate", operations_a_second / peak)


def _tell_time(setting: Setting, texts: Sequence[str]) -> None:
    """Say how long tokenising takes by itself, and what the device does meanwhile."""
    own = pagemill(PACKAGED, setting.card)
    alone = time_call(setting, lambda: load_tokenizer(find_model_folder(PACKAGED)).encode(texts))
    setting.results.add("embedding", "tokenising alone", len(texts) / alone, "chunks a second")
    trace = setting.folder / "trace.json"
    part = texts[: 2 * choose_group_size(own.options)]
    if setting.card.traced(lambda: own(part), trace):
        seconds = seconds_by_kind(spans(trace))
        setting.results.series["embedding: seconds of the device"] = [seconds]
        for kind, spent in seconds.items():
            setting.results.add("embedding", f"device: {kind}", 1e6 * spent / len(part), "µs a chunk")
