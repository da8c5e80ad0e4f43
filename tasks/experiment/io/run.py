"""Run: the steps of an experiment, from the plan to the table of its results. Each is a function of values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from schemas.corpus import Corpus
from schemas.options.experiment import ExperimentOptions
from schemas.references import Frozen
from tasks.evaluate.io.score import LocatedQuestions
from tasks.experiment.grid import Cell
from tasks.experiment.io.documents import describe_missing_documents
from tasks.experiment.io.judging import write_judging_sheet
from tasks.experiment.io.log import find_finished_runs, log_cell_results, log_document_texts
from tasks.experiment.io.measure import locate_gold, search_and_score
from tasks.experiment.io.plan import Plan, plan_experiment
from tasks.experiment.io.recommend import describe_recommendation, make_recommendation, write_recommended_settings
from tasks.experiment.table import MeasuredRecipe
from tasks.store import conditions, lance, published
from tasks.store.locks import hold_lock


class Prepared(Frozen):
    """Questions with their gold, and the documents that could not be read."""

    located: LocatedQuestions
    n_unread: int


class Outcome(NamedTuple):
    """What is known of each configuration, and lines for people: the recommendation, and what was written."""

    recipes: list[MeasuredRecipe]
    told: list[str]


@contextmanager
def plan_and_lock_experiment(options: ExperimentOptions, out: Corpus) -> Iterator[Plan]:
    """Plan an experiment, and hold its folder: nobody else measures there meanwhile.

    Raises:
        InputError: see `plan_experiment`.
        ConflictError: another experiment is under way in the folder.
    """
    plan = plan_experiment(options, out)
    with hold_lock(out.lock("experiment"), 0, f"an experiment in {out}"), lance.explain_failed_writes(out):
        yield plan


def parse_documents_and_locate_gold(plan: Plan) -> Prepared:
    """Parse and describe the documents, keep their texts, and find the gold of the questions."""
    unread = describe_missing_documents(plan)
    located = locate_gold(plan)
    log_document_texts(plan)
    return Prepared(located=located, n_unread=len(unread))


def find_unfinished_cells(plan: Plan) -> list[Cell]:
    """Return the cells with the configurations that are still to be measured."""
    done = find_finished_runs(plan.out, [one.run_id for cell in plan.cells for one in cell.configurations])
    left = [(cell, tuple(one for one in cell.configurations if one.run_id not in done)) for cell in plan.cells]
    return [cell.model_copy(update={"configurations": missing}) for cell, missing in left if missing]


def measure_cell(plan: Plan, prepared: Prepared, cell: Cell) -> int:
    """Measure and log the configurations of a cell; return their number."""
    measured = search_and_score(plan, prepared.located, cell, cell.configurations)
    log_cell_results(plan, prepared.located, cell, measured)
    return len(measured.results)


def read_measured_recipes(plan: Plan) -> list[MeasuredRecipe]:
    """Return the row of RECIPES of each configuration, in their order; `metrics` are its rows of METRICS over all questions."""
    ids = [one.run_id for cell in plan.cells for one in cell.configurations]
    of_these = conditions.make_in_condition("run_id", ids)
    recipes = {row["run_id"]: row for row in published.read_log(plan.out, "recipes", None, of_these).to_pylist()}
    whole = f"{of_these} AND split = 'all' AND domain = 'all'"
    for row in published.read_log(plan.out, "metrics", None, whole).to_pylist():
        recipes[row["run_id"]].setdefault("metrics", []).append(row)
    return [recipes[run_id] for run_id in ids if run_id in recipes]


def finish_experiment(plan: Plan, recommend: bool) -> Outcome:
    """Return the results; write the sheet for people if the plan wants one, and name a recipe if that is wanted."""
    found = read_measured_recipes(plan)
    sheet = [f"to be judged: {write_judging_sheet(plan, found)}"] if plan.options.judged else []
    return Outcome(found, [*(recommend_recipe(plan, found) if recommend else []), *sheet])


def recommend_recipe(plan: Plan, found: Sequence[MeasuredRecipe]) -> list[str]:
    """Write a pagemill.toml for the recipe that the plan's rule recommends; return its evidence in lines for people."""
    made = make_recommendation(plan, found)
    lines = describe_recommendation(plan, found, made)
    return [*lines, f"written: {write_recommended_settings(plan, made, lines)}"]
