"""Corpora of many chunks, written into the tables: embedding a million chunks would take hours.

The texts are those of `texts`. The first chunks have their own vectors. The others have vectors around those, as texts about the
same things have: clusters of unequal size. Rows are drawn and written in parts, by a process of its own: a search needs none of
what that keeps in memory.
"""

import hashlib
import json
import multiprocessing
import resource
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

import pagemill
from benchmarks.search import texts
from schemas.corpus import Corpus
from schemas.ids import chunk_id, document_id, element_id
from schemas.options.sections import EmbedOptions
from schemas.tables.documents import CURRENT
from tasks.embed.io.providers import open_provider
from tasks.embed.vectors import Vectors
from tasks.language.terms import extract_terms
from tasks.publish.io.rollback import make_successor
from tasks.publish.io.write import tag_table_versions
from tasks.store import indexes, lance, published
from tasks.store.loading import import_lance

EMBEDDED = 4_000
"""Chunks with vectors of their own."""
CHUNKS_A_DOCUMENT = 100
DOCUMENTS_AT_ONCE = 100
NEAR, FAR = 0.6, 0.95
"""Cosines of the other chunks to the one that they are drawn around."""
N_QUESTIONS = 60
GAP = "\n\n"


SHELF, SHELVES = "shelf", 100
"""A declared column: the documents of each of so many shelves are that share of all."""
COMMON, RARE, RARE_EVERY = "common", "rare", 100
"""Groups of documents where a corpus says who may read: one of so many is for the second."""


class Built(NamedTuple):
    """What it took to make a corpus: seconds to draw and write, seconds of indexing by table, the most memory in MiB."""

    writing: float
    indexing: dict[str, float]
    peak_mib: float


class Drawn(NamedTuple):
    """A corpus, questions that its first chunks answer, other ones, and what it took to make it."""

    corpus: Corpus
    questions: list[str]
    others: list[str]
    built: Built


def drawn_corpus(folder: Path, n_chunks: int, known: list[str], columns: Mapping[str, str] | None = None) -> Drawn:
    """Return a corpus of `n_chunks` chunks of the sentences `known`; it is made if it is not there."""
    corpus = Corpus(str(folder / f"corpus-{n_chunks}"))
    marker, first = corpus.marker("drawn.json"), _list_first_texts(known)
    if not marker.exists():
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            process.submit(_make_corpus, corpus, folder / "source", n_chunks, known, {SHELF: "int", **(columns or {})}).result()
    both = texts.questions(first, 2 * N_QUESTIONS)
    return Drawn(corpus, both[::2], both[1::2], Built(**json.loads(marker.read_bytes())))


def _list_first_texts(known: Sequence[str]) -> list[str]:
    """Return the texts of the chunks that have vectors of their own."""
    return [" ".join(found) for found in texts.chunks(known, EMBEDDED)]


def _make_corpus(corpus: Corpus, source: Path, n_chunks: int, known: Sequence[str], columns: dict[str, str]) -> None:
    source.mkdir(parents=True, exist_ok=True)
    (source / "note.txt").write_text("A note.\n")
    pagemill.refresh(source, corpus.uri, columns=columns)
    own = open_provider(EmbedOptions(too_long="truncate", engine="openvino")).encode(_list_first_texts(known))
    writing, indexing = _fill(corpus, known, n_chunks, own)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    corpus.marker("drawn.json").write_text(json.dumps(Built(writing, indexing, peak)._asdict()))


def around(centres: Vectors, n: int, seed: int) -> Vectors:
    """Return `n` vectors of length 1, each around one of the `centres`; some have many around them, most have few."""
    dice = np.random.default_rng(seed)
    chosen = centres[(len(centres) * dice.random(n) ** 2).astype(int)]
    noise = dice.standard_normal(chosen.shape, dtype=np.float32)
    noise -= (noise * chosen).sum(axis=1, keepdims=True) * chosen
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    near = dice.uniform(NEAR, FAR, (n, 1)).astype(np.float32)
    found: Vectors = near * chosen + np.sqrt(1 - near**2) * noise
    return found


def _fill(corpus: Corpus, known: Sequence[str], n_chunks: int, own: Vectors) -> tuple[float, dict[str, float]]:
    """Put `n_chunks` chunks in the place of what a corpus holds; return the seconds to write, and those of indexing by table."""
    live = published.read_live_generation(corpus)
    tables = {name: lance.open_table(corpus, name) for name in live.versions}
    began = time.monotonic()
    for name, table in tables.items():
        table.delete("true")
        if name in ("documents", "elements", "chunks"):
            parts = (part for rows in _rows(name, known, n_chunks, own, live.recipe, table.schema) for part in rows.to_batches())
            reader = pa.RecordBatchReader.from_batches(table.schema, parts)
            import_lance().write_dataset(reader, table.uri, mode="append")
        table.checkout_latest()
    writing, indexing = time.monotonic() - began, {}
    for name, table in tables.items():
        began = time.monotonic()
        indexes.maintain_indexes(table)
        indexing[name] = time.monotonic() - began
    versions = {name: int(table.version) for name, table in tables.items()}
    counts = {**live.counts, "n_chunks": n_chunks, "n_documents": -(-n_chunks // CHUNKS_A_DOCUMENT)}
    successor = make_successor(
        live.model_copy(update={"counts": counts}), live, versions, f"drawn-{time.time_ns()}", "refresh", held=False
    )
    tag_table_versions(corpus, successor.generation, versions)
    published.insert_generation(corpus, successor.as_row())
    return writing, indexing


def _rows(name: str, known: Sequence[str], n_chunks: int, own: Vectors, recipe: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of a table, those of DOCUMENTS_AT_ONCE documents at a time."""
    drawn, step = texts.chunks(known, n_chunks), CHUNKS_A_DOCUMENT * DOCUMENTS_AT_ONCE
    for at in range(0, n_chunks, step):
        found = list(islice(drawn, step))
        documents = [
            list(_pieces(found[low : low + CHUNKS_A_DOCUMENT], (at + low) // CHUNKS_A_DOCUMENT, recipe))
            for low in range(0, len(found), CHUNKS_A_DOCUMENT)
        ]
        pieces = [piece for of_document in documents for piece in of_document]
        if name == "documents":
            yield _conform([_document(of_document, recipe) for of_document in documents], schema)
        elif name == "elements":
            yield _conform([_element(piece) for piece in pieces], schema)
        else:
            vectors = own[at : at + step]
            vectors = np.concatenate([vectors, around(own, len(found) - len(vectors), at)])
            terms = [" ".join(filter(None, map(_extract_terms, sentences))) for sentences in found]
            rows = [{**piece, "search_terms": of_piece} for piece, of_piece in zip(pieces, terms, strict=True)]
            yield _conform(
                rows, schema, {"vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])}
            )


@lru_cache(None)
def _extract_terms(sentence: str) -> str:
    """Return the terms of a sentence; each is drawn many times."""
    return extract_terms(sentence, "en")


def _pieces(found: list[list[str]], number: int, recipe: str) -> Iterator[dict[str, Any]]:
    path, start = f"manual-{number:05d}.txt", 0
    name, group = document_id("main", path), COMMON if number % RARE_EVERY else RARE
    for position, sentences in enumerate(found):
        text = " ".join(sentences)
        end = start + len(text)
        yield {
            "chunk_id": chunk_id(name, recipe, start, end, text),
            "document_id": name,
            "path": path,
            "title": path,
            "recipe": recipe,
            "position": position,
            "start_char": start,
            "end_char": end,
            "text": text,
            "sentence_ends": list(accumulate(len(sentence) + 1 for sentence in sentences[:-1])),
            "embedding_text": text,
            "n_tokens": len(text) // 4,
            "kind": "text",
            "groups": [group],
            SHELF: number % SHELVES,
            "pages": [1 + position // 4],
            "element_positions": [position],
        }
        start = end + len(GAP)


def _document(pieces: list[dict[str, Any]], recipe: str) -> dict[str, Any]:
    text = GAP.join(piece["text"] for piece in pieces)
    text_digest = hashlib.sha256(text.encode()).hexdigest()
    of_first = {name: pieces[0][name] for name in ("document_id", "path", "title", "groups", SHELF)}
    counts = {"n_pages": pieces[-1]["pages"][0], "n_chars": len(text), "n_elements": len(pieces), "n_chunks": len(pieces)}
    return {
        **of_first,
        **counts,
        "recipe": recipe,
        "state": CURRENT,
        "media_type": "text/plain",
        "text": text,
        "sha256": text_digest,
    }


def _element(piece: dict[str, Any]) -> dict[str, Any]:
    page = piece["pages"][0]
    copied = {name: piece[name] for name in ("document_id", "position", "text", "start_char", "end_char")}
    own = element_id(piece["document_id"], page, piece["position"])
    return {**copied, "element_id": own, "page_number": page, "kind": "paragraph"}


def _conform(rows: list[dict[str, Any]], schema: pa.Schema, made: Mapping[str, pa.Array] | None = None) -> pa.Table:
    """Return rows as a table, with columns that are `made`; what they lack is blank."""
    columns = {**(made or {})}
    for field in schema:
        if field.name not in columns:
            blank = _blank(field)
            columns[field.name] = pa.array([row.get(field.name, blank) for row in rows], field.type)
    return pa.table([columns[name] for name in schema.names], schema=schema)


def _blank(field: pa.Field) -> Any:
    if field.nullable:
        return None
    if pa.types.is_list(field.type):
        return []
    return "" if pa.types.is_string(field.type) else 0
