"""The published state: the newest row of `generations`, and narrow reads of the tables that it names."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from schemas.records import GenerationRow
from schemas.references import GateOutcome
from schemas.tables.generations import ADDED_LATER, FORMAT, GENERATIONS
from tasks.store import lance, locks
from tasks.store.conditions import make_documents_condition
from tasks.store.integrity import manifests
from tasks.store.loading import import_lance

if TYPE_CHECKING:
    from lance import LanceDataset
    from lancedb.table import LanceTable

JSON_COLUMNS = ("columns", "versions", "counts", "gate", "profile", "options", "purged")

BATCH_ROWS, READAHEAD = 32_768, 2
"""Rows of narrow columns that are a part, and parts that are read ahead."""


class Generation(BaseModel):
    """One row of `generations`, its JSON columns read."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    generation: int
    format: int
    base: int
    kind: str
    run_id: str
    published_at: str
    recipe: str
    recipe_details: str
    embedder: str
    columns: dict[str, str]
    versions: dict[str, int]
    counts: dict[str, int]
    gate: GateOutcome
    profile: dict[str, Any]
    held: bool
    options: dict[str, Any]
    purged: dict[str, list[Any]] = {}

    def as_row(self) -> dict[str, object]:
        """Return it as the table holds it."""
        texts = {name: json.dumps(getattr(self, name)) for name in JSON_COLUMNS}
        return {**self.model_dump(), **texts, "published_at": datetime.fromisoformat(self.published_at)}


def read_all_generations(corpus: Corpus) -> list[Generation]:
    """Return every generation that was ever published, oldest first; none if the corpus is new.

    Raises:
        CorpusError: the corpus has another format, or cannot be read, or its generations are lost.
    """
    rows = read_generation_rows(corpus) if lance.does_table_exist(corpus, "generations") else []
    if not rows:
        _refuse_orphaned_tables(corpus)
    return [_parse_row(corpus, row) for row in rows]


def _refuse_orphaned_tables(corpus: Corpus) -> None:
    """A corpus whose table of generations is lost must not be taken for a new one: a refresh would empty its tables.

    The tag of a first generation alone may be that of a run that died before it published.
    """
    tags = lance.open_table(corpus, "documents").tags.list() if lance.does_table_exist(corpus, "documents") else {}
    if set(tags) - {name_generation_tag(1)}:
        raise CorpusError(f"table generations of {corpus} is lost, although generations were published: {lance.TABLE_REMEDY}")


def name_generation_tag(generation: int) -> str:
    """Return the tag that holds a generation's version on every table."""
    return f"g{generation}"


def name_provisional_tag(generation: int) -> str:
    """Return the tag that holds the versions that a generation's row is about to name, while a purge replaces them."""
    return f"p{generation}"


def read_newest_generation(corpus: Corpus) -> Generation | None:
    """Return the live generation, or None if nothing was published yet."""
    found = read_all_generations(corpus)
    return found[-1] if found else None


def read_live_generation(corpus: Corpus) -> Generation:
    """Return the live generation.

    Raises:
        CorpusError: nothing was published there yet, or it has another format.
    """
    found = read_newest_generation(corpus)
    if found is None:
        raise CorpusError(f"{corpus} holds no published corpus: refresh it first, or check the path")
    return found


def find_generation(corpus: Corpus, number: int) -> Generation:
    """Return a generation by its number.

    Raises:
        CorpusError: none was published under that number.
    """
    for found in read_all_generations(corpus):
        if found.generation == number:
            return found
    raise CorpusError(f"{corpus} has no generation {number}: see `pagemill generations`")


def _parse_row(corpus: Corpus, row: GenerationRow) -> Generation:
    if row["format"] != FORMAT:
        raise CorpusError(
            f"corpus {corpus} has format {row['format']} and this Pagemill reads format {FORMAT}: "
            "use the Pagemill that made it, or build a new corpus"
        )
    whole: dict[str, Any] = {**ADDED_LATER, **row}
    parsed = {name: json.loads(whole[name]) for name in JSON_COLUMNS}
    return Generation(**{**whole, **parsed, "published_at": row["published_at"].isoformat()})


def check_generation(corpus: Corpus, generation: Generation) -> None:
    """Refuse a generation of which a file is gone or cut short. One without a manifest is let through: it is older than these.

    Raises:
        DamageError: it is damaged; says which file, and which command helps.
    """
    manifest = manifests.find_manifest(corpus, generation.generation, generation.versions)
    if manifest:
        manifests.check_manifest(corpus, manifest)


def insert_generation(corpus: Corpus, row: Mapping[str, object]) -> None:
    """Publish: write the manifest of the row, then insert the row, unless its generation is there.

    Raises:
        ConflictError: another run published this generation first.
    """
    manifests.write_manifests(corpus, [row])
    table = open_generations_table(corpus)
    locks.confirm_locks(corpus)
    rows = pa.Table.from_pylist([row], schema=GENERATIONS)
    if not table.merge_insert("generation").when_not_matched_insert_all().execute(rows).num_inserted_rows:
        raise ConflictError(f"generation {row['generation']} of {corpus} was published by another run: run the refresh again")


def open_generations_table(corpus: Corpus) -> "LanceTable":
    """Open the table of generations to write to it, made if it is new; columns that were added since it was made are added."""
    if lance.does_table_exist(corpus, "generations"):
        table = lance.open_table(corpus, "generations")
        missing = {name: f"'{value}'" for name, value in ADDED_LATER.items() if name not in table.schema.names}
        if missing:
            table.add_columns(missing)
    return lance.ensure_table(corpus, "generations", GENERATIONS)


def replace_generations(corpus: Corpus, rows: Sequence[GenerationRow], row: Mapping[str, object]) -> None:
    """Publish `row` and put `rows` in the place of those of their generations, all in one commit, after their manifests.

    Raises:
        ConflictError: another run published meanwhile.
    """
    table = open_generations_table(corpus)
    head = read_newest_generation(corpus)
    if head is None or head.generation + 1 != row["generation"]:
        raise ConflictError(f"generation {row['generation']} of {corpus} was published by another run: run this again")
    versions = {found["generation"]: found["versions"] for found in read_generation_rows(corpus)}
    manifests.write_manifests(corpus, [*(found for found in rows if found["versions"] != versions[found["generation"]]), row])
    locks.confirm_locks(corpus)
    merge = table.merge_insert("generation").when_matched_update_all().when_not_matched_insert_all()
    merge.execute(pa.Table.from_pylist([{**ADDED_LATER, **found} for found in (*rows, row)], schema=GENERATIONS))


def read_generation_rows(corpus: Corpus) -> list[GenerationRow]:
    """Return the rows of `generations` as the table holds them, oldest first."""
    rows: list[GenerationRow] = _read_table(corpus, "generations", None, None, None).sort_by("generation").to_pylist()
    return rows


def read_log(corpus: Corpus, name: str, columns: list[str] | None = None, where: str | None = None) -> pa.Table:
    """Return `columns` (None: all) of a log, such as metrics, of the rows that `where` (SQL) keeps.

    Raises:
        CorpusError: the table cannot be read.
    """
    return _read_table(corpus, name, None, columns, where)


def read_columns(
    corpus: Corpus, generation: Generation, name: str, columns: list[str] | None, where: str | None = None
) -> pa.Table:
    """Return `columns` (None: all) of a published table, of the rows that `where` (SQL) keeps.

    Raises:
        CorpusError: the table cannot be read.
    """
    return _read_table(corpus, name, generation.versions[name], columns, where)


def open_published(corpus: Corpus, generation: Generation, name: str) -> "LanceDataset":
    """Return a published table as a Lance dataset.

    Raises:
        CorpusError: the table cannot be read.
    """
    with _open_for_reading(corpus, name, generation.versions[name]) as dataset:
        return dataset


def read_batches(
    corpus: Corpus, generation: Generation, name: str, columns: list[str], where: str | None = None
) -> Iterator[pa.Table]:
    """Yield `columns` of a published table in parts of BATCH_ROWS rows, of the rows that `where` (SQL) keeps.

    Raises:
        CorpusError: the table cannot be read.
    """
    with _open_for_reading(corpus, name, generation.versions[name]) as dataset:
        for batch in dataset.to_batches(columns=columns, filter=where, batch_size=BATCH_ROWS, batch_readahead=READAHEAD):
            yield pa.Table.from_batches([batch])


def read_rows_of(corpus: Corpus, generation: Generation, name: str, columns: list[str], documents: Sequence[str]) -> pa.Table:
    """Return `columns`, one of which is document_id, of the rows of `documents`.

    A few documents are looked up in the index; for many, the column is scanned, because a condition on so many ids takes longer.

    Raises:
        CorpusError: the table cannot be read.
    """
    if len(documents) <= lance.FEW_DOCUMENTS:
        return read_columns(corpus, generation, name, columns, make_documents_condition(documents))
    wanted = pa.array(documents, pa.string())
    parts = (
        part.filter(pc.is_in(part["document_id"], value_set=wanted)) for part in read_batches(corpus, generation, name, columns)
    )
    return pa.concat_tables([read_columns(corpus, generation, name, columns, "false"), *parts])


def _read_table(corpus: Corpus, name: str, version: int | None, columns: list[str] | None, where: str | None) -> pa.Table:
    with _open_for_reading(corpus, name, version) as dataset:
        return dataset.to_table(columns=columns, filter=where)


@contextmanager
def _open_for_reading(corpus: Corpus, name: str, version: int | None) -> "Iterator[LanceDataset]":
    try:
        yield import_lance().dataset(str(corpus.table(name)), version=version)
    except (ValueError, OSError, RuntimeError) as error:
        raise make_read_error(corpus, name, version, error) from error


def make_read_error(corpus: Corpus, name: str, version: int | None, error: Exception) -> CorpusError:
    """Return the error that a table cannot be read, for an error of Lance's."""
    at = f"at version {version or 'head'} ({lance.explain_lance_error(error)})"
    return CorpusError(f"table {name} of {corpus} cannot be read {at}: {lance.TABLE_REMEDY}")
