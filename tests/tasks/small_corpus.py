"""A published corpus of a few texts, made without a refresh; full-text search finds its chunks."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pyarrow as pa

from schemas.access import GROUPS, LISTED
from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.ids import chunk_id, digest, document_id
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from schemas.tables.elements import ELEMENTS
from schemas.tables.figures import FIGURES
from schemas.tables.generations import FORMAT, GENERATIONS
from schemas.tables.rejects import REJECTS
from tasks.language.detection import detect_language
from tasks.language.terms import extract_terms
from tasks.publish.io.rollback import publish_successor
from tasks.store import indexes, lance, published

DIMENSION = 8
RECIPE = "recipe"


def embed_alike(_: str) -> list[float]:
    """Return the vector of every text."""
    return [1.0] + [0.0] * (DIMENSION - 1)


def publish_corpus(
    folder: str,
    texts: Mapping[str, str],
    sources: tuple[str, ...] = ("main",),
    with_embedder: bool = False,
    groups: Mapping[str, Sequence[str]] | None = None,
    embed: Callable[[str], Sequence[float]] = embed_alike,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Publish `texts` by path, a chunk for each line, on page 1 for the first line, on page 2 for the second, and so on.

    With `groups` by path, the corpus says who may read. Each document has a figure then.

    Only a corpus `with_embedder` can embed questions; it costs a moment to name the default embedder's content.
    """
    columns = {} if groups is None else {GROUPS: LISTED}
    documents = [_document(source, path, text) for source in sources for path, text in texts.items()]
    chunks = [chunk for source in sources for path, text in texts.items() for chunk in _chunks(source, path, text)]
    for row in (*documents, *chunks):
        row |= {} if groups is None else {GROUPS: [*groups[row["path"]]]}
    for row in chunks:
        row["vector"] = [*embed(row["text"])]
    versions = {
        "documents": _write(folder, "documents", make_table_from_rows(documents, make_documents_schema(columns))),
        "chunks": _write(folder, "chunks", make_table_from_rows(chunks, make_chunks_schema(DIMENSION, columns))),
    }
    figures = [] if groups is None else [*map(_figure, documents)]
    versions["figures"] = _write(folder, "figures", make_table_from_rows(figures, FIGURES))
    versions["elements"] = lance.ensure_table(Corpus(folder), "elements", ELEMENTS).version
    versions["rejects"] = lance.ensure_table(Corpus(folder), "rejects", REJECTS).version
    for name in ("chunks", "documents"):
        indexes.maintain_indexes(lance.open_table(Corpus(folder), name))
        versions[name] = lance.open_table(Corpus(folder), name).version
    embedder = _default_embedder() if with_embedder else "none"
    counts = {"n_documents": len(documents), "n_chunks": len(chunks), "n_figures": len(figures), "n_elements": 0, "n_rejects": 0}
    lance.ensure_table(Corpus(folder), "generations", GENERATIONS).add(
        make_table_from_rows(
            [
                _generation(versions, counts)
                | {"columns": json.dumps(columns), "embedder": embedder, "options": json.dumps(options or {})}
            ],
            GENERATIONS,
        )
    )


def publish_again(folder: str, texts: Mapping[str, str | None]) -> int:
    """Publish the next generation of a corpus of one source, with other texts at some paths (None: without them); return it."""
    corpus = Corpus(folder)
    live = published.read_live_generation(corpus)
    ids, there = [document_id("main", path) for path in texts], {path: text for path, text in texts.items() if text is not None}
    made = {
        "documents": [_document("main", path, text) for path, text in there.items()],
        "chunks": [{**row, "vector": embed_alike("")} for path, text in there.items() for row in _chunks("main", path, text)],
    }
    versions = dict(live.versions)
    for name, rows in made.items():
        table = lance.open_table(corpus, name)
        lance.restore_table_version(corpus, name, live.versions[name])
        table.checkout_latest()
        replaced = ids if lance.has_rows_of(table, ids) else []
        lance.replace_documents(table, make_table_from_rows(rows, table.schema).to_reader() if rows else None, replaced)
        indexes.maintain_indexes(table)
        versions[name] = int(table.version)
    changes = {"generation": live.generation + 1, "run_id": uuid4().hex, "kind": "refresh", "purged": {}, "versions": versions}
    return publish_successor(corpus, live.model_copy(update=changes), time.time())


def _default_embedder() -> str:
    from tasks.embed.io.model_files import gather_embedder_facts
    from tasks.refresh.run import compute_embedder_digest

    return compute_embedder_digest(gather_embedder_facts("all-MiniLM-L6-v2"))


def _write(folder: str, name: str, rows: pa.Table) -> int:
    table = lance.ensure_table(Corpus(folder), name, rows.schema)
    table.add(rows)
    return int(table.version)


def _document(source: str, path: str, text: str) -> dict[str, Any]:
    blank = dict.fromkeys(("recipe", "metadata_hash", "title", "run_id"), "")
    counts = {"n_pages": text.count("\n") + 1, "n_chars": len(text), "n_elements": 0, "n_chunks": text.count("\n") + 1}
    place = {
        "document_id": document_id(source, path),
        "source_name": source,
        "path": path,
        "text": text,
        "sha256": digest(text),
        "language": detect_language(text) or None,
        "author": f"author of {path}",
    }
    return {**blank, **counts, **place, "media_type": "text/plain", "state": "current", "metadata": "{}"}


def _figure(document: Mapping[str, Any]) -> dict[str, Any]:
    name = document["document_id"]
    told = {"kind": "photograph", "ocr_text": "", "description": f"a picture: {document['text']}", "thumbnail": b"png"}
    return {**dict.fromkeys(FIGURES.names), "element_id": f"f{name}", "document_id": name, "page_number": 1, **told}


def _chunks(source: str, path: str, text: str) -> list[dict[str, Any]]:
    document, rows, start = document_id(source, path), [], 0
    for position, line in enumerate(text.split("\n")):
        end = start + len(line)
        rows.append(
            {
                "chunk_id": chunk_id(document, RECIPE, start, end, line),
                "document_id": document,
                "source_name": source,
                "path": path,
                "title": path,
                "recipe": RECIPE,
                "position": position,
                "start_char": start,
                "end_char": end,
                "text": line,
                "search_terms": extract_terms(line, detect_language(text)),
                "embedding_text": line,
                "n_tokens": len(line.split()) + 2,
                "kind": "text",
                "section": [],
                "pages": [position + 1],
                "boxes": [],
                "element_positions": [],
            }
        )
        start = end + 1
    return rows


def _generation(versions: Mapping[str, int], counts: Mapping[str, int]) -> dict[str, Any]:
    embed = {"options": {"model": "all-MiniLM-L6-v2"}}
    details = {"recipe_details": json.dumps({"embed": embed}), "versions": json.dumps(versions), "counts": json.dumps(counts)}
    empty = dict.fromkeys(("columns", "gate", "profile", "options", "purged"), "{}")
    return {
        **empty,
        **details,
        "generation": 1,
        "format": FORMAT,
        "base": 0,
        "kind": "refresh",
        "run_id": "run",
        "published_at": datetime.now(UTC),
        "recipe": RECIPE,
        "embedder": "none",
        "held": False,
    }
