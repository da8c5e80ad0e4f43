"""Recipes side by side, the default by corpus, and what the best recipe of one half of the questions is worth on the other.

The best recipe of a set of questions has the highest IoU among those that find LEAST_RECALL; if none does, the highest sum of
recall and four times IoU.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.chunking.retrieval import Bench, Measured, Recipe, format_mean
from benchmarks.report import say
from schemas.options.experiment import Ranking
from schemas.options.search import Returned
from schemas.options.sections import ChunkOptions

LEAST_RECALL = 0.88
DEFAULT = "sentence 128, sum, passages"
"""The title of what `pagemill refresh` and `pagemill search` do unless they are told otherwise."""


RANKED: dict[str, tuple[Ranking, Returned]] = {
    "dense": ("dense", "chunks"),
    "lexical": ("lexical", "chunks"),
    "rrf": ("rrf", "chunks"),
    "sum": ("sum", "chunks"),
    "dense+": ("dense", "passages"),
    "sum+": ("sum", "passages"),
    "sum^": ("sum", "parents"),
}
"""How chunks are ranked and returned, by a short name."""


def _chunkings() -> Iterator[tuple[str, ChunkOptions, tuple[str, ...]]]:
    """Yield a name, how to cut, and short names of RANKED."""

    def options(strategy: Any, size: int, **own: Any) -> ChunkOptions:
        return ChunkOptions(strategy=strategy, size_tokens=size, **own)

    full = ("dense", "lexical", "rrf", "sum", "dense+", "sum+")
    yield "recursive 200/0", options("recursive", 200), ("dense", "sum", "sum+")
    yield "token-window 250/125", options("token-window", 250, overlap_tokens=125), ("dense", "sum")
    yield "sentence 128", options("sentence", 128), full
    yield "sentence 200", options("sentence", 200), ("dense", "sum", "sum+")
    yield "sentence 256", options("sentence", 256), ("sum", "sum+")
    yield "sentence 64", options("sentence", 64), ("sum", "sum+")
    yield "sentence 96", options("sentence", 96), ("sum", "sum+")
    yield "sentence 160", options("sentence", 160), ("dense", "sum", "sum+")
    yield "sentence 256/75", options("sentence", 256, overlap_tokens=75), ("sum",)
    yield (
        "sentence 128 with title and section",
        options("sentence", 128, context=("title", "section", "header", "caption")),
        ("sum+",),
    )
    yield "recursive 128/0", options("recursive", 128), ("sum", "sum+")
    yield "token-window 128/0", options("token-window", 128), ("sum", "sum+")
    yield "token-window 500/250, truncated", options("token-window", 500, overlap_tokens=250), ("sum",)
    yield "sentence-window 10/3", options("sentence-window", 256), ("sum",)
    yield "structural 256", options("structural", 256), ("sum",)
    yield "semantic-percentile 95", options("semantic-percentile", 256), ("sum",)
    yield "semantic-percentile 75", options("semantic-percentile", 256, percentile=75.0), ("sum", "sum+")
    yield "semantic-threshold 0.5", options("semantic-threshold", 256), ("sum",)
    yield "semantic-merge 0.5", options("semantic-merge", 256), ("sum",)
    yield "cluster 200", options("cluster", 200), ("sum", "sum+")
    yield "parent-child 128 in 1000", options("parent-child", 128), ("sum^", "sum+")
    yield "adaptive 128", options("adaptive", 128), ("sum+",)


def recipes() -> list[Recipe]:
    """Return the recipes that are compared."""
    return [Recipe(name, chunk, *RANKED[short]) for name, chunk, rankings in _chunkings() for short in rankings]


def run_recipes(bench: Bench, wanted: str) -> None:
    """Print recall and IoU of every recipe whose title the expression `wanted` matches, with 95 % bootstrap intervals.

    Of chunks that are cut, the embedder sees the first 256 tokens only.
    """
    found: dict[str, Measured] = {}
    say(f"{'recipe (* the default)':<60} {'chunks':>6} {'cut':>5} {'recall':>19} {'IoU':>16}")
    for recipe in (recipe for recipe in recipes() if re.search(wanted, recipe.title)):
        found[recipe.title] = measured = bench.measure(recipe)
        name = recipe.title + " *" * (recipe.title == DEFAULT)
        counts = f"{measured.n_chunks:>6} {measured.n_too_long:>5}"
        say(f"{name:<60} {counts} {format_mean(measured.recall):>19} {format_mean(measured.iou):>16}")
    if DEFAULT in found:
        _say_corpora(bench, found[DEFAULT])
        _say_halves(found)


def _say_corpora(bench: Bench, measured: Measured) -> None:
    say(f"\n{'the default, by corpus':<60} {'asked':>12} {'recall':>19} {'IoU':>16}")
    for corpus in bench.texts:
        of = bench.corpora == corpus
        say(f"{corpus:<60} {of.sum():>12} {format_mean(measured.recall[of]):>19} {format_mean(measured.iou[of]):>16}")


def _say_halves(found: Mapping[str, Measured]) -> None:
    """Print what the best recipe of each half of the questions scores there and on the other half, and the default beside it."""
    odd = np.arange(len(found[DEFAULT].recall)) % 2 == 1
    say(f"\n{'held-out check':<73} {'recall':>19} {'IoU':>16}")
    for name, half in (("odd", odd), ("even", ~odd)):
        chosen = best(found, half)
        say(f"best on the {name} questions: {chosen}")
        places = (("there", chosen, half), ("on the others", chosen, ~half), ("the default on the others", DEFAULT, ~half))
        for where, title, of in places:
            say(f"  {where:<71} {format_mean(found[title].recall[of]):>19} {format_mean(found[title].iou[of]):>16}")


def best(found: Mapping[str, Measured], of: Any) -> str:
    """Return the title of the best recipe for the questions that the mask `of` names."""
    means = {title: (float(measured.recall[of].mean()), float(measured.iou[of].mean())) for title, measured in found.items()}
    good = {title: iou for title, (recall, iou) in means.items() if recall >= LEAST_RECALL}
    scores = good or {title: recall + 4 * iou for title, (recall, iou) in means.items()}
    return max(scores, key=scores.__getitem__)
