"""Places: the chunks at the places that a question names, of the documents that it points to."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from tasks.search.hybrid import Candidate
from tasks.search.lying import lying, printed_off
from tasks.search.named_places import Named
from tasks.search.scent import MOST_CHOSEN
from tasks.store import conditions
from tasks.store.published import OpenTables

SEEN = ["pages", "embedding_text"]
"""What shows at which places a chunk lies, beside its section."""


def pointed_to(nearest: Iterable[Candidate]) -> list[str]:
    """Return the documents of the nearest chunks, MOST_CHOSEN of them: those that a question without a name points to."""
    return list(dict.fromkeys(one.place.document_id for one in nearest))[:MOST_CHOSEN]


def lying_in(named: Named, chunks: pa.Table, off: int) -> dict[str, frozenset[object]]:
    """Return the named places at which chunks of one document lie, by the numbers of their rows, without those at none."""
    columns = (chunks[name].to_pylist() for name in ("_rowid", "pages", "section", "embedding_text"))
    found = ((str(row), lying(named, pages, section, text, off)) for row, pages, section, text in zip(*columns, strict=True))
    return {row: places for row, places in found if places}


def printed_offs(tables: OpenTables, documents: Sequence[str]) -> dict[str, int]:
    """Return how far the printed numbers of pages are off in each document, see `printed_off`.

    Raises:
        CorpusError: the elements cannot be read.
    """
    if not documents:
        return {}
    where = f"{conditions.in_documents(documents)} AND kind = 'furniture'"
    rows: list[dict[str, Any]] = tables.read("elements", ["document_id", "page_number", "text"], where).to_pylist()
    of_document: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        of_document[row["document_id"]].append((row["page_number"], row["text"]))
    return {document: printed_off(furniture) for document, furniture in of_document.items()}
