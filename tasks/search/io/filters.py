"""Conditions in SQL that select rows, on the columns of chunks or on the columns of documents."""

import re
from collections.abc import Mapping

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.tables.chunks import chunks_schema
from schemas.tables.documents import documents_schema
from tasks.store import conditions, lance, published
from tasks.store.published import Generation

COLUMNS = {"documents": documents_schema({}).names, "chunks": chunks_schema(1, {}).names}
"""The columns of every corpus. Declared columns are added to both tables."""

OF_DOCUMENTS = {*COLUMNS["documents"]} - {*COLUMNS["chunks"]}
"""Columns that only documents have, such as author."""

QUOTED = r"""'(?:[^']|'')*'|"[^"]*"|`[^`]*`"""
BREAKS = re.compile(r";|--|/\*")
"""Characters that end a condition or start a comment."""

SHOWN_CHARS = 200
"""Most characters of a condition, and of its problem, in an error message."""


def read_where(corpus: Corpus, live: Generation, name: str, columns: list[str] | None, where: str | None) -> pa.Table:
    """Return `columns` (None: all) of published documents or chunks. `where` is the caller's condition (None: all rows).

    Raises:
        InputError: the condition is not valid; the message names the columns.
        CorpusError: the table cannot be read.
    """
    try:
        return published.read_columns(corpus, live, name, columns, None if where is None else whole(where))
    except CorpusError as error:
        if where is None:
            raise
        published.read_columns(corpus, live, name, columns)
        raise InputError(_misfit(name, where, str(error.__cause__), live.columns)) from error


def _misfit(name: str, where: str, reason: str, declared: Mapping[str, str]) -> str:
    why = lance.reason(reason).split(". Valid fields", 1)[0].removeprefix("Invalid user input: ")
    _, repeated, parser = why.rpartition(f" WHERE {whole(where)} (")
    why = parser.removesuffix(")").removeprefix("sql parser error: ") if repeated else why
    columns = ", ".join([*COLUMNS[name], *declared])
    apart = f"; or, by themselves, those of documents: {', '.join(sorted(OF_DOCUMENTS))}" if name == "chunks" else ""
    return f"the condition {where[:SHOWN_CHARS]!r} does not fit ({why[:SHOWN_CHARS]}): the columns of {name} are {columns}{apart}"


def on_chunks(corpus: Corpus, live: Generation, where: str | None) -> str | None:
    """Return a caller's condition as a condition on chunks. A condition on documents selects all their chunks.

    Raises:
        InputError: a condition on documents is not valid. It cannot also use columns that only chunks have.
    """
    if where is None or not names_in(where) & OF_DOCUMENTS:
        return None if where is None else whole(where)
    found = read_where(corpus, live, "documents", ["document_id"], where)
    return conditions.in_documents(found["document_id"].to_pylist())


def whole(where: str) -> str:
    """Return the condition in parentheses. Without them, Lance would use the first condition and ignore the rest.

    Raises:
        InputError: Lance could still ignore a part of the condition.

    >>> whole("year = 2023 AND path = 'a;b--(.txt'")
    "(year = 2023 AND path = 'a;b--(.txt')"
    """
    if not where.strip():
        raise InputError("the condition is empty: leave it out, or compare a column, such as path = 'a.pdf'")
    plain = re.sub(QUOTED, "", where)
    if found := BREAKS.search(plain):
        raise InputError(
            f"the condition {where[:SHOWN_CHARS]!r} holds {found[0]} outside of quotes: write one condition without comments, "
            "and join its parts with AND or OR"
        )
    depth = 0
    for letter in plain:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            raise InputError(f"the condition {where[:SHOWN_CHARS]!r} closes a parenthesis that was not opened: correct it")
    return f"({where})"


def bare(where: str | None) -> str | None:
    """Return a condition as its caller wrote it, without the parentheses of `whole`.

    >>> bare("(year = 2023)"), bare("document_id IN ('a')")
    ('year = 2023', "document_id IN ('a')")
    """
    return where[1:-1] if where and where.startswith("(") else where


def names_in(condition: str) -> set[str]:
    """Return the words of an SQL condition that can be columns (not in quotes), in lower case.

    >>> sorted(names_in("Author = 'kind of' and `n_pages` > 3"))
    ['and', 'author', 'n_pages']
    """
    return {name.lower() for name in re.findall(r"""'(?:[^']|'')*'|"[^"]*"|([A-Za-z_]\w*)""", condition) if name}
