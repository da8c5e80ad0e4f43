"""Experiment: compare recipes on a folder of documents and questions whose answers are known, without a corpus."""

from prefect import flow

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.ui import tag_run_with_corpus
from schemas.corpus import Corpus
from schemas.options.experiment import ExperimentOptions
from tasks.experiment.io.run import Outcome, find_unfinished_cells, plan_and_lock_experiment
from tasks.experiment.tasks import measure_cell, prepare_documents, report_experiment
from tasks.publish.io.reports.names import name_corpus


@flow(name="experiment", flow_run_name="experiment in {out}")
def experiment(options: ExperimentOptions, out: str, recommend: bool = False) -> Outcome:
    """Measure every configuration that the folder `out` does not hold yet; return what is known of each.

    With `recommend`, a recipe is recommended, and its pagemill.toml is written into the folder.

    A run that was killed and is started again measures only what is missing.

    Args:
        options: documents, questions, and the recipes to compare
        out: folder of the results
        recommend: name the recipe to use, and write its pagemill.toml
    """
    check_run_parameters(out=out, options=options.model_dump())
    with send_logs_to_flow_run(), tag_run_with_corpus(out), plan_and_lock_experiment(options, Corpus(out)) as plan:
        if cells := find_unfinished_cells(plan):
            prepared = prepare_documents(name_corpus(options.source), plan)
            for cell in cells:
                measure_cell(cell.name, plan, prepared, cell)
        return report_experiment(name_corpus(out), plan, recommend)
