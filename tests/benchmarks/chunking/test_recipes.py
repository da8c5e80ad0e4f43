import numpy as np

from benchmarks.chunking.recipes import DEFAULT, best, recipes
from benchmarks.chunking.retrieval import Measured
from schemas.options.sections import ChunkOptions, EvaluateOptions


def measured(recall: list[float], iou: list[float]) -> Measured:
    return Measured(np.array(recall), np.array(iou), 10, 0)


def test_the_best_recipe_finds_enough_and_of_those_is_the_most_exact() -> None:
    found = {
        "broad": measured([1, 1, 1, 1], [0.02, 0.02, 0.02, 0.02]),
        "exact": measured([1, 0.8, 0, 0], [0.09, 0.09, 0.01, 0.01]),
        "narrow": measured([0.5, 0.5, 0.5, 0.5], [0.2, 0.2, 0.2, 0.2]),
    }
    first = np.array([True, True, False, False])
    assert best(found, first) == "exact"
    assert best(found, ~first) == "broad"
    del found["broad"]
    assert best(found, ~first) == "narrow"


def test_what_is_called_the_default_is_the_default() -> None:
    [recipe] = [recipe for recipe in recipes() if recipe.title == DEFAULT]
    assert recipe.chunk.facts() == ChunkOptions().facts()
    assert recipe.ranking == "sum" and EvaluateOptions().mode == "hybrid"
    assert recipe.returned == EvaluateOptions().returned
