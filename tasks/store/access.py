"""Access: what a principal may read of the published tables. All that answers anyone reads them by `OpenTables`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from schemas.access import EVERYONE, GROUPS, Principal, has_access
from schemas.corpus import Corpus
from schemas.errors import AccessError
from tasks.store.conditions import make_any_condition
from tasks.store.published import Generation, make_read_error, open_published, read_newest_generation

if TYPE_CHECKING:
    from lance import LanceDataset

ABOUT_OTHERS = frozenset({"duplicate_of", "similarity"})
"""Columns of documents that tell about other documents, which one may not be allowed to read."""

HOLD_GROUPS = ("documents", "chunks")
"""Tables that have a column of groups. Of the others, those rows are read whose document may be read."""


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


class OpenTables:
    """The tables of a generation as a principal may read them; each is opened when it is first read. Threads may share them."""

    def __init__(self, corpus: Corpus, live: Generation, principal: Principal | None) -> None:
        """Raises AccessError: see `find_access_condition`."""
        self._corpus, self._live, self.principal = corpus, live, principal
        self._condition = find_access_condition(corpus, live, principal)
        self._opened: dict[str, LanceDataset] = {}

    def reopen(self) -> "OpenTables":
        """Return the same tables, none of them open yet: reading them tells whether they are still there."""
        return OpenTables(self._corpus, self._live, self.principal)

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
