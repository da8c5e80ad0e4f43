"""Published documents: their list, the text of one, or a part of it."""

import json
import re
from typing import Any

import pyarrow.compute as pc

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import InputError, UnknownDocument
from schemas.served import DocumentPart
from tasks.search.io.filters import translate_condition_to_sql
from tasks.store import conditions, published
from tasks.store.access import OpenTables
from tasks.store.published import Generation

DOCUMENT_ID = re.compile(r"[0-9a-f]{32}")
PART_CHARS = 20_000
"""Characters of a part, if nobody asks for more or less."""
NAMED_CHARS = 200
FACTS = ["document_id", "source_name", "path", "title", "author", "created", "media_type", "state", "n_pages", "n_chars"]


def list_published_documents(
    corpus: Corpus, where: str | None = None, principal: Principal | None = None
) -> list[dict[str, object]]:
    """Return the documents of the live generation that a principal may read, sorted by source and path.

    `where` is a condition on their columns.

    Raises:
        AccessError: see `find_access_condition`.
        CorpusError: nothing is published.
        InputError: the condition is not valid.
    """
    live = published.read_live_generation(corpus)
    return list_page_of_documents(OpenTables(corpus, live, principal), live, where)[1]


def list_page_of_documents(
    tables: OpenTables, live: Generation, where: str | None, offset: int = 0, limit: int | None = None
) -> tuple[int, list[dict[str, object]]]:
    """Return how many documents of a generation fit, and at most `limit` of them from `offset` on, by source and path.

    Raises:
        InputError: the condition is not valid.
        CorpusError: the table cannot be read.
    """
    columns = [name for name in tables.schema("documents").names if name not in ("text", "signature", "pii_findings")]
    condition = translate_condition_to_sql(tables, "documents", where)
    n, rows = tables.read_part(columns, condition, ("source_name", "path"), offset, limit)
    return n, [{**row, "metadata": json.loads(row["metadata"])} for row in rows.to_pylist()]


def read_document_text(
    tables: OpenTables, live: Generation, document: str, page: int | None = None, start: int = 0, length: int = PART_CHARS
) -> DocumentPart:
    """Return at most `length` characters of a document's text, from the `start`-th on, counted from 0.

    `document` is its id, or its path. With `page`, counted from 1, the text of this page, and `start` counts in the page.

    Raises:
        UnknownDocument: the generation has no such document.
        InputError: several sources have the path, the document has no such page, or `start` or `length` is out of range.
        CorpusError: the tables cannot be read.
    """
    if start < 0 or length < 1:
        raise InputError(f"start is {start} and length {length}: start counts from 0, and length from 1")
    row = find_published_document(tables, live, document, [*FACTS, "text"])
    text = row.pop("text")
    low, high = (0, len(text)) if page is None else _find_text_span_of_page(tables, row, page)
    begin = min(low + start, high)
    end = min(begin + length, high)
    part: dict[str, Any] = {
        "start_char": begin,
        "end_char": end,
        "next_start_char": None if end >= high else end - low,
        "text": text[begin:end],
    }
    return DocumentPart(**row, **part, generation=live.generation, page=page)


def find_published_document(tables: OpenTables, live: Generation, document: str, columns: list[str]) -> dict[str, Any]:
    """Return `columns` of a published document, named by its id or its path.

    Raises:
        UnknownDocument: the generation has no such document.
        InputError: several sources have the path.
        CorpusError: the table cannot be read.
    """
    column = "document_id" if DOCUMENT_ID.fullmatch(document) else "path"
    document = document.encode("utf-8", "replace").decode()
    rows = tables.read("documents", columns, conditions.make_in_condition(column, [document])).to_pylist()
    shown = document[:NAMED_CHARS]
    if not rows:
        raise UnknownDocument(f"generation {live.generation} has no document {shown}: see its list of documents")
    if len(rows) > 1:
        raise InputError(f"{len(rows)} sources have a document {shown}: name it by its document_id")
    found: dict[str, Any] = rows[0]
    return found


def _find_text_span_of_page(tables: OpenTables, row: dict[str, Any], page: int) -> tuple[int, int]:
    """Return where the text of a page starts and ends; the elements of a page follow each other."""
    if not 1 <= page <= row["n_pages"]:
        raise InputError(f"{row['path']} has pages 1 to {row['n_pages']}: there is no page {page}")
    if row["n_pages"] == 1:
        return 0, int(row["n_chars"])
    where = f"{conditions.make_documents_condition([row['document_id']])} AND page_number = {page} AND start_char IS NOT NULL"
    found = tables.read("elements", ["start_char", "end_char"], where)
    if not found.num_rows:
        return 0, 0
    return pc.min(found["start_char"]).as_py(), pc.max(found["end_char"]).as_py()
