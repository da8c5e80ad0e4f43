"""The steps that publish staged rows. Each is a plain function of references that travel as JSON. `title` names the corpus."""

from collections.abc import Sequence
from typing import Any

from schemas.references import StepDone
from schemas.tables.generations import VERSIONED
from tasks.publish.io.draft import Draft, make_draft
from tasks.publish.io.recall import add_recall
from tasks.publish.io.retained_chunks import save_lengths
from tasks.publish.io.validate import validate
from tasks.publish.io.write import generation_row, index_tables, make_durable, merge_draft, publish, tag_tables
from tasks.publish.verdict import Verdict
from tasks.refresh.io.plan import load_plan
from tasks.refresh.run import Run
from tasks.workers import memory

Versions = dict[str, int]
"""The version to publish of each table."""


def draft_generation(title: str, run: Run, done: Sequence[StepDone]) -> Draft:
    """Write the rows of the planned documents to files."""
    return make_draft(run, load_plan(run), done)


def validate_draft(title: str, run: Run, draft: Draft) -> Verdict:
    """Check the draft against the expectations."""
    verdict = validate(run, draft, load_plan(run).n_source)
    memory.release()
    return verdict


def write_generation(title: str, run: Run, draft: Draft) -> Versions:
    """Merge the draft into the tables and index the new rows; return the versions of the tables."""
    merge_draft(run, draft)
    return index_tables(run)


def publish_generation(title: str, run: Run, draft: Draft, verdict: Verdict, versions: Versions) -> dict[str, Any]:
    """Tag the versions and publish them as one row of `generations`; return the row as JSON values.

    Raises:
        GateError: the index of vectors finds too few of the nearest; nothing was published.
    """
    verdict = add_recall(run, verdict)
    verdict.check(run.corpus)
    tag_tables(run.corpus, run.base + 1, versions)
    row = generation_row(run, draft, versions, verdict)
    save_lengths(run.corpus, versions["chunks"], verdict.lengths)
    make_durable(run.corpus, VERSIONED, run.listed_at_ns / 1e9)
    publish(run.corpus, row)
    return {**row, "published_at": row["published_at"].isoformat()}
