import numpy as np
import pytest

from schemas.options.experiment import ExperimentOptions
from tasks.experiment.recommendation import Candidate, choose_recipe, describe_rule

OPTIONS = ExperimentOptions.model_validate({"source": "s", "questions": "q", "chunkers": [{}], "bootstrap_samples": 100})
N = 60
DOCUMENTS = {str(number): f"{number % 7}.txt" for number in range(N)}


def scores(mean: float, seed: int = 0) -> dict[str, float]:
    values = np.random.default_rng(seed).uniform(-0.02, 0.02, N) + mean
    return {str(number): float(value) for number, value in enumerate(values)}


def candidate(name: str, iou: float, recall: float, default: bool = False, seconds: float = 1.0) -> Candidate:
    return Candidate(name, name, name != "rrf", default, seconds, scores(iou), scores(recall, seed=len(name)))


def test_the_most_exact_of_those_that_find_enough_is_recommended() -> None:
    exact, good, broad = candidate("exact", 0.3, 0.5), candidate("good", 0.2, 0.9), candidate("broad", 0.1, 0.9001)
    made = choose_recipe([broad, exact, good], DOCUMENTS, OPTIONS)
    assert made.chosen is good and made.runner_up is broad
    assert [one.name for one, _ in made.refused] == ["exact"]
    iou, recall = made.against_runner_up
    assert iou.difference == pytest.approx(0.1) and iou.won == N
    assert recall.metric == "recall" and abs(recall.difference) < 0.01


def test_a_recipe_that_no_corpus_can_have_is_measured_but_not_recommended() -> None:
    fused, good = candidate("rrf", 0.3, 0.9), candidate("sum", 0.2, 0.9)
    assert choose_recipe([fused, good], DOCUMENTS, OPTIONS).chosen is good
    with pytest.raises(ValueError, match="no recipe that a corpus can have"):
        choose_recipe([fused], DOCUMENTS, OPTIONS)


def test_of_equal_recipes_the_cheaper_one_is_recommended() -> None:
    dear, cheap = candidate("a", 0.2, 0.9, seconds=9.0), candidate("b", 0.2, 0.9, seconds=2.0)
    assert choose_recipe([dear, cheap], DOCUMENTS, OPTIONS).chosen is cheap


def test_the_default_is_compared_even_if_it_is_refused() -> None:
    made = choose_recipe([candidate("new", 0.2, 0.9), candidate("default", 0.1, 0.5, default=True)], DOCUMENTS, OPTIONS)
    assert made.default is not None and made.default.name == "default"
    assert made.runner_up is None and made.against_runner_up == []
    assert [one.metric for one in made.against_default] == ["iou", "recall"]
    itself = choose_recipe([candidate("default", 0.2, 0.9, default=True)], DOCUMENTS, OPTIONS)
    assert itself.default is itself.chosen and itself.against_default == []


def test_the_rule_names_its_metrics_cutoff_and_level() -> None:
    assert describe_rule(OPTIONS) == (
        "the highest iou@5 of the recipes whose recall@5 is not significantly below the best "
        "(paired permutation test, p < 0.05 after Holm's correction)"
    )
