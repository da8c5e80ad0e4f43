"""Open tables: those of one generation, kept open, so that what was read of their indexes stays in memory."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from tasks.store import published
from tasks.store.published import Generation


class OpenTables:
    """The tables of a generation; each is opened when it is first read. Threads may share them."""

    def __init__(self, corpus: Corpus, live: Generation) -> None:
        self._corpus, self._live = corpus, live
        self._opened: dict[str, Any] = {}

    def table(self, name: str) -> Any:
        """Return a table as a Lance dataset.

        Raises:
            CorpusError: it cannot be read.
        """
        if name not in self._opened:
            self._opened[name] = published.open_published(self._corpus, self._live, name)
        return self._opened[name]

    def read(self, name: str, columns: list[str] | None, where: str | None = None) -> pa.Table:
        """Return `columns` (None: all) of a table, of the rows that `where` (SQL) keeps.

        Raises:
            CorpusError: it cannot be read.
        """
        with self._reading(name) as table:
            return table.to_table(columns=columns, filter=where)

    def read_part(
        self, name: str, columns: list[str], where: str | None, order: Sequence[str], offset: int, limit: int | None
    ) -> tuple[int, pa.Table]:
        """Return how many rows of a table `where` (SQL) keeps, and in the `order` of columns `limit` of them from `offset` on.

        No more rows than these are kept in memory at once.

        Raises:
            CorpusError: it cannot be read.
        """
        with self._reading(name) as table:
            part = table.to_table(columns=columns, filter=where, order_by=[*order], offset=offset, limit=limit)
            return table.count_rows(where), part

    @contextmanager
    def _reading(self, name: str) -> Iterator[Any]:
        try:
            yield self.table(name)
        except (ValueError, OSError, RuntimeError) as error:
            raise published.read_error(self._corpus, name, self._live.versions[name], error) from error
