"""Document scans: a question is compared with all chunks of a few documents, those that it means or whose places it names."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.search.bm25 import choose_chunks_of_document, score_chunks_by_bm25
from tasks.search.chunk_source import LOCATED, POSITION, ChunkSource, Vector, compute_cosines, convert_to_lists
from tasks.search.named_places import NamedPlaces, estimate_printed_page_offset, find_places_of_chunk
from tasks.search.ranking import Candidate, ChunkPosition

Locations = dict[str, frozenset[object]]
"""The named places at which chunks are located, by row."""


class ScannedDocument(NamedTuple):
    """The chunks of a document, their rows, and for each its BM25 among them.

    `lexical` is None for a document that the question does not mean: it is scanned for the places that are named.
    """

    chunks: pa.Table
    rows: list[str]
    lexical: NDArray[np.float64] | None

    @property
    def document_id(self) -> str:
        """The id of the document."""
        name: str = self.chunks["document_id"][0].as_py()
        return name


class DocumentScan(NamedTuple):
    """What scanning adds: candidates by row, and for some of them the BM25 in their document and the places at which they are."""

    candidates: dict[str, Candidate]
    in_document: dict[str, float]
    locations: Locations


def read_documents_to_scan(
    source: ChunkSource, documents: Sequence[str], named: NamedPlaces, where: str | None
) -> list[ScannedDocument]:
    """Return the chunks of documents that meet the condition."""
    tables = source.read_documents(documents, where, LOCATED if named.names_any else ())
    return [ScannedDocument(table, list(map(str, table["_rowid"].to_pylist())), None) for table in tables]


def score_document_by_bm25(document: ScannedDocument, question: str, discounts: Mapping[str, float]) -> ScannedDocument:
    """Return a document with the BM25 of its chunks.

    A chunk's words are those of its text and of the path of its section, which the text itself seldom repeats.
    """
    columns = convert_to_lists(document.chunks["section"]), document.chunks["text"].to_pylist()
    texts = [" ".join([*section, text]) for section, text in zip(*columns, strict=True)]
    return document._replace(lexical=score_chunks_by_bm25(question, texts, discounts))


def find_chunks_in_documents(
    source: ChunkSource, documents: Sequence[ScannedDocument], named: NamedPlaces, vector: Vector, known: Mapping[str, Candidate]
) -> DocumentScan:
    """Return what the documents add to the candidates that are `known`: their best chunks, and those at named places."""
    scan = DocumentScan({}, {}, {})
    offsets = _find_printed_page_offsets(source, [one.document_id for one in documents] if named.pages else [])
    for one in documents:
        here = _locate_chunks_at_places(named, one.chunks, offsets.get(one.document_id, 0)) if named.names_any else {}
        scan.locations.update(here)
        cosines = compute_cosines(one.chunks, vector)
        chosen = [at for at, row in enumerate(one.rows) if row in here]
        if one.lexical is not None:
            taking_part = np.array([row in known or row in here for row in one.rows])
            found = choose_chunks_of_document(one.lexical, cosines, taking_part)
            scan.in_document.update({one.rows[at]: share for at, share in found.items()})
            chosen = list(found)
        if chosen:
            scan.candidates.update(_make_candidates(one.chunks.take(chosen), cosines[chosen]))
    return scan


def _find_printed_page_offsets(source: ChunkSource, documents: Sequence[str]) -> dict[str, int]:
    of_document: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for document, page, text in source.read_furniture(documents) if documents else ():
        of_document[document].append((page, text))
    return {document: estimate_printed_page_offset(furniture) for document, furniture in of_document.items()}


def _locate_chunks_at_places(named: NamedPlaces, chunks: pa.Table, page_offset: int) -> Locations:
    """Return the named places at which chunks of one document are located, by row. Chunks at none of them are left out."""
    columns = (chunks[name].to_pylist() for name in ("_rowid", "pages", "section", "embedding_text"))
    found = (
        (str(row), find_places_of_chunk(named, pages, section, text, page_offset))
        for row, pages, section, text in zip(*columns, strict=True)
    )
    return {row: places for row, places in found if places}


def _make_candidates(table: pa.Table, cosines: Vector) -> Iterator[tuple[str, Candidate]]:
    columns = (table[name].to_pylist() for name in ("_rowid", *POSITION))
    for row, document, position, section, cosine in zip(
        *columns, convert_to_lists(table["section"]), cosines.tolist(), strict=True
    ):
        yield str(row), Candidate(cosine, ChunkPosition(document, position), section)
