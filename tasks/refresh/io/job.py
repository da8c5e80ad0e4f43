"""A job: one refresh under way, with its locks, its plan and its worker processes. It stays in the process that made it."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from schemas.access import has_access
from schemas.corpus import Corpus
from schemas.errors import InputError, SchemaError
from schemas.ids import is_unicode
from schemas.options.sections import LimitOptions, RefreshOptions
from schemas.references import Batch, Content, StepDone, make_content_name
from schemas.staged import BOUNDARY_STEPS, STEPS
from tasks.refresh.grouping import split_into_batches
from tasks.refresh.io import checks
from tasks.refresh.io import plan as planning_step
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.io.judge import preload_judge
from tasks.refresh.io.plan import Listing, save_plan
from tasks.refresh.io.refresh_memory import find_corpus_engine, remember_recipes
from tasks.refresh.io.running import ActiveRun, clean_up_dead_runs, hold_active_run, mark_run_start
from tasks.refresh.io.screening import ensure_key
from tasks.refresh.io.source.contents import recall_listing
from tasks.refresh.planning import Plan, check_not_empty, check_plan
from tasks.refresh.run import Recipes, Run
from tasks.store import lance, locks, published
from tasks.store.integrity.rest import record_unmanifested_files
from tasks.store.locks import hold_lock
from tasks.store.objects.paths import resolve_place
from tasks.store.published import Generation, check_generation
from tasks.store.sources.folder import FolderSource
from tasks.store.sources.places import open_source, resolve_source
from tasks.store.staging import Staging
from tasks.workers import memory
from tasks.workers.pool import WorkerPool, count_workers
from tasks.workers.progress import Progress

if TYPE_CHECKING:
    from tasks.refresh.io.dask.cluster import Cluster

IN_FLIGHT = 2
"""Batches under way for each worker process: one that is parsed, one that is embedded."""

LEAST_ON_MACHINES = 64
"""Batches under way on other machines at least: they cost this process a waiting thread each, and machines may join."""

AT_ONCE_SECONDS = 0.5
"""Who waited longer than this for the lock lists the source again: what was listed before is old."""


class Job:
    """A refresh that holds the corpus. Plain on purpose: Prefect looks into models and collections, and a plan can be large."""

    def __init__(self, corpus: Corpus, options: RefreshOptions, listing: Listing, recipes: Recipes, judges: WorkerPool) -> None:
        """Plan. `judges` has the worker process that will judge the draft.

        Raises:
            CorpusError: the corpus does not fit, is held, or would lose too much.
        """
        self.source, self.corpus, self.options = listing.source.uri, corpus, options
        self.listing, self.recipes = listing, recipes
        checks.check_options_fit_corpus(corpus, options, recipes)
        self.live: Generation | None = published.read_newest_generation(corpus)
        if self.live:
            check_generation(corpus, self.live)
        with memory.pause_garbage_collection():
            self.plan: Plan = planning_step.plan_refresh(listing, corpus, options, recipes)
        check_plan(self.plan, options.plan)
        memory.release_freed_memory()
        self.progress = Progress()
        self.judges = judges
        self._run: Run | None = None
        self.cluster: Cluster | None = None
        self._far_steps: dict[str, Callable[..., StepDone]] = {}

    @property
    def has_nothing_to_do(self) -> bool:
        """Return whether there is nothing to compute and nothing to release."""
        return self.plan.has_nothing_to_do and not (self.options.publish.release and self.live and self.live.held)

    @property
    def steps(self) -> dict[str, Callable[..., StepDone]]:
        """Return the steps of a batch by name, in order: those here, or those of other machines."""
        from tasks.refresh.io.steps import (
            BATCH_STEPS,  # it loads what reads documents: .1 s that a refresh without changes spares
        )

        return self._far_steps or BATCH_STEPS

    @property
    def most_batches(self) -> int:
        """How many batches may be under way at once."""
        if self.cluster:
            return max(LEAST_ON_MACHINES, IN_FLIGHT * self.cluster.n_places)
        return IN_FLIGHT * count_workers(self.options.limits)

    @property
    def run(self) -> Run:
        """What every step needs to know."""
        if self._run is None:
            raise SchemaError("the job has not begun")
        return self._run

    @contextmanager
    def start(self, run_id: str) -> Iterator[Run]:
        """Run as `run_id`, with worker processes or other machines, for the length of the block.

        Raises:
            InputError: a machine cannot do the work of this run.
            ServiceError: there is no machine.
        """
        with ExitStack() as stack:
            if self.options.run.task_runner == "dask":
                from tasks.refresh.io.dask import cluster  # Dask is no part of most installations

                self.cluster = stack.enter_context(cluster.connect_to_scheduler(self.options.run.dask_address))
            live = stack.enter_context(self._start_locally(run_id))
            if self.cluster:
                stack.enter_context(cluster.open_run_on_workers(self.cluster, self.run, live))
                self._far_steps = cluster.make_remote_steps(self.cluster, live)
            yield self.run

    @contextmanager
    def _start_locally(self, run_id: str) -> Iterator[ActiveRun]:
        self._run = Run(
            run_id=run_id,
            source=self.source,
            corpus=Corpus(resolve_place(self.corpus.uri)) if self.cluster else self.corpus,
            options=self.options,
            recipes=self.recipes,
            base=self.live.generation if self.live else 0,
            listed_at_ns=self.listing.listed_at_ns,
        )
        earlier = self.name_earlier_contents()
        staging = Staging(self.corpus, [*(content.name for content in self.contents()), *earlier.values()])
        with lance.explain_failed_writes(self.corpus):
            clean_up_dead_runs(self.corpus)
            mark_run_start(self.corpus)
            save_plan(self._run, self.plan)
            remember_recipes(self.corpus, self.recipes)
            if self.options.pii.actions:
                ensure_key(self.corpus)
            steps = [(step, getattr(self.recipes, step)) for step in (*STEPS, *BOUNDARY_STEPS)]
            if self.corpus.home and not self.options.publish.rebuild:
                staging.link_rows_of(self.corpus.home, steps)
            if self.options.publish.rebuild and self.live and self.live.recipe == self.recipes.whole:
                staging.discard_steps(steps)
        copies = self.listing.copies
        with hold_active_run(run_id, self.options.limits, self.progress, staging, self.judges, earlier, copies) as live:
            yield live

    def hold_publish_lock(self) -> AbstractContextManager[None]:
        """Hold the corpus for publishing; see `locks.hold_publish_lock`."""
        return locks.hold_publish_lock(self.corpus)

    def contents(self) -> list[Content]:
        """Return the contents of the plan's changes, each once, the largest first.

        At the end, when nothing else is left to do meanwhile, only small ones are under way.
        """
        contents = {
            (change.file.sha256, change.file.media_type): self.listing.make_content(change.file)
            for change in self.plan.changes
            if not change.file.refused
        }
        return sorted(contents.values(), key=lambda content: (-content.size, content.sha256))

    def name_earlier_contents(self) -> dict[str, str]:
        """Return the name of the content that a changed document had before, by that of its new one; none for a rebuild."""
        names = {
            make_content_name(change.file.media_type, change.file.sha256): make_content_name(
                change.file.media_type, change.published.sha256
            )
            for change in self.plan.changes
            if change.published and change.published.sha256 not in ("", change.file.sha256)
        }
        return {} if self.options.publish.rebuild else names

    def batches(self) -> list[Batch]:
        """Return the contents in batches."""
        n_places = self.cluster.n_places if self.cluster else 0
        return [Batch(corpus=self.run.corpus, contents=tuple(part)) for part in split_into_batches(self.contents(), n_places)]


def prepare_refresh(source: str, corpus: Corpus, options: RefreshOptions) -> tuple[Listing, Recipes]:
    """Check what can be checked before anything is read, and list the source.

    Raises:
        InputError: source, corpus, embedder or Tesseract are not what they should be.
    """
    if not source.strip() or not corpus.uri.strip():
        raise InputError("source or corpus is blank: name a folder of documents, and a folder for the corpus")
    place = resolve_source(source)
    if not is_unicode(place):
        raise InputError(f"the path of source {source} is not UTF-8: rename the folder, or move it")
    checks.check_corpus(corpus, place)
    documents = open_source(place, options.source, options.plan.source_name)
    if isinstance(documents, FolderSource):
        documents.follows_links = not has_access(options.columns)
    with memory.pause_garbage_collection():
        listing = Listing(documents, options, recall_listing(documents, corpus, options))
    return listing, make_recipes(options, find_corpus_engine(corpus, options))


_open: ContextVar[Job | None] = ContextVar("open_job", default=None)


@contextmanager
def open_job(
    source: str, corpus: Corpus, options: RefreshOptions, prepared: tuple[Listing, Recipes] | None = None
) -> Iterator[Job]:
    """Lock the corpus for one refresh, and plan it. A caller that holds a job for the corpus already gets that job.

    Raises:
        InputError: the source holds no documents; no folder is made for the corpus then.
        ConflictError: another refresh is under way.
        CorpusError: the corpus does not fit, is held, or would lose too much.
    """
    outer = _open.get()
    if outer is not None:
        yield outer
        return
    listing, recipes = prepared or prepare_refresh(source, corpus, options)
    check_not_empty(len(listing.documents), listing.why_empty, options.plan)
    checks.make_corpus(corpus, options.publish.private)
    asked = time.monotonic()
    with hold_lock(corpus.lock("refresh"), options.publish.lock_wait_seconds, f"a refresh of {corpus}"):
        if time.monotonic() - asked > AT_ONCE_SECONDS:
            listing = Listing(listing.source, options, recall_listing(listing.source, corpus, options))
        with ExitStack() as stack, WorkerPool(LimitOptions(workers=1)) as judges:
            preload_judge(judges)
            stack.callback(listing.copies.drop)
            token = _open.set(made := Job(corpus, options, listing, recipes, judges))
            try:
                yield made
            finally:
                _open.reset(token)
        record_unmanifested_files(corpus, time.time_ns())
