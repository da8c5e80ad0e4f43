"""The Prefect tasks that publish staged rows. None is cached, because each must run every time."""

import logging

from prefect import Task, task
from prefect.assets import materialize
from prefect.cache_policies import NO_CACHE

from schemas.corpus import Corpus
from schemas.events import REJECTS
from schemas.options.sections import GateOptions
from schemas.references import RefreshOutcome
from tasks.publish.integrity import describe_verification
from tasks.publish.io import steps
from tasks.publish.io.draft import Draft
from tasks.publish.io.findings import count_findings_by_kind
from tasks.publish.io.integrity.verify import verify_corpus_and_candidates
from tasks.publish.io.reports.artifacts import create_artifact, emit_corpus_event, find_run_url
from tasks.publish.io.reports.assets import describe_materialization, make_asset_key, make_corpus_asset
from tasks.publish.io.reports.contact_sheet import render_figures_report
from tasks.publish.io.reports.report import read_rejects
from tasks.publish.io.reports.summary import render_refresh_summary, render_refusal, render_rejects
from tasks.publish.io.steps import Generation, Versions
from tasks.publish.verdict import Verdict
from tasks.refresh.planning import PlanOverview
from tasks.refresh.run import Run

MESSAGE_LINES = 5
"""Lines that the message of a run can hold."""

logger = logging.getLogger(__name__)


draft_generation = Task(steps.draft_generation, task_run_name="draft {title}", cache_policy=NO_CACHE)
write_generation = Task(steps.write_generation, task_run_name="write {title}", cache_policy=NO_CACHE)


def make_publish_task(run: Run) -> Task[[str, Run, Draft, Verdict, Versions], Generation]:
    """Return the task that publishes a generation, and materializes with it the asset of its corpus from that of its source."""
    asset, source = make_corpus_asset(run.corpus), make_asset_key(run.source)

    @materialize(asset, by="pagemill", asset_deps=[source], task_run_name="publish {title}", cache_policy=NO_CACHE)
    def publish_generation(title: str, run: Run, draft: Draft, verdict: Verdict, versions: Versions) -> Generation:
        """Publish a draft as the next generation."""
        generation = steps.publish_generation(title, run, draft, verdict, versions)
        asset.add_metadata(describe_materialization(run, generation, verdict))
        return generation

    return publish_generation


@task(task_run_name="validate {title}", cache_policy=NO_CACHE)
def validate_draft(title: str, run: Run, draft: Draft) -> Verdict:
    """Check the draft against the expectations. A refused draft is shown in the UI before the flow fails.

    Raises:
        GateError: the draft is refused.
    """
    return check_draft_verdict(run, steps.validate_draft(title, run, draft))


def check_draft_verdict(run: Run, verdict: Verdict) -> Verdict:
    """Return the verdict on a draft that may pass; show a refused one in the UI.

    Raises:
        GateError: the draft is refused.
    """
    if verdict.refused:
        create_artifact("refresh-refused", run.corpus.uri, render_refusal(run, verdict), "Refused draft of")
    verdict.check(run.corpus)
    return verdict


@task(task_run_name="report on {title}", cache_policy=NO_CACHE)
def report_refresh(title: str, run: Run, plan: PlanOverview, outcome: RefreshOutcome, verdict: Verdict) -> None:
    """Show the run's artifacts in the UI."""
    corpus = run.corpus
    found = count_findings_by_kind(corpus) if run.options.pii.actions else []
    summary = render_refresh_summary(run, plan, outcome, verdict, find_run_url(), found)
    create_artifact("refresh-summary", corpus.uri, summary, "Refresh of")
    if sheet := render_figures_report(corpus, run.run_id):
        create_artifact("refresh-figures", corpus.uri, sheet, "Figures of")
    rejects = read_rejects(corpus)
    create_artifact("refresh-rejects", corpus.uri, render_rejects(rejects), f"{rejects.num_rows} rejects in")
    n, of = verdict.rejected_of
    if n > run.options.gate.alarm_reject_share * of:
        emit_corpus_event(REJECTS, corpus.uri, describe_many_rejects(title, n, of, run.options.gate))


@task(task_run_name="verify {title}", cache_policy=NO_CACHE)
def verify_corpus(title: str, corpus: Corpus, deep: bool) -> tuple[bool, str]:
    """Verify a corpus and its candidates; return whether all are whole, and lines about them. Each finding is logged."""
    found = verify_corpus_and_candidates(corpus, deep)
    told = [line for one in found for line in describe_verification(one)]
    for line in told:
        logger.info("%s", line)
    damaged = [line for one in found if not one.whole for line in describe_verification(one)]
    return not damaged, "; ".join((damaged or told)[:MESSAGE_LINES])


def describe_many_rejects(title: str, n: int, of: int, gate: GateOptions) -> str:
    """Return what an alarm says of `n` rejected documents `of` all.

    >>> describe_many_rejects("reports", 7, 41, GateOptions())
    'reports: 7 of 41 documents are rejected, more than 10 % (gate.alarm_reject_share): correct or exclude them, see the rejects'
    """
    limit = f"more than {100 * gate.alarm_reject_share:.4g} % (gate.alarm_reject_share)"
    return f"{title}: {n} of {of} documents are rejected, {limit}: correct or exclude them, see the rejects"
