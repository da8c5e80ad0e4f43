"""Draft: add ids, paths and metadata to the staged rows of the planned documents, and write them to files for the merge."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.references import Frozen, StepDone, content_name
from schemas.tables.documents import STALE
from tasks.publish.io.draft_writer import DraftWriter, draft_schemas
from tasks.refresh.io.stage import staged
from tasks.refresh.planning import Change, Plan
from tasks.refresh.run import Run
from tasks.store import files
from tasks.store.objects.private import local_path
from tasks.store.packs import StagedRow


class Draft(Frozen):
    """The files of a draft, and its numbers of documents and rows."""

    folder: str
    documents: dict[str, int]
    rows: dict[str, int]

    def file(self, table: str) -> Path:
        """Return the Arrow file with the new rows of one table."""
        return Path(self.folder) / f"{table}.arrow"

    def scope(self, table: str) -> list[str]:
        """Return the ids of documents whose rows in `table` the draft replaces."""
        scopes: dict[str, list[str]] = json.loads((Path(self.folder) / "scopes.json").read_text())
        return scopes["all" if table == "rejects" else "documents" if table == "documents" else "content"]


def make_draft(run: Run, plan: Plan, steps: Sequence[StepDone]) -> Draft:
    """Write the draft of `plan` from the results of `steps`. The tables of the corpus are not changed."""
    with DraftWriter(run, frozenset(name for done in steps for name in done.refused)) as writer:
        for change in sorted(plan.changes, key=partial(_find_staged, run)):
            writer.add(change)
        if writer.stale:
            for rows in read_stale_rows(run, writer.stale):
                writer.write("documents", rows)
    removed = [name for name, _ in plan.removed]
    content = [*writer.content, *writer.rejected, *removed]
    scopes = {"content": content, "documents": [*content, *writer.stale], "all": [*content, *writer.stale]}
    files.put(local_path(run.folder) / "scopes.json", json.dumps(scopes).encode())
    counts = {**plan.counts(), **writer.outcomes, "rejected": plan.rejected + writer.outcomes["rejected"]}
    return Draft(folder=str(local_path(run.folder)), documents=counts, rows=dict(writer.rows))


def _find_staged(run: Run, change: Change) -> StagedRow:
    """Return where the document is staged: those of one pack follow each other, so that each is mapped into memory once."""
    return staged(run, "parse", content_name(change.file.media_type, change.file.sha256)) or StagedRow("", 0)


def read_stale_rows(run: Run, documents: list[str]) -> Iterator[pa.Table]:
    """Yield the published rows of changed documents that were rejected, with the state stale."""
    from tasks.store import published

    live = published.newest(run.corpus)
    schema = draft_schemas(run)["documents"]
    if live is None:
        return
    rows = published.read_rows_of(run.corpus, live, "documents", schema.names, documents)
    states: Any = pa.repeat(STALE, rows.num_rows)
    yield rows.set_column(schema.get_field_index("state"), schema.field("state"), states).cast(schema)
