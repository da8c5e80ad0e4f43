"""The Prefect tasks of an experiment. Each takes and returns values, and can be retried on its own."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.experiment.grid import Cell
from tasks.experiment.io import run
from tasks.experiment.io.plan import Plan
from tasks.experiment.io.run import Outcome, Prepared
from tasks.experiment.table import make_recipe_lines
from tasks.publish.escaping import format_titled_markdown_table
from tasks.publish.io.reports.artifacts import create_artifact


@task(task_run_name="prepare documents of {title}", cache_policy=NO_CACHE)
def prepare_documents(title: str, plan: Plan) -> Prepared:
    """Parse and describe the documents, and find the gold of the questions."""
    return run.parse_documents_and_locate_gold(plan)


@task(task_run_name="measure {title}", cache_policy=NO_CACHE)
def measure_cell(title: str, plan: Plan, prepared: Prepared, cell: Cell) -> int:
    """Cut, embed, search and score: everything that one chunker and one embedder share."""
    return run.measure_cell(plan, prepared, cell)


@task(task_run_name="report on {title}", cache_policy=NO_CACHE)
def report_experiment(title: str, plan: Plan, recommend: bool) -> Outcome:
    """Show the means of every configuration in the UI; return them, with the recommendation if it is wanted."""
    outcome = run.finish_experiment(plan, recommend)
    create_artifact(
        "experiment",
        plan.out.uri,
        format_titled_markdown_table("Experiment", make_recipe_lines(outcome.recipes)),
        f"{len(outcome.recipes)} configurations in",
    )
    return outcome
