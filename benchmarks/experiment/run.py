"""Measure experiments: how long one takes, and whether it says what an evaluation of a corpus says.

speed: fifteen chunkers by two embedders from nothing, and one chunker more. agreement: recipes of docs/recipes.md by an
experiment and by `pagemill evaluate` on a corpus. designs: the three designs, and the figures of docs/experiments.md.
"""

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from benchmarks.experiment.data import design_options, draw_kit
from benchmarks.experiment.designs import run_designs
from benchmarks.experiment.half_model import make_half_model
from benchmarks.report import cache_folder, kit_folder, parts_to_run, say, say_bar
from flows.cli.experiment import run_experiment
from flows.cli.refresh import run_refresh
from flows.settings import read_refresh_options
from schemas.corpus import Corpus
from schemas.options.experiment import ChunkerGrid, ExperimentOptions
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io import score
from tasks.evaluate.io.logs import score_and_log_evaluation
from tasks.experiment.table import make_recipe_lines

MOST_SECONDS = 1800
MOST_POINTS = 0.1
AGREEING: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"strategy": "sentence", "size_tokens": 128}, "sum", "passages"),
    ({"strategy": "sentence", "size_tokens": 128}, "dense", "chunks"),
    ({"strategy": "recursive", "size_tokens": 200}, "sum", "chunks"),
)
MODES = {"sum": "hybrid", "dense": "dense"}


def run_speed(places: dict[str, str], out: Path) -> None:
    """Print how long the 15 chunkers by two embedders take, started anew, and how long one chunker more takes then."""
    options = design_options("fifteen-chunkers", places, [make_half_model(out)])
    folder = Path(tempfile.mkdtemp(prefix="speed-", dir=out))
    began = time.monotonic()
    found = run_experiment(options, Corpus(str(folder))).recipes
    seconds = time.monotonic() - began
    for line in make_recipe_lines(found):
        say("  ".join(f"{name} {value}" for name, value in line.items()))
    say_bar(f"seconds for {len(found)} recipes", seconds, MOST_SECONDS, at_most=True)
    more = ChunkerGrid.model_validate({"strategy": "recursive", "size_tokens": 200})
    began = time.monotonic()
    found = run_experiment(options.model_copy(update={"chunkers": (*options.chunkers, more)}), Corpus(str(folder))).recipes
    say(f"  one chunker more, {len(found)} recipes: {time.monotonic() - began:.0f} s")


def run_agreement(places: dict[str, str], out: Path) -> None:
    """Print recall and IoU of recipes by an experiment and by an evaluation of a corpus, in percent, and their difference."""
    for chunk, ranking, returned in AGREEING:
        grid = {**places, "chunkers": [chunk], "ranking": [ranking], "returned": [returned], "cutoffs": [5]}
        [row] = run_experiment(ExperimentOptions.model_validate(grid), Corpus(str(out / "agreement"))).recipes
        corpus = Corpus(str(out / f"corpus-{row['recipe']}"))
        run_refresh(places["source"], corpus.uri, read_refresh_options({"chunk": chunk}), dry_run=False, url=None)
        asked = EvaluateOptions.model_validate({"mode": MODES[ranking], "returned": returned, "cutoffs": (5,)})
        evaluation = score.start_evaluation(uuid4().hex, corpus, places["questions"], asked)
        located = score.locate_gold(evaluation)
        logged = score_and_log_evaluation(evaluation, located)
        for metric in ("recall", "iou"):
            ours, theirs = (100 * _value(rows, metric) for rows in (row["metrics"], logged))
            say_bar(f"{row['name']}: {metric} {ours:.2f} and {theirs:.2f}, points apart", abs(ours - theirs), MOST_POINTS, True)


def _value(rows: Sequence[Mapping[str, Any]], metric: str) -> float:
    whole = [row for row in rows if (row["split"], row["domain"], row["metric"]) == ("all", "all", metric) and row["cutoff"] == 5]
    return float(whole[0]["value"])


def main() -> None:
    """Run the parts that are named, or speed and agreement."""
    parts = parts_to_run(__doc__, ("speed", "agreement", "designs"), default=("speed", "agreement"))
    out = cache_folder() / "experiment"
    places = draw_kit(kit_folder("chunking") / "chunking", out / "kit")
    if "speed" in parts:
        run_speed(places, out)
    if "agreement" in parts:
        run_agreement(places, out)
    if "designs" in parts:
        run_designs(places, out, Path(__file__).parents[2] / "docs")


if __name__ == "__main__":
    main()
