"""The course of a refresh: the order of its steps, which are called as Prefect tasks or as plain functions."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flows.clock import Clock
from schemas.errors import GateError, ServiceError
from schemas.references import Batch, RefreshOutcome, StepDone
from schemas.staged import STEPS
from tasks.observe.io.refresh import observe_refresh
from tasks.publish.io.cleanup import clean_up_corpus
from tasks.publish.io.draft import Draft
from tasks.publish.io.reports import report
from tasks.publish.io.reports.names import name_corpus
from tasks.publish.io.rollback import release_rollback_hold
from tasks.publish.io.run_log import log_ended_run
from tasks.publish.io.steps import Generation, Versions, draft_generation, publish_generation, validate_draft, write_generation
from tasks.publish.io.validate import count_new_rows_by_format
from tasks.publish.io.write import load_table_libraries, restore_published_tables, sync_tables_to_disk
from tasks.publish.verdict import Verdict
from tasks.refresh.io.dask.placement import count_batches
from tasks.refresh.io.job import Job
from tasks.refresh.io.judge import preload_statistics
from tasks.refresh.io.refresh_memory import remember_unchanged
from tasks.refresh.io.running import find_active_run, has_dead_runs
from tasks.refresh.io.steps import BATCH_STEPS, Step
from tasks.refresh.planning import PlanOverview, summarise_plan
from tasks.refresh.run import Run
from tasks.workers.threads import map_in_threads
from tasks.workers.tracing import trace_span

logger = logging.getLogger(__name__)


class Calls(NamedTuple):
    """The calls of a refresh: the steps for each batch, in order, and the calls that are made once for all batches."""

    steps: tuple[Step, ...]
    draft: Callable[[str, Run, Sequence[StepDone]], Draft]
    validate: Callable[[str, Run, Draft], Verdict]
    write: Callable[[str, Run, Draft], Versions]
    examine: Callable[[str, Run, Verdict, Versions], Verdict]
    publish: Callable[[str, Run, Draft, Verdict, Versions], Generation]
    report: Callable[[str, Run, PlanOverview, RefreshOutcome, Verdict], None]


def run_pipeline(job: Job, calls: Calls) -> RefreshOutcome:
    """Bring the corpus up to date; return what was published as JSON values.

    Raises:
        PagemillError: nothing was published.
    """
    with observe_refresh(job.run):
        try:
            return publish_changes(job, calls)
        except GateError:
            log_run_or_warn(job, job.run.run_id, "refused", job.run.base)
            raise


def publish_changes(job: Job, calls: Calls) -> RefreshOutcome:
    """Go through the steps, and publish what they give; return it as JSON values.

    Raises:
        PagemillError: nothing was published.
    """
    if job.options.gate.questions:
        from tasks.evaluate.io.gate import check_gate_questions  # most refreshes need none of it

        check_gate_questions(job.options.gate)
    clock, title = Clock(), name_corpus(job.corpus.uri)
    preload_libraries(job)
    with clock.phase("parse, describe, chunk, embed"):
        done = process_batches(job, calls.steps)
    with job.hold_publish_lock():
        with clock.phase("draft and validate"):
            restore_published_tables(job.run)
            draft = calls.draft(title, job.run, done)
            verdict = calls.validate(title, job.run, draft)
        verdict.check(job.corpus)
        kinds = count_new_rows_by_format(draft)
        with clock.phase("write, index, publish"):
            versions = calls.write(title, job.run, draft)
            if job.options.gate.questions:
                verdict = calls.examine(title, job.run, verdict, versions)
                verdict.check(job.corpus)
            generation = calls.publish(title, job.run, draft, verdict, versions)
        with clock.phase("clean up"):
            warnings = clean_up_and_warn(job)
    outcome = report.summarise_refresh_outcome(job.run, generation, clock.phases, done, warnings)
    outcome["kinds"] = kinds
    outcome["warnings"] += report.warn_unused_columns(job.run)
    outcome["machines"] = count_batches(done)
    facts = {"counts": outcome["counts"], "new_rows": draft.rows, "steps": outcome["steps"]}
    outcome["warnings"] += log_run_or_warn(job, job.run.run_id, "published", outcome["generation"], **facts)
    outcome["warnings"] += call_or_warn(
        "the report in the UI", lambda: calls.report(title, job.run, summarise_plan(job.plan), outcome, verdict)
    )
    return outcome


def preload_libraries(job: Job) -> None:
    """Begin to load what the checks and the tables need: until the first documents are parsed, there is nothing else to do."""
    if job.live and job.live.profile.get("n", 0) >= job.options.gate.min_profile_chunks:
        preload_statistics(job.judges)
    threading.Thread(target=load_table_libraries, name="pagemill-loading", daemon=True).start()


def process_batches(job: Job, chain: tuple[Step, ...]) -> list[StepDone]:
    """Take every batch through the steps, a limited number of batches at a time. The first error stops the other batches.

    Raises:
        PagemillError: the error that ended a step. Errors of single documents do not end a step.
    """
    run = job.run

    def run_steps(batch: Batch) -> list[StepDone]:
        done: list[StepDone] = []
        with trace_span("batch", {"pagemill.label": batch.label, "pagemill.contents": len(batch.contents)}):
            for name, step in zip(STEPS, chain, strict=True):
                with trace_span(name, {}) as attributes:
                    done.append(step(batch, run, tuple(done)))
                    attributes |= {f"pagemill.{key}": getattr(done[-1], key) for key in ("computed", "reused", "failed")}
        return done

    live = find_active_run(run.run_id)
    return [done for of_batch in map_in_threads(run_steps, job.batches(), job.most_batches, live.cancelled) for done in of_batch]


def add_retries_to_step(step: Callable[..., StepDone]) -> Step:
    """Return a step that tries again if an outside service fails, as Prefect does for tasks. The options give the waits."""

    def call_with_retries(batch: Batch, run: Run, earlier: tuple[StepDone, ...]) -> StepDone:
        for wait in run.options.limits.retry_seconds:
            try:
                return step(batch, run, earlier, last=False)
            except ServiceError as error:
                logger.warning("%s; the next attempt is in %g s", error, wait)
            if find_active_run(run.run_id).cancelled.wait(wait):
                break
        return step(batch, run, earlier, last=True)

    return call_with_retries


def _examine_draft(title: str, run: Run, verdict: Verdict, versions: Versions) -> Verdict:
    from tasks.evaluate.io.gate import examine_draft

    return examine_draft(run, verdict, versions)


PLAIN_CALLS = Calls(
    steps=tuple(map(add_retries_to_step, BATCH_STEPS.values())),
    draft=draft_generation,
    validate=validate_draft,
    write=write_generation,
    examine=_examine_draft,
    publish=publish_generation,
    report=lambda title, run, plan, outcome, verdict: None,
)
"""Plain calls without Prefect. They make no report, because there is no UI."""


def make_plain_calls(job: Job) -> Calls:
    """Return plain calls for a job that has begun: its steps are carried out in this process, or on the machines that it has."""
    return PLAIN_CALLS._replace(steps=tuple(map(add_retries_to_step, job.steps.values()))) if job.cluster else PLAIN_CALLS


def clean_up_and_warn(job: Job) -> list[str]:
    """Do the work after publication; return its failures as warnings."""
    since = job.listing.listed_at_ns / 1e9
    on_disk = call_or_warn("writing it to the disk", lambda: sync_tables_to_disk(job.corpus, ("generations",), since))
    return [*on_disk, *clean_up_and_remember_plan(job)]


def clean_up_and_remember_plan(job: Job) -> list[str]:
    """Clean up and then remember the plan, in this order: if clean-up fails, the next refresh does not skip its work."""
    keep = job.options.publish.keep_generations
    return call_or_warn("cleaning up", lambda: clean_up_corpus(job.corpus, keep)) or call_or_warn(
        "remembering the plan", lambda: remember_unchanged(job.listing, job.corpus, job.options, job.recipes)
    )


def call_or_warn(what: str, function: Callable[[], None]) -> list[str]:
    """Call a function; return a warning if it fails. It must not fail the run, because the generation is published."""
    try:
        function()
    except Exception as error:
        logger.warning("%s failed: %s", what, error)
        return [f"the generation is published, but {what} failed ({error}): the next refresh does it again"]
    return []


def log_run_or_warn(job: Job, run_id: str, outcome: str, generation: int, **more: object) -> list[str]:
    """Log a run that ends now; return the warning if that fails. A run begins when its source is listed."""
    facts = {"run_id": run_id, "outcome": outcome, "generation": generation, **more}
    return call_or_warn("logging the run", lambda: log_ended_run(job.corpus, job.listing.listed_at_ns / 1e9, **facts))


def finish_unchanged_refresh(job: Job, run_id: str) -> int:
    """Finish a refresh that has nothing to compute, and release a held generation if asked to; return the live generation.

    If an earlier refresh was killed, complete its clean-up.
    """
    generation = job.live.generation if job.live else 0
    if not job.has_nothing_to_do:
        generation = release_rollback_hold(job.corpus, run_id)
    with job.hold_publish_lock():
        if generation and has_dead_runs(job.corpus):
            clean_up_and_remember_plan(job)
        else:
            remember_unchanged(job.listing, job.corpus, job.options, job.recipes)
    if generation:
        log_run_or_warn(job, run_id, "nothing changed", generation)
    return generation
