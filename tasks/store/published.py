"""The published state: the newest row of `generations`, and narrow reads of the tables that it names."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict

from schemas.access import EVERYONE, GROUPS, Principal, has_access
from schemas.corpus import Corpus
from schemas.errors import AccessError, ConflictError, CorpusError
from schemas.records import GenerationRow
from schemas.references import GateOutcome
from schemas.tables.generations import ADDED_LATER, FORMAT, GENERATIONS
from tasks.store import lance, locks
from tasks.store.conditions import make_any_condition, make_documents_condition
from tasks.store.integrity import manifests
from tasks.store.loading import import_lance

if TYPE_CHECKING:
    from lance import LanceDataset
    from lancedb.table import LanceTable

JSON_COLUMNS = ("columns", "versions", "counts", "gate", "profile", "options")

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


def is_open_to_all(live: Generation) -> bool:
    """Return whether who does not say who it is may read all documents of a generation."""
    return not has_access(live.columns) or live.options.get("access", {}).get("open") is True


def find_access_condition(corpus: Corpus, live: Generation, principal: Principal | None) -> str | None:
    """Return the SQL condition that rows of documents and chunks must meet for a principal to read them; None: all may be read.

    All that answers anyone reads tables by `OpenTables`, which is the one caller.

    Raises:
        AccessError: the corpus says who may read it, and nobody is named; or somebody is, and it does not say.
    """
    if principal is not None and principal.is_owner:
        return None
    if not has_access(live.columns):
        if principal is None:
            return None
        raise AccessError(
            f"{corpus} does not say who may read its documents: declare the column groups, and build the corpus anew, "
            "or ask without groups"
        )
    if principal is not None:
        return make_any_condition(GROUPS, sorted({EVERYONE, *principal.groups}))
    if is_open_to_all(live):
        return None
    raise AccessError(
        f"{corpus} answers only to those who may read it: say who asks: --as groups=finance on "
        "the command line, as_=Principal(['finance']) in Python, a token of the server's file over HTTP"
    )


def check_owner(corpus: Corpus, principal: Principal | None) -> None:
    """Check that somebody may be told about all documents of a corpus; one that is not published yet tells nothing.

    Raises:
        AccessError: the corpus says who may read it, and it is not its owner who asks.
    """
    live = read_newest_generation(corpus)
    if live and find_access_condition(corpus, live, principal):
        raise AccessError(f"this tells about all documents of {corpus}, whoever may read them: ask as its owner (--as owner)")


ABOUT_OTHERS = frozenset({"duplicate_of", "similarity"})
"""Columns of documents that tell about other documents, which one may not be allowed to read."""

HOLD_GROUPS = ("documents", "chunks")
"""Tables that have a column of groups. Of the others, those rows are read whose document may be read."""


class OpenTables:
    """The tables of a generation as a principal may read them; each is opened when it is first read. Threads may share them."""

    def __init__(self, corpus: Corpus, live: Generation, principal: Principal | None) -> None:
        """Raises AccessError: see `find_access_condition`."""
        self._corpus, self._live, self._principal = corpus, live, principal
        self._condition = find_access_condition(corpus, live, principal)
        self._opened: dict[str, LanceDataset] = {}

    def reopen(self) -> "OpenTables":
        """Return the same tables, none of them open yet: reading them tells whether they are still there."""
        return OpenTables(self._corpus, self._live, self._principal)

    @property
    def is_restricted(self) -> bool:
        """Whether there may be documents that the principal may not read."""
        return self._condition is not None

    def check_whole(self, what: str) -> None:
        """Check that all documents may be read.

        Raises:
            AccessError: they may not; `what` cannot be limited to some.
        """
        if self.is_restricted:
            raise AccessError(f"{what} cannot be limited to the documents that you may read: only the corpus's owner gets it")

    def schema(self, name: str) -> pa.Schema:
        """Return the columns of a table, but those that the principal may not read.

        Raises:
            CorpusError: it cannot be read.
        """
        schema: pa.Schema = self.open_unrestricted(name).schema
        return pa.schema([field for field in schema if not self.is_restricted or field.name not in ABOUT_OTHERS])

    def open_unrestricted(self, name: str) -> "LanceDataset":
        """Return a table with all rows as a Lance dataset: nothing of it may reach who asks but by `restrict`.

        Raises:
            CorpusError: it cannot be read.
        """
        if name not in self._opened:
            self._opened[name] = open_published(self._corpus, self._live, name)
        return self._opened[name]

    def restrict(self, where: str | None) -> str | None:
        """Return a condition on documents or chunks in SQL that also keeps to what the principal may read; None: all rows."""
        if self._condition is None or where is None:
            return self._condition if where is None else where
        return f"{self._condition} AND ({where})"

    @cached_property
    def _readable(self) -> frozenset[str]:
        """The ids of the documents that the principal may read."""
        return frozenset(self.read("documents", ["document_id"])["document_id"].to_pylist())

    def keep_readable(self, documents: Iterable[str]) -> list[str]:
        """Return those of some ids whose documents the principal may read."""
        return [name for name in documents if name in self._readable] if self.is_restricted else [*documents]

    def read(self, name: str, columns: list[str] | None, where: str | None = None) -> pa.Table:
        """Return `columns` (None: all) of a table, of the rows that `where` (SQL) keeps.

        Raises:
            AccessError: a column tells about other documents, and not all may be read.
            CorpusError: it cannot be read.
        """
        if self.is_restricted:
            columns = self.schema(name).names if columns is None else columns
            if hidden := ABOUT_OTHERS & {*columns}:
                raise AccessError(f"{', '.join(sorted(hidden))} tells about other documents: only the corpus's owner gets it")
        with self._translate_errors(name) as table:
            if self._condition is None or name in HOLD_GROUPS:
                return table.to_table(columns=columns, filter=self.restrict(where))
            read = columns if columns is None or "document_id" in columns else [*columns, "document_id"]
            rows = table.to_table(columns=read, filter=where)
        kept = rows.filter(pa.array([name in self._readable for name in rows["document_id"].to_pylist()], pa.bool_()))
        return kept if columns is None else kept.select(columns)

    def read_part(
        self, columns: list[str], where: str | None, order: Sequence[str], offset: int, limit: int | None
    ) -> tuple[int, pa.Table]:
        """Return how many documents `where` (SQL) keeps, and in the `order` of columns `limit` of them from `offset` on.

        No more rows than these are kept in memory at once.

        Raises:
            CorpusError: the table cannot be read.
        """
        with self._translate_errors("documents") as table:
            ordering: list[Any] = [*order]  # Lance takes names of columns, too
            kept = self.restrict(where)
            part = table.to_table(columns=columns, filter=kept, order_by=ordering, offset=offset, limit=limit)
            return table.count_rows(kept), part

    @contextmanager
    def _translate_errors(self, name: str) -> "Iterator[LanceDataset]":
        try:
            yield self.open_unrestricted(name)
        except (ValueError, OSError, RuntimeError) as error:
            raise make_read_error(self._corpus, name, self._live.versions[name], error) from error
