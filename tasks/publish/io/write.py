"""Write: put a draft into the tables, index the new rows, and tag the versions to publish."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from schemas.tables import chunks, documents, elements
from schemas.tables.generations import FORMAT, VERSIONED
from tasks.language.detection import detect_language
from tasks.language.terms import extract_terms
from tasks.publish.io.draft import Draft, draft_schemas
from tasks.publish.io.duplicates import add_signatures_column
from tasks.publish.io.recall import ensure_index_recall
from tasks.publish.io.rights import set_document_rights
from tasks.publish.verdict import Verdict
from tasks.refresh.io.running import MARGIN_SECONDS
from tasks.refresh.run import Run
from tasks.store import indexes, lance, published
from tasks.store.files import find_storage
from tasks.store.loading import import_lance, import_lancedb
from tasks.store.published import Generation, name_generation_tag

if TYPE_CHECKING:
    from lancedb.table import LanceTable

ADDED_LATER = {"documents": documents.ADDED_LATER, "chunks": chunks.ADDED_LATER, "elements": elements.ADDED_LATER}
"""Columns that tables of older corpora do not have."""


def check_base_generation(run: Run) -> Generation | None:
    """Return the live generation.

    Raises:
        ConflictError: it is no longer the generation that the plan was based on.
    """
    live = published.read_newest_generation(run.corpus)
    if (live.generation if live else 0) != run.base:
        raise ConflictError(
            f"corpus {run.corpus} is at generation {live.generation if live else 0}, "
            f"but this run started from generation {run.base}: "
            "another refresh or rollback was published since then; run the refresh again, it reuses what is staged"
        )
    return live


def load_table_libraries() -> None:
    """Load the libraries that write tables."""
    import_lancedb()


def restore_published_tables(run: Run) -> None:
    """Restore the published version of every table, because the changes of a dead run are never completed."""
    live = check_base_generation(run)
    run.corpus.marker("clean").unlink(missing_ok=True)
    for name, schema in draft_schemas(run).items():
        if name not in VERSIONED:
            continue
        if live:
            lance.restore_table_version(run.corpus, name, live.versions[name])
        later = ADDED_LATER.get(name, ())
        table = lance.ensure_table(run.corpus, name, schema, later)
        if live is None and table.count_rows():
            table.delete("true")
        if name == "documents":
            add_signatures_column(table)
        if name == "chunks":
            add_search_terms_column(table)
        add_blank_columns(table, [schema.field(column) for column in later])


def merge_draft_into_tables(run: Run, draft: Draft) -> None:
    """Replace the documents of the draft in each table that changes; write who may read those whose rows stay."""
    for name in VERSIONED:
        table = lance.open_table(run.corpus, name)
        scope = draft.scope(name)
        replaced = scope if lance.has_rows_of(table, scope) else []
        if not draft.rows.get(name):
            if replaced:
                lance.replace_documents(table, None, replaced)
            continue
        with pa.OSFile(str(draft.file(name))) as source, pa.ipc.open_file(source) as reader:
            batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
            lance.replace_documents(table, pa.RecordBatchReader.from_batches(reader.schema, batches), replaced)
    set_document_rights(run.corpus, draft.rights())


def index_tables(run: Run) -> dict[str, int]:
    """Add the new rows to the indexes; return the version of each table to publish."""
    versions = {}
    live = published.read_newest_generation(run.corpus)
    for name in VERSIONED:
        table = lance.open_table(run.corpus, name)
        if live is None or table.version != live.versions[name]:
            indexes.maintain_indexes(table)
            if name == "chunks":
                ensure_index_recall(run)
                table.checkout_latest()
        versions[name] = int(table.version)
    _check_row_counts(run.corpus, versions)
    return versions


def _check_row_counts(corpus: Corpus, versions: dict[str, int]) -> None:
    """Refuse tables that have not as many rows as the documents say: rows were left, lost or added twice without an error.

    Raises:
        CorpusError: they have not; nothing was published.
    """
    columns = {"elements": "n_elements", "chunks": "n_chunks"}
    counted = import_lance().dataset(str(corpus.table("documents")), version=versions["documents"])
    said = counted.to_table(columns=[*columns.values()])
    for name, column in columns.items():
        n = import_lance().dataset(str(corpus.table(name)), version=versions[name]).count_rows()
        wanted = pc.sum(said[column]).as_py() or 0
        if n != wanted:
            raise CorpusError(
                f"table {name} of {corpus} would have {n} rows, and its documents say {wanted}: nothing was published; "
                f"run pagemill verify --deep --corpus {corpus.quoted}"
            )


def tag_table_versions(corpus: Corpus, generation: int, versions: dict[str, int]) -> None:
    """Tag the versions of the next generation. If a dead run left such a tag, the tag moves."""
    for name, version in versions.items():
        lance.set_tag(corpus, name, name_generation_tag(generation), version)


def sync_tables_to_disk(corpus: Corpus, tables: Iterable[str], since: float) -> None:
    """Sync to disk what was written to `tables` since `since` (seconds since the epoch).

    Call it before the row that publishes is written, so that a power failure cannot lose published data. Otherwise, the private
    folder could describe a newer state than the tables have.
    """
    for name in tables:
        find_storage(corpus.table(name)).sync_since(corpus.table(name), since - MARGIN_SECONDS)
    for folder in (corpus.private, corpus.folder):
        find_storage(folder).sync(folder)


def make_generation(run: Run, draft: Draft, versions: dict[str, int], verdict: Verdict) -> Generation:
    """Return the generation that publishes the draft."""
    return Generation(
        generation=run.base + 1,
        format=FORMAT,
        base=run.base,
        kind="refresh",
        run_id=run.run_id,
        published_at=datetime.now(UTC).isoformat(),
        recipe=run.recipes.whole,
        recipe_details=run.recipes.details,
        embedder=run.recipes.embedder,
        columns=run.options.columns,
        versions=versions,
        counts={**draft.documents, **count_table_rows(run.corpus, versions)},
        gate=verdict.gate(),
        profile=verdict.profile.model_dump() if verdict.profile else {},
        held=False,
        options=run.options.model_dump(mode="json"),
    )


def count_table_rows(corpus: Corpus, versions: dict[str, int]) -> dict[str, int]:
    """Return the number of rows of each table at the given version."""
    return {f"n_{name}": int(lance.open_table(corpus, name, version).count_rows()) for name, version in versions.items()}


def add_search_terms_column(table: "LanceTable") -> None:
    """Add the column of terms to the chunks of an older corpus, as if each chunk were a document of its own.

    Documents that are computed again get the terms of their own language; the others would not be found by their words.
    """
    if "search_terms" in table.schema.names:
        return
    added = pa.schema([pa.field("search_terms", pa.string())])

    @import_lance().batch_udf(output_schema=added)  # type: ignore[untyped-decorator]
    def extract_batch_terms(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.record_batch([[extract_terms(text, detect_language(text)) for text in batch["text"].to_pylist()]], schema=added)

    import_lance().dataset(table.uri).add_columns(extract_batch_terms, read_columns=["text"])
    table.checkout_latest()


def add_blank_columns(table: "LanceTable", fields: Iterable[pa.Field]) -> None:
    """Add the columns that a table of an older corpus lacks, blank: rows that are made anew get their values."""
    missing = [field for field in fields if field.name not in table.schema.names]
    if missing:
        import_lance().dataset(table.uri).add_columns(pa.schema(missing))
        table.checkout_latest()
