"""Corpora of many chunks, written into the tables: embedding a million chunks would take hours.

The texts are those of `texts`. The first chunks have their own vectors. The others have vectors around those, as texts about the
same things have: clusters of unequal size.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping
from itertools import accumulate
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


class Drawn(NamedTuple):
    """A corpus, questions that its first chunks answer, other ones, and the seconds that indexing took, by table."""

    corpus: Corpus
    questions: list[str]
    others: list[str]
    seconds: dict[str, float]


COMMON, RARE, RARE_EVERY = "common", "rare", 100
"""Groups of documents where a corpus says who may read: one of so many is for the second."""


def drawn_corpus(folder: Path, n_chunks: int, known: list[str], columns: Mapping[str, str] | None = None) -> Drawn:
    """Return a corpus of `n_chunks` chunks of the sentences `known`; it is made if it is not there."""
    corpus = Corpus(str(folder / f"corpus-{n_chunks}"))
    first = [" ".join(found) for found in texts.chunks(known, EMBEDDED)]
    both = texts.questions(first, 2 * N_QUESTIONS)
    asked, others = both[::2], both[1::2]
    if corpus.marker("drawn").exists():
        return Drawn(corpus, asked, others, {})
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    (source / "note.txt").write_text("A note.\n")
    pagemill.refresh(source, corpus.uri, columns={**(columns or {})})
    vectors = open_provider(EmbedOptions(too_long="truncate", engine="openvino")).encode(first)
    seconds = _fill(corpus, texts.chunks(known, n_chunks), vectors)
    corpus.marker("drawn").touch()
    return Drawn(corpus, asked, others, seconds)


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


def _fill(corpus: Corpus, drawn: list[list[str]], own: Vectors) -> dict[str, float]:
    live = published.read_live_generation(corpus)
    tables = {name: lance.open_table(corpus, name) for name in live.versions}
    for table in tables.values():
        table.delete("true")
    for rows in _rows(drawn, own, live.recipe, {name: table.schema for name, table in tables.items()}):
        for name, part in rows.items():
            import_lance().write_dataset(part, tables[name].uri, mode="append")
    seconds = {}
    for name, table in tables.items():
        table.checkout_latest()
        began = time.monotonic()
        indexes.maintain_indexes(table)
        seconds[name] = time.monotonic() - began
    versions = {name: int(table.version) for name, table in tables.items()}
    counts = {**live.counts, "n_chunks": len(drawn), "n_documents": -(-len(drawn) // CHUNKS_A_DOCUMENT)}
    successor = make_successor(
        live.model_copy(update={"counts": counts}), live, versions, f"drawn-{time.time_ns()}", "refresh", held=False
    )
    tag_table_versions(corpus, successor.generation, versions)
    published.insert_generation(corpus, successor.as_row())
    return seconds


def _rows(drawn: list[list[str]], own: Vectors, recipe: str, schemas: dict[str, pa.Schema]) -> Iterator[dict[str, pa.Table]]:
    step = CHUNKS_A_DOCUMENT * DOCUMENTS_AT_ONCE
    for at in range(0, len(drawn), step):
        part = drawn[at : at + step]
        vectors = own[at : at + step]
        vectors = np.concatenate([vectors, around(own, len(part) - len(vectors), at)])
        documents: list[dict[str, Any]] = []
        pieces: list[dict[str, Any]] = []
        for low in range(0, len(part), CHUNKS_A_DOCUMENT):
            of_document = list(
                _pieces(part[low : low + CHUNKS_A_DOCUMENT], f"manual-{(at + low) // CHUNKS_A_DOCUMENT:05d}.txt", recipe)
            )
            pieces += of_document
            documents.append(_document(of_document, recipe))
        rows = {"documents": documents, "elements": [_element(piece) for piece in pieces], "chunks": pieces}
        made = {name: _conform(found, schemas[name]) for name, found in rows.items()}
        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])
        place = made["chunks"].schema.get_field_index("vector")
        made["chunks"] = made["chunks"].set_column(place, schemas["chunks"].field("vector"), column)
        yield made


def _pieces(found: list[list[str]], path: str, recipe: str) -> Iterator[dict[str, Any]]:
    name, start = document_id("main", path), 0
    group = COMMON if int(path[-9:-4]) % RARE_EVERY else RARE
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
            "search_terms": extract_terms(text, "en"),
            "sentence_ends": list(accumulate(len(sentence) + 1 for sentence in sentences[:-1])),
            "embedding_text": text,
            "n_tokens": len(text) // 4,
            "kind": "text",
            "groups": [group],
            "pages": [1 + position // 4],
            "element_positions": [position],
        }
        start = end + len(GAP)


def _document(pieces: list[dict[str, Any]], recipe: str) -> dict[str, Any]:
    text = GAP.join(piece["text"] for piece in pieces)
    text_digest = hashlib.sha256(text.encode()).hexdigest()
    of_first = {name: pieces[0][name] for name in ("document_id", "path", "title", "groups")}
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


def _conform(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return rows as a table; what they lack is blank."""
    columns = {}
    for field in schema:
        blank = _blank(field)
        columns[field.name] = pa.array([row.get(field.name, blank) for row in rows], field.type)
    return pa.table(columns, schema=schema)


def _blank(field: pa.Field) -> Any:
    if field.nullable:
        return None
    if pa.types.is_fixed_size_list(field.type):
        return [0.0] * field.type.list_size
    if pa.types.is_list(field.type):
        return []
    return "" if pa.types.is_string(field.type) else 0
