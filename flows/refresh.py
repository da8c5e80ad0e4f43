"""Refresh: bring a corpus up to date with a folder of documents, and publish it as one new generation.

`flows.pipeline` has the order of the steps. Here the steps are Prefect tasks, and their results are shown in the UI.
"""

from typing import Annotated, Any
from uuid import uuid4

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed, Failed
from pydantic import Field

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.pipeline import Calls, finish_unchanged_refresh, run_pipeline
from flows.settings import configure_object_store, read_refresh_options
from flows.ui import name_refresh_run, show_corpus_status, show_progress_artifact, tag_run_with_corpus
from schemas.corpus import Corpus
from schemas.errors import GateError
from schemas.events import REFUSED
from schemas.options.sections import RefreshOptions
from schemas.references import RefreshOutcome
from tasks.publish.io.reports import report
from tasks.publish.io.steps import Versions
from tasks.publish.tasks import draft_generation, make_publish_task, report_refresh, validate_draft, write_generation
from tasks.publish.verdict import Verdict
from tasks.refresh.io.job import Job, open_job
from tasks.refresh.run import Run
from tasks.refresh.tasks import make_step_tasks

NO_PASSWORD = r"^(?![^/]*://[^/]*:[^/@]*@)"
"""The server refuses a run whose source has a password in its address, before the run and its parameters are kept."""

SourceUrl = Annotated[str, Field(json_schema_extra={"pattern": NO_PASSWORD})]


@flow(name="refresh", flow_run_name=name_refresh_run)
def refresh(source: SourceUrl, corpus: str, options: RefreshOptions | None = None) -> Any:
    """Bring the corpus up to date with the documents of `source`.

    Options that are set here take precedence over PAGEMILL_ variables, and these over pagemill.toml. Returns what was published.

    Args:
        source: folder of documents, or the URL of a source without a password
        corpus: folder of the corpus, made if it is new
        options: options of this run alone; None: those of pagemill.toml
    """
    settings = read_refresh_options(options.model_dump(exclude_unset=True) if options else {})
    check_run_parameters(source=source, corpus=corpus, options=settings.model_dump())
    configure_object_store(source, corpus)
    run_id = flow_run.get_id() or uuid4().hex
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        with open_job(source, Corpus(corpus), settings) as job:
            state = carry_out_plan_of_job(job, run_id)
        show_corpus_status(corpus)
    return state


def carry_out_plan_of_job(job: Job, run_id: str) -> State[RefreshOutcome]:
    """Carry out the plan of a job; return the state that the run ends in."""
    if job.plan.has_nothing_to_do:
        generation = finish_unchanged_refresh(job, run_id)
        return Completed(name="nothing changed", message=f"{job.plan.unchanged} documents unchanged, generation {generation}")
    try:
        with job.start(run_id), show_progress_artifact(job):
            outcome = run_pipeline(job, make_task_calls(job))
    except GateError as error:
        return Failed(name=REFUSED, message=str(error), data=error)
    return Completed(message=report.format_headline(outcome["generation"], outcome["counts"]), data=outcome)


def make_task_calls(job: Job) -> Calls:
    """Return the calls of a refresh as Prefect tasks."""
    return Calls(
        steps=make_step_tasks(job.run, job.steps),
        draft=draft_generation,
        validate=validate_draft,
        write=write_generation,
        examine=_examine,
        publish=make_publish_task(job.run),
        report=report_refresh,
    )


def _examine(title: str, run: Run, verdict: Verdict, versions: Versions) -> Verdict:
    from tasks.evaluate.tasks import examine_draft  # most refreshes need none of it

    examined: Verdict = examine_draft(title, run, verdict, versions)
    return examined
