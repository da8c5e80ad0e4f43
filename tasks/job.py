"""A job: one refresh under way, with its locks, its plan and its worker processes. It stays in the process that made it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schemas.errors import InputError
from schemas.ids import is_unicode
from schemas.options import RefreshOptions
from tasks import plan as planning_step
from tasks.adapters import lance, published
from tasks.adapters.folders import PRIVATE
from tasks.adapters.locks import held
from tasks.adapters.media_types import HTML, MARKDOWN, PLAIN_TEXT, XHTML
from tasks.cleanup import remember_recipes
from tasks.plan import Listing
from tasks.pool import worker_pool
from tasks.recipe import Recipes, make_recipes
from tasks.run import Run
from tasks.staging import Batch, Content
from tasks.transforms.planning import Plan, check_plan

BATCH_WEIGHT = 256
"""Of a batch's contents together; a text file weighs 1, any other 16: enough to outweigh what a task run costs."""

HEAVY = 16
LIGHT_TYPES = (PLAIN_TEXT, MARKDOWN, HTML, XHTML)

PUBLISH_WAIT_SECONDS = 120
"""Publishing takes seconds: it is worth waiting for."""


class Job:
    """A refresh under way. Plain on purpose: Prefect looks into models and collections, and a plan can be large."""

    def __init__(self, run: Run, listing: Listing, plan: Plan, held: bool) -> None:
        self.run = run
        self.listing = listing
        self.plan = plan
        self.held = held
        self.staged: list[Batch] = []

    @property
    def results(self) -> Path:
        """Where Prefect keeps the references that its cache remembers."""
        return (Path(self.run.corpus) / PRIVATE / "results").resolve()

    def batches(self) -> list[Batch]:
        """Return the contents of the plan's changes, each once, in batches.

        The largest come first: at the end, when nothing else is left to do meanwhile, only small ones are under way.
        """
        contents = {
            (change.file.sha256, change.file.media_type): Content(
                sha256=change.file.sha256,
                media_type=change.file.media_type,
                path=str(self.listing.source / change.file.path),
                size=change.file.size,
            )
            for change in self.plan.changes
            if not change.file.refused
        }
        largest_first = sorted(contents.values(), key=lambda content: (-content.size, content.sha256))
        return [Batch(corpus=self.run.corpus, contents=tuple(part)) for part in _parts(largest_first)]


def _parts(contents: list[Content]) -> Iterator[list[Content]]:
    part: list[Content] = []
    weight = 0
    for content in contents:
        own = 1 if content.media_type in LIGHT_TYPES else HEAVY
        if part and weight + own > BATCH_WEIGHT:
            yield part
            part, weight = [], 0
        part.append(content)
        weight += own
    if part:
        yield part


def lock_path(corpus: str, name: str) -> Path:
    """Return the file whose lock says that a refresh is under way, or that something is being published."""
    return Path(corpus) / PRIVATE / f"{name}.lock"


def prepare(source: str, corpus: str, options: RefreshOptions) -> tuple[Listing, Recipes]:
    """Check what can be checked before anything is read, and list the source.

    Raises:
        InputError: source, corpus, embedder or Tesseract are not what they should be.
    """
    if not source.strip() or not corpus.strip():
        raise InputError("source or corpus is blank: name a folder of documents, and a folder for the corpus")
    if not is_unicode(os.path.realpath(source)):
        raise InputError(f"the path of source {source} is not UTF-8: rename the folder, or move it")
    planning_step.check_corpus(corpus)
    listing = Listing(Path(source), options)
    return listing, make_recipes(options)


@contextmanager
def job(run_id: str, source: str, corpus: str, options: RefreshOptions) -> Iterator[Job]:
    """Hold the corpus for one refresh: lock it, plan, keep worker processes.

    Raises:
        ConflictError: another refresh is under way.
        CorpusError: the corpus does not fit, is held, or would lose too much.
    """
    listing, recipes = prepare(source, corpus, options)
    with held(lock_path(corpus, "refresh"), options.publish.lock_wait_seconds, f"a refresh of {corpus}"):
        planning_step.check_fits(corpus, options, recipes)
        live = published.newest(corpus)
        base = live.generation if live else 0
        run = Run(run_id=run_id, source=os.path.realpath(source), corpus=corpus, options=options, recipes=recipes, base=base)
        remember_recipes(corpus, recipes)
        plan = planning_step.plan_refresh(listing, corpus, options, recipes)
        check_plan(plan, options.plan)
        with worker_pool(run_id, options.limits):
            yield Job(run, listing, plan, bool(live and live.held))


@contextmanager
def publishing(corpus: str) -> Iterator[None]:
    """Hold the corpus for publishing: nobody else writes its tables meanwhile.

    Raises:
        ConflictError: somebody else goes on publishing.
        CorpusError: the corpus cannot be written.
    """
    with held(lock_path(corpus, "publish"), PUBLISH_WAIT_SECONDS, f"publishing in {corpus}"), lance.writing(corpus):
        yield
