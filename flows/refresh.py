"""Refresh: bring a corpus up to date with a folder of documents, and publish it as one new generation."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.filesystems import LocalFileSystem
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.settings import refresh_options
from schemas.ids import digest
from schemas.options import RefreshOptions
from tasks import report, steps
from tasks.adapters.workers import n_workers
from tasks.cleanup import clean_up
from tasks.draft import Draft, make_draft
from tasks.figure_report import figure_sheet
from tasks.job import Job, job, publishing
from tasks.plan import remember_settled
from tasks.rollback import release
from tasks.staging import Batch
from tasks.validate import Verdict, validate
from tasks.write import generation_row, index_tables, merge_draft, publish, restore_published, tag_tables

IN_FLIGHT = 2
"""Batches under way for each worker process: one that is parsed, one that is embedded."""


@flow(name="refresh", flow_run_name="{source} into {corpus}", task_runner=ThreadPoolTaskRunner(max_workers=256))  # type: ignore[arg-type]
def refresh(source: str, corpus: str, options: RefreshOptions | None = None) -> Any:
    """Bring the corpus up to date with the documents in the folder `source`.

    Options that are set here win over PAGEMILL_ variables, and these over pagemill.toml. Returns what was published.
    """
    settings = refresh_options(options.model_dump(exclude_unset=True) if options else {})
    with job(flow_run.get_id() or uuid4().hex, source, corpus, settings) as work:
        if work.plan.nothing:
            return settle(work)
        clock = Clock()
        with clock.phase("parse, describe, chunk, embed"):
            work.staged = process(work)
        with publishing(corpus):
            with clock.phase("draft and validate"):
                restore_published(work.run)
                draft = draft_generation(corpus, work)
                verdict = validate_draft(corpus, work, draft)
            with clock.phase("write, index, publish"):
                row = publish_generation(corpus, work, draft, verdict, write_generation(corpus, work, draft))
            remember_settled(work.listing, corpus, settings, work.run.recipes)
            with clock.phase("clean up"):
                clean_up(work.run)
        return report_refresh(corpus, work, row, verdict, clock.seconds)


@task(task_run_name="draft {title}")
def draft_generation(title: str, work: Job) -> Draft:
    """Write the rows of the plan's documents to files."""
    return make_draft(work.run, work.plan, work.staged)


@task(task_run_name="validate {title}")
def validate_draft(title: str, work: Job, draft: Draft) -> Verdict:
    """Hold the draft against the expectations; a refused one is shown in the UI before the flow fails.

    Raises:
        GateError: the draft is refused.
    """
    verdict = validate(work.run, draft, work.plan.n_source)
    if verdict.refused:
        create_markdown_artifact(
            report.refusal(work.run, verdict), key="refresh-refused", description=f"Refused draft of {title}"
        )
    verdict.check(title)
    return verdict


@task(task_run_name="write {title}")
def write_generation(title: str, work: Job, draft: Draft) -> dict[str, int]:
    """Merge the draft into the tables and index it; return the tables' versions."""
    merge_draft(work.run, draft)
    return index_tables(work.run)


@task(task_run_name="publish {title}")
def publish_generation(title: str, work: Job, draft: Draft, verdict: Verdict, versions: dict[str, int]) -> dict[str, Any]:
    """Tag the versions and publish them as one row of `generations`."""
    tag_tables(work.run.corpus, work.run.base + 1, versions)
    row = generation_row(work.run, draft, versions, verdict)
    publish(work.run.corpus, row)
    return row


@task(task_run_name="report on {title}")
def report_refresh(title: str, work: Job, row: dict[str, Any], verdict: Verdict, seconds: dict[str, float]) -> dict[str, Any]:
    """Leave the run's artifacts in the UI; return what the command line prints."""
    text = report.summary(work.run, row, seconds, work.staged, verdict)
    create_markdown_artifact(text, key="refresh-summary", description=f"Refresh of {title}")
    if sheet := figure_sheet(corpus=work.run.corpus, run_id=work.run.run_id):
        create_markdown_artifact(sheet, key="refresh-figures", description=f"Figures of {title}")
    rejects = report.reject_rows(work.run.corpus)
    create_table_artifact(rejects[: report.MAX_REJECTS], key="refresh-rejects", description=f"{len(rejects)} rejects in {title}")
    return report.outcome(work.run, row, seconds, work.staged, rejects)


def settle(work: Job) -> Any:
    """Finish a refresh that has nothing to do: nothing is written but the end of a hold."""
    run = work.run
    generation = release(run.corpus, run.run_id) if run.options.publish.release and work.held else run.base
    with publishing(run.corpus):
        remember_settled(work.listing, run.corpus, run.options, run.recipes)
    return Completed(name="nothing changed", message=f"{work.plan.unchanged} documents unchanged, generation {generation}")


def process(work: Job) -> list[Batch]:
    """Take every batch through the steps, a bounded number of batches at once."""
    storage = LocalFileSystem(basepath=str(work.results))
    storage.save(f"pagemill-{digest(work.run.corpus)}", overwrite=True)
    chain = [
        step.with_options(result_storage=storage)
        for step in (steps.parse_batch, steps.describe_batch, steps.chunk_batch, steps.embed_batch)
    ]
    room = IN_FLIGHT * n_workers(work.run.options.limits)
    under_way: list[PrefectFuture[Batch]] = []
    for batch in work.batches():
        if len(under_way) >= room:
            under_way[-room].wait()
        staged: Any = batch
        for step in chain:
            staged = step.submit(staged, work.run)
        under_way.append(staged)
    return [future.result() for future in under_way]


class Clock:
    """Seconds that the phases of a run took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure what happens inside."""
        started = time.monotonic()
        yield
        self.seconds[name] = round(time.monotonic() - started, 2)
