"""Memory that runs out for real: with 1 GiB left, and with memory that is taken and given back while texts are embedded."""

from collections.abc import Iterator

import numpy as np

from benchmarks.cuda.card import GIB
from benchmarks.cuda.embedding import large_model
from benchmarks.cuda.engines import A_DOCUMENT, as_vectors, pagemill
from benchmarks.cuda.settings import Setting
from schemas.options.sections import EmbedOptions
from tasks.embed.io.embed import embed_each
from tasks.embed.io.providers import open_provider
from tasks.embed.io.tokenizer import find_model_folder
from tasks.embed.io.torch_engine import read_engine_state
from tasks.embed.vectors import Vectors

LITTLE = GIB // 4
LEAST_COSINE = 0.999
GROUP = 1024
"""Texts between two looks at the batches."""


def measure_memory(setting: Setting) -> None:
    """A.3 with the large model, whose batches need more than is left."""
    texts = setting.texts[: setting.sizes.memory_texts]
    own = pagemill(large_model(setting), setting.card)
    expected = as_vectors(own(texts))
    setting.results.add("memory", "tokens of a batch, all memory free", _batch_tokens(own.options))
    try:
        setting.card.take(GIB)
        _tell_loss(setting, "1 GiB left", texts, expected, as_vectors(own(texts)))
    finally:
        setting.card.give_back()
    tokens, found = _taken_meanwhile(setting, own.options, texts)
    setting.results.series["memory: tokens of a batch, by groups of texts"] = tokens
    _tell_loss(setting, "taken meanwhile", texts, expected, found)
    third = len(tokens) // 3
    setting.results.add("memory", "tokens of a batch, taken meanwhile", min(tokens[third : 2 * third]))
    setting.results.add("memory", "tokens of a batch, given back", tokens[-1], bar=2 * min(tokens[third : 2 * third]))


def _taken_meanwhile(setting: Setting, options: EmbedOptions, texts: list[str]) -> tuple[list[int], Vectors]:
    """Embed in groups; take memory after a third of them and give it back after two. Return batches' tokens, and vectors."""
    starts = range(0, len(texts), GROUP if len(texts) > 3 * GROUP else max(1, len(texts) // 6))
    tokens: list[int] = []
    vectors: list[Vectors] = []

    def read(start: int) -> list[str]:
        return texts[start : start + starts.step]

    try:
        for n, start in enumerate(starts):
            if n == len(starts) // 3:
                setting.card.take(LITTLE)
            if n == 2 * len(starts) // 3:
                setting.card.give_back()
            vectors += _embed(options, read(start))
            tokens.append(_batch_tokens(options))
    finally:
        setting.card.give_back()
    return tokens, np.concatenate(vectors)


def _embed(options: EmbedOptions, texts: list[str]) -> Iterator[Vectors]:
    documents = {at: texts[at : at + A_DOCUMENT] for at in range(0, len(texts), A_DOCUMENT)}
    for _, vectors in embed_each([*documents], documents.__getitem__, lambda _: open_provider(options), options.batch_tokens):
        if isinstance(vectors, Exception):
            raise vectors
        yield vectors


def _batch_tokens(options: EmbedOptions) -> int:
    return read_engine_state(find_model_folder(options.model), options).batch_tokens


def _tell_loss(setting: Setting, when: str, texts: list[str], expected: Vectors, found: Vectors) -> None:
    """Say whether a vector is lost or another one."""
    setting.results.add("memory", f"texts lost, {when}", len(texts) - len(found), bar=0, at_most=True, speed=False)
    least = float((expected * found).sum(axis=1).min())
    setting.results.add("memory", f"least cosine, {when}", least, bar=LEAST_COSINE, speed=False)
