"""Refresh: bring a corpus up to date with a folder of documents, and publish it as one new generation.

The course of it stands in `flows.course`; here its calls are Prefect's tasks, and what they did is shown in the UI.
"""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run
from prefect.states import Completed

from flows import course
from flows.course import Calls, carry_out, settle
from flows.logs import run_logs
from flows.progress_artifact import shown_in_ui
from flows.settings import refresh_options
from flows.ui import refresh_name, tagged
from schemas.corpus import Corpus
from schemas.options.sections import RefreshOptions
from schemas.references import StepDone
from tasks.publish.io import report
from tasks.publish.io.artifacts import leave, link
from tasks.publish.io.contact_sheet import figure_sheet
from tasks.publish.io.draft import Draft
from tasks.publish.io.summary import refusal, rejects_sheet, summary
from tasks.publish.io.validate import Verdict
from tasks.refresh.io.job import Job, job
from tasks.refresh.tasks import step_tasks
from tasks.search.io.listings import reject_table


@flow(name="refresh", flow_run_name=refresh_name)
def refresh(source: str, corpus: str, options: RefreshOptions | None = None) -> Any:
    """Bring the corpus up to date with the documents in the folder `source`.

    Options that are set here win over PAGEMILL_ variables, and these over pagemill.toml. Returns what was published.
    """
    settings = refresh_options(options.model_dump(exclude_unset=True) if options else {})
    run_id = flow_run.get_id() or uuid4().hex
    with run_logs(), tagged(corpus), job(source, Corpus(corpus), settings) as work:
        if work.plan.nothing:
            generation = settle(work, run_id)
            return Completed(
                name="nothing changed", message=f"{work.plan.unchanged} documents unchanged, generation {generation}"
            )
        with work.begun(run_id), shown_in_ui(work):
            outcome = carry_out(work, as_tasks(work))
        return Completed(message=report.headline(outcome), data=outcome)


def as_tasks(work: Job) -> Calls:
    """Return the calls of a refresh as Prefect tasks."""
    return Calls(
        steps=step_tasks(work.run),
        draft=draft_generation,
        validate=validate_draft,
        write=write_generation,
        publish=publish_generation,
        report=report_refresh,
    )


@task(task_run_name="draft {title}", cache_policy=NO_CACHE)
def draft_generation(title: str, work: Job, done: Sequence[StepDone]) -> Draft:
    """Write the rows of the plan's documents to files."""
    return course.draft_generation(title, work, done)


@task(task_run_name="validate {title}", cache_policy=NO_CACHE)
def validate_draft(title: str, work: Job, draft: Draft) -> Verdict:
    """Hold the draft against the expectations; a refused one is shown in the UI before the flow fails.

    Raises:
        GateError: the draft is refused.
    """
    verdict = course.validate_draft(title, work, draft)
    if verdict.refused:
        leave("refresh-refused", work.corpus.uri, refusal(work.run, verdict), "Refused draft of")
    verdict.check(work.corpus)
    return verdict


@task(task_run_name="write {title}", cache_policy=NO_CACHE)
def write_generation(title: str, work: Job, draft: Draft) -> dict[str, int]:
    """Merge the draft into the tables and index it; return the tables' versions."""
    return course.write_generation(title, work, draft)


@task(task_run_name="publish {title}", cache_policy=NO_CACHE)
def publish_generation(title: str, work: Job, draft: Draft, verdict: Verdict, versions: dict[str, int]) -> dict[str, Any]:
    """Tag the versions and publish them as one row of `generations`."""
    return course.publish_generation(title, work, draft, verdict, versions)


@task(task_run_name="report on {title}", cache_policy=NO_CACHE)
def report_refresh(title: str, work: Job, outcome: dict[str, Any], verdict: Verdict) -> None:
    """Leave the run's artifacts in the UI."""
    leave("refresh-summary", work.corpus.uri, summary(work.run, work.plan, outcome, verdict, link()), "Refresh of")
    if sheet := figure_sheet(work.corpus, work.run.run_id):
        leave("refresh-figures", work.corpus.uri, sheet, "Figures of")
    rejects = reject_table(work.corpus)
    leave("refresh-rejects", work.corpus.uri, rejects_sheet(rejects), f"{rejects.num_rows} rejects in")
