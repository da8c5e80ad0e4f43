"""The three designs that come with Pagemill on the chunking kit, and the figures of docs/experiments.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiment.data import design_options
from benchmarks.experiment.half_model import make_half_model
from benchmarks.experiment.plots import plot_budgets, plot_fifteen, plot_strategies
from benchmarks.report import say
from flows.cli.experiment import run_experiment
from schemas.corpus import Corpus
from schemas.options.experiment import ChunkerGrid, ExperimentOptions
from tasks.evaluate.io.compare import compare_evaluations
from tasks.experiment.table import make_recipe_lines

SIZES = (100, 200, 300, 400, 500)
"""Every other size of the design of sizes and budgets, for half of its time."""

Row = Mapping[str, Any]


def run_designs(places: dict[str, str], out: Path, docs: Path) -> None:
    """Measure the designs and the default recipe, print what they found, and draw the figures into `docs`."""
    folder = Corpus(str(out / "designs"))
    default = ExperimentOptions.model_validate({**places, "chunkers": [{"strategy": "sentence"}], "cutoffs": [5]})
    reference = _measure("the default", default, folder)
    strategies = _measure("three strategies", design_options("three-strategies", places), folder)
    plot_strategies([*strategies, *reference], docs / "experiments-strategies.svg")
    fifteen = _measure("fifteen chunkers", design_options("fifteen-chunkers", places, [make_half_model(out)]), folder)
    plot_fifteen(fifteen, docs / "experiments-fifteen.svg")
    budgets = _measure("sizes and budgets", _with_sizes(design_options("sizes-and-budgets", places)), folder)
    plot_budgets(budgets, docs / "experiments-budgets.svg")
    options = default
    for name, other in (("sentence 300/60", "sentence 300"), ("token-window 300", "sentence 300"), ("code 300", "sentence 300")):
        _say_difference(folder, options, _name(budgets, other), _name(budgets, name), "budget_recall", 2500)
    for name in ("structural 2048", "sentence-window 2048"):
        _say_difference(folder, options, _name(strategies, "token-window 500/250"), _name(strategies, name), "recall", 5)


def _measure(title: str, options: ExperimentOptions, folder: Corpus) -> Sequence[Row]:
    say(f"\n{title}")
    outcome = run_experiment(options, folder, recommend=True)
    for line in make_recipe_lines(outcome.recipes):
        say("  " + "  ".join(f"{name} {value}" for name, value in line.items()))
    for told in outcome.told:
        say(f"  {told}")
    return outcome.recipes


def _with_sizes(options: ExperimentOptions) -> ExperimentOptions:
    grids = [ChunkerGrid.model_validate({**grid.root, "size_tokens": list(SIZES)}) for grid in options.chunkers]
    return options.model_copy(update={"chunkers": tuple(grids)})


def _name(rows: Sequence[Row], name: str) -> Row:
    return next(row for row in rows if row["name"].startswith(f"{name},"))


def _say_difference(folder: Corpus, options: ExperimentOptions, a: Row, b: Row, metric: str, cutoff: int) -> None:
    compared = compare_evaluations(folder, a["run_id"], b["run_id"], metric, cutoff, options.scoring("chunks"))
    for one, p in compared.metrics:
        if (one.metric, one.cutoff) == (metric, cutoff):
            interval = "" if one.low is None or one.high is None else f" [{100 * one.low:+.1f} {100 * one.high:+.1f}]"
            say(f"{b['name']} minus {a['name']}: {metric}@{cutoff} {100 * one.difference:+.1f}{interval}, p after Holm {p}")
