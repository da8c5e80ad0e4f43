"""`pagemill refresh`: make a plan first, and start a flow only if there is something to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from flows.cli.flags import REFRESH, add_option_flags
from flows.cli.output import Json, print_json, print_line, print_warning
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from schemas.corpus import Corpus
from schemas.errors import CorpusError, PagemillError
from schemas.media_types import FORMATS
from schemas.options.sections import RefreshOptions
from schemas.references import RefreshOutcome

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

    from tasks.refresh.io.job import Job
    from tasks.refresh.io.source.listing import Listing
    from tasks.refresh.planning import Plan

FORMAT_NAMES = ", ".join(known.name for known in FORMATS.values())
SOURCE_HELP = (
    f"Folder of documents, or URL of a source: {FORMAT_NAMES}; also in archives (.zip, .tar, .tar.gz) and mailboxes (.mbox)."
)


def add_refresh_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("refresh")(refresh_corpus_command)


@add_option_flags(REFRESH)
def refresh_corpus_command(
    source: Annotated[str, typer.Argument(envvar="PAGEMILL_SOURCE", help=SOURCE_HELP)],
    corpus: Annotated[str, typer.Option("--corpus", envvar="PAGEMILL_CORPUS", help="Folder of the corpus, made if it is new.")],
    options: RefreshOptions,
    candidate: Annotated[
        str | None,
        typer.Option(help="Build a candidate of this name beside the corpus, with another model or recipe, instead."),
    ] = None,
    beside: Annotated[str | None, typer.Option("--beside", hidden=True)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and touch nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Bring CORPUS up to date with the documents in SOURCE, and publish it as one new generation.

    Unchanged documents are not read again. Nothing is published if a check fails. With --candidate, CORPUS stays as it is and
    goes on answering: `pagemill evaluate --candidate` compares both, and `pagemill switch` puts the candidate in its place.
    """
    if beside is not None:
        print_warning("--beside is now --candidate; the old name goes with the next release")
        candidate = beside if candidate is None else candidate
    if candidate is not None:
        from tasks.publish.io.candidates import place_candidate

        corpus = place_candidate(Corpus(corpus), candidate).uri
    outcome = run_refresh(source, corpus, options, dry_run, None if dry_run else get_prefect_server_url())
    print_json(outcome) if as_json else print_refresh_outcome(outcome)
    if outcome.get("refused"):
        raise CorpusError(f"this plan would be refused: {outcome['refused']}")


def run_refresh(source: str, corpus: str, options: RefreshOptions, dry_run: bool, url: str | None) -> RefreshOutcome:
    """Plan and carry out a refresh, as a Prefect run if the `url` of a server is given; return the outcome as JSON values."""
    from flows.settings import configure_object_store
    from tasks.refresh.io import plan as planning
    from tasks.refresh.io.checks import check_options_fit_corpus
    from tasks.refresh.io.job import open_job, prepare_refresh
    from tasks.refresh.io.refresh_memory import recall_unchanged
    from tasks.store.integrity.rest import check_corpus_unchanged
    from tasks.store.objects.paths import resolve_place

    configure_object_store(source, corpus)
    prepared = listing, recipes = prepare_refresh(source, Corpus(corpus), options)
    known = recall_unchanged(listing, Corpus(corpus), options, recipes)
    if known:
        check_corpus_unchanged(Corpus(corpus), known["generation"])
        return make_unchanged_outcome(corpus, known["generation"], known["counts"], listing)
    if dry_run:
        check_options_fit_corpus(Corpus(corpus), options, recipes)
        plan = planning.plan_refresh(listing, Corpus(corpus), options, recipes, remember=False)
        return make_dry_run_outcome(corpus, listing, plan, options)
    with open_job(source, Corpus(resolve_place(corpus)), options, prepared) as job:
        outcome = carry_out_plan(job, url)
    return {**outcome, "corpus": corpus, "skipped": job.listing.skipped, "nameless": job.listing.nameless}


def carry_out_plan(job: "Job", url: str | None) -> RefreshOutcome:
    """Carry out the plan of a job, as a Prefect run if the `url` of a server is given, otherwise by plain calls."""
    from flows.pipeline import finish_unchanged_refresh, make_plain_calls, run_pipeline

    if job.has_nothing_to_do:
        counts = {"unchanged": job.plan.unchanged, "rejected": job.plan.rejected}
        return make_unchanged_outcome(job.corpus.uri, finish_unchanged_refresh(job, uuid4().hex), counts, job.listing)
    if job.options.run.task_runner == "threads":
        preload_embedder(job)
    with show_progress_bars(job):
        if url:
            return run_refresh_flow(job, url)
        if job.plan.has_nothing_to_do:
            return make_unchanged_outcome(
                job.corpus.uri, finish_unchanged_refresh(job, uuid4().hex), {"unchanged": job.plan.unchanged}, job.listing
            )
        with job.start(uuid4().hex):
            return run_pipeline(job, make_plain_calls(job))


def preload_embedder(job: "Job") -> None:
    """Load the embedder, and say so on a terminal: it takes time, and may turn out to be missing."""
    from tasks.embed.io.embed import load_embedder

    if sys.stderr.isatty():
        sys.stderr.write(f"{len(job.plan.changes)} documents to bring up to date; loading the embedder\n")
    if job.contents():
        load_embedder(job.recipes.embedding(job.options.embed))


def make_dry_run_outcome(corpus: str, listing: "Listing", plan: "Plan", options: RefreshOptions) -> RefreshOutcome:
    """Return what a plan would do, and why it would be refused, if so."""
    from tasks.refresh.planning import check_plan

    refused = ""
    try:
        check_plan(plan, options.plan)
    except PagemillError as error:
        refused = str(error)
    return {
        "outcome": "dry run",
        "corpus": corpus,
        "counts": plan.counts(),
        "skipped": listing.skipped,
        "nameless": listing.nameless,
        "plan": make_plan_lines(plan),
        "refused": refused,
    }


def make_unchanged_outcome(corpus: str, generation: int, counts: dict[str, int], listing: "Listing") -> RefreshOutcome:
    """Return the outcome of a refresh that had nothing to do."""
    return {
        "outcome": "nothing changed",
        "corpus": corpus,
        "generation": generation,
        "counts": counts,
        "skipped": listing.skipped,
    }


def make_plan_lines(plan: "Plan") -> list[dict[str, str]]:
    """Return what a plan does, one line per document."""
    changes = [{"what": change.kind, "path": change.file.path, "from": change.moved_from} for change in plan.changes]
    moved = {change.moved_from for change in plan.changes if change.moved_from}
    return [*changes, *({"what": "removed", "path": path, "from": ""} for _, path in plan.removed if path not in moved)]


def run_refresh_flow(job: "Job", url: str) -> RefreshOutcome:
    """Run the refresh flow in this process, shown in the UI of the server at `url`."""
    from flows.refresh import refresh

    with report_to_prefect_server(url):
        state: Any = refresh(job.source, job.corpus.uri, job.options, return_state=True)
        return get_flow_outcome(state, job.corpus.uri)


def get_flow_outcome(state: "State[RefreshOutcome]", corpus: str) -> RefreshOutcome:
    """Return the outcome of a finished flow.

    Raises:
        PagemillError: the error of a flow that failed.
    """
    if state.is_completed() and state.name == "nothing changed":
        return {"outcome": "nothing changed", "corpus": corpus, "message": state.message, "counts": {}}
    return state.result()


@contextmanager
def show_progress_bars(job: "Job") -> Iterator[None]:
    """Show the progress of each step on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from schemas.staged import STEPS

    documents = TextColumn("{task.completed:.4g}/{task.total:g} documents")
    columns = (TextColumn("{task.description:<9}"), BarColumn(), TaskProgressColumn(), documents, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        rows = {step: bars.add_task(step, total=len(job.contents())) for step in STEPS}

        def advance(step: str, n: float) -> None:
            if step in rows:
                bars.advance(rows[step], n)

        with job.progress.listen(advance):
            yield


def print_refresh_outcome(outcome: RefreshOutcome) -> None:
    """Print what a refresh did."""
    counts = ", ".join(
        f"{value} {name}" for name, value in outcome.get("counts", {}).items() if value and not name.startswith("n_")
    )
    if outcome["outcome"] == "published":
        totals = {name[2:]: value for name, value in outcome["counts"].items() if name.startswith("n_")}
        print_line(f"generation {outcome['generation']} of {outcome['corpus']}: {counts}")
        print_line("rows: " + ", ".join(f"{value} {name}" for name, value in totals.items()))
        print_line("seconds: " + ", ".join(f"{name} {value}" for name, value in outcome["seconds"].items()))
        for machine, batches in outcome["machines"].items():
            print_line(f"{machine}: batches of " + ", ".join(f"{step} {n}" for step, n in batches.items()))
        for warning in (*outcome["gate"]["warnings"], *outcome["warnings"]):
            print_line(f"warning: {warning}")
    else:
        print_line(f"{outcome['outcome']}: {counts or outcome.get('message', 'no documents')}")
    for line in outcome.get("plan", []):
        print_line(f"  {line['what']:<9} {line['path']}" + (f" (was {line['from']})" if line["from"] else ""))
    if outcome.get("n_rejects"):
        at = Corpus(outcome["corpus"]).quoted
        print_line(f"{outcome['n_rejects']} documents or pages were rejected: pagemill rejects --corpus {at}")
    if outcome.get("skipped"):
        print_line(f"skipped, because Pagemill does not read these files: {', '.join(outcome['skipped'])}")
    if outcome.get("nameless"):
        print_line(f"metadata for documents that are not in the source, check the paths: {', '.join(outcome['nameless'])}")
