"""The steps that publish staged rows. Each is a plain function of references that travel as JSON. `title` names the corpus."""

from collections.abc import Sequence

from schemas.references import StepDone
from schemas.tables.generations import VERSIONED
from tasks.publish.io.draft import Draft, make_draft
from tasks.publish.io.recall import add_recall_to_verdict
from tasks.publish.io.retained_chunks import save_chunk_lengths
from tasks.publish.io.validate import judge_draft
from tasks.publish.io.write import (
    index_tables,
    make_generation,
    merge_draft_into_tables,
    sync_tables_to_disk,
    tag_table_versions,
)
from tasks.publish.verdict import Verdict
from tasks.refresh.io.plan import load_plan
from tasks.refresh.run import Run
from tasks.store import published
from tasks.store.published import Generation as Generation
from tasks.workers import memory

Versions = dict[str, int]
"""The version to publish of each table."""


def draft_generation(title: str, run: Run, done: Sequence[StepDone]) -> Draft:
    """Write the rows of the planned documents to files."""
    return make_draft(run, load_plan(run), done)


def validate_draft(title: str, run: Run, draft: Draft) -> Verdict:
    """Check the draft against the expectations."""
    verdict = judge_draft(run, draft, load_plan(run).n_source)
    memory.release_freed_memory()
    return verdict


def write_generation(title: str, run: Run, draft: Draft) -> Versions:
    """Merge the draft into the tables and index the new rows; return the versions of the tables."""
    merge_draft_into_tables(run, draft)
    return index_tables(run)


def publish_generation(title: str, run: Run, draft: Draft, verdict: Verdict, versions: Versions) -> Generation:
    """Tag the versions and publish them as one row of `generations`; return the generation.

    Raises:
        GateError: the index of vectors finds too few of the nearest; nothing was published.
    """
    verdict = add_recall_to_verdict(run, verdict)
    verdict.check(run.corpus)
    tag_table_versions(run.corpus, run.base + 1, versions)
    generation = make_generation(run, draft, versions, verdict)
    save_chunk_lengths(run.corpus, versions["chunks"], verdict.lengths)
    sync_tables_to_disk(run.corpus, VERSIONED, run.listed_at_ns / 1e9)
    published.insert_generation(run.corpus, generation.as_row())
    return generation
