"""Chunk: cut the text of each document into spans that fit the embedder.

One row per content. Chunks contain every character of the text except white space between them. The strategy decides where
to cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from schemas.conform import conform_to_schema, make_table_from_rows
from schemas.options.sections import ChunkOptions
from schemas.records import AssembledDocument, ChunkSpan, DescribedDocument, PlacedElement
from schemas.staged import CHUNKED
from schemas.tables.rejects import Reject
from tasks.chunk.batches import batched
from tasks.chunk.citations import ElementIndex
from tasks.chunk.context_prefixes import ContextPrefixes
from tasks.chunk.pieces import Count, Piece, Ruler, Tables
from tasks.chunk.sentences import Span, find_relative_sentence_ends, find_sentence_spans
from tasks.chunk.strategies.contract import ChunkerInput, SentenceVectors, list_prose_sentences
from tasks.chunk.strategies.registry import WITHOUT_SENTENCES, cut_document
from tasks.chunk.text_blocks import Split, TextBlock, make_text_blocks
from tasks.embed.vectors import Vectors
from tasks.language.detection import detect_language

ROWS_AT_ONCE = 4096

EMPTY = Reject(
    step="chunk",
    error="EmptyDocument",
    message="the document contains no text",
    remedy="exclude it, or check whether its text can be read by OCR",
    final=True,
)


class Sentences(NamedTuple):
    """The sentences of a document's prose: start and text of each."""

    starts: list[int]
    texts: list[str]


class BoundaryInputs(NamedTuple):
    """What a strategy needs besides the document: a vector for each sentence, or the chunk starts that a model proposed.

    `reason` says why there are no proposals.
    """

    vectors: Vectors | None = None
    breaks: Sequence[int] = ()
    reason: str = ""


def chunk_content(
    described: DescribedDocument, options: ChunkOptions, count: Count, boundaries: BoundaryInputs | None = None
) -> pa.Table:
    """Cut one content's text, a row of DESCRIBED, into one row of CHUNKED.

    `count` returns the number of tokens of each text, special tokens included. No chunk's `embedding_text` has more than
    `options.size_tokens`, no table's more than `options.table_tokens`. A text without a visible character becomes a reject.

    Raises:
        DocumentError: one character has more than `options.size_tokens` tokens.
    """
    boundaries = boundaries or BoundaryInputs()
    rows = _make_chunk_array(make_chunks(described, options, count, boundaries))
    rejects = [] if len(rows) or _is_document_rejected(described) else [EMPTY]
    rejects += [make_fallback_reject(boundaries.reason)] if boundaries.reason and len(rows) else []
    found = make_table_from_rows([{"chunks": [], "rejects": [reject.model_dump() for reject in rejects]}], CHUNKED)
    whole = pa.ListArray.from_arrays(pa.array([0, len(rows)], pa.int32()), rows)
    return conform_to_schema(found.set_column(0, "chunks", [whole]), CHUNKED)


def _make_chunk_array(rows: Iterable[ChunkSpan]) -> pa.StructArray:
    """Return the chunks as an array; only ROWS_AT_ONCE of them are in memory as Python's values."""
    kind = CHUNKED.field("chunks").type.value_type
    return pa.concat_arrays([pa.array([], kind), *(pa.array(part, kind) for part in batched(rows, ROWS_AT_ONCE))])


def make_chunks(
    described: AssembledDocument, options: ChunkOptions, count: Count, boundaries: BoundaryInputs
) -> Iterator[ChunkSpan]:
    """Yield the chunks of `chunk_content` in order, each as soon as the strategy has made it.

    Raises:
        DocumentError: as `chunk_content`; the chunks before that character have been yielded.
    """
    text, index = described["text"], ElementIndex(described["elements"])
    language = None if options.strategy in WITHOUT_SENTENCES else detect_language(text)
    document = _build_chunker_input(described, options, count, boundaries, language)
    return (
        _build_chunk_row(piece, text, document.ruler, index, _find_piece_sentence_ends(piece, text, language))
        for piece in cut_document(document)
    )


def split_document_into_sentences(described: AssembledDocument) -> Sentences:
    """Return the sentences that a strategy compares by their vectors, or between which a language model proposes boundaries."""
    text = described["text"]
    atoms = list_prose_sentences(
        make_text_blocks(text, described["elements"], split=_make_sentence_splitter(detect_language(text)))
    )
    return Sentences([atom.start for atom in atoms], [text[atom.start : atom.end].strip() for atom in atoms])


def _build_chunker_input(
    described: AssembledDocument, options: ChunkOptions, count: Count, boundaries: BoundaryInputs, language: str | None
) -> ChunkerInput:
    text, elements = described["text"], described["elements"]
    prefixes = ContextPrefixes(elements, options.context) if {"title", "section"} & set(options.context) else None
    tables = Tables(options.longest_tokens, options.wide_table_columns)
    ruler = Ruler(text, options.size_tokens, count, prefixes, tables)
    blocks: Iterable[TextBlock] = _split_into_blocks(text, elements, options, language)
    vectorised = None
    if boundaries.vectors is not None:
        blocks = list(blocks)
        vectorised = SentenceVectors(
            [atom.start for atom in list_prose_sentences(blocks)], np.asarray(boundaries.vectors, dtype=np.float32)
        )
    return ChunkerInput(blocks, elements, options, ruler, vectorised, boundaries.breaks)


def _split_into_blocks(
    text: str, elements: Sequence[PlacedElement], options: ChunkOptions, language: str | None
) -> Iterator[TextBlock]:
    repeated = [name for name in options.context if name in ("header", "caption")]
    return make_text_blocks(
        text, elements, repeated, _keep_prose_whole if language is None else _make_sentence_splitter(language)
    )


def _make_sentence_splitter(language: str) -> Split:
    """Return the function that cuts prose in this language into sentences."""
    return partial(find_sentence_spans, language=language)


def _keep_prose_whole(text: str, start: int, end: int) -> list[Span]:
    return [(start, end)]


def _build_chunk_row(piece: Piece, text: str, ruler: Ruler, index: ElementIndex, sentence_ends: list[int] | None) -> ChunkSpan:
    start, end = piece.trim_span(text)
    parent = piece.parent or (None, None)
    return {
        "start_char": start,
        "end_char": end,
        "text": text[start:end],
        "embedding_text": ruler.build_embedding_text(piece),
        "n_tokens": piece.n_tokens,
        "kind": piece.kind,
        **index.cite_span(start, end),
        "parent_start_char": parent[0],
        "parent_end_char": parent[1],
        "sentence_ends": sentence_ends,
    }


def _find_piece_sentence_ends(piece: Piece, text: str, language: str | None) -> list[int] | None:
    """Return where the sentences of a piece of prose end; None if the text was not cut into sentences."""
    return (
        find_relative_sentence_ends(text, *piece.trim_span(text), language)
        if language is not None and piece.kind == "text"
        else None
    )


def _is_document_rejected(described: DescribedDocument) -> bool:
    return any(reject["page_number"] == 0 for reject in described["rejects"])


def make_fallback_reject(reason: str) -> Reject:
    """Return the reject of a document that another strategy cut. It names page 1: page 0 would reject the whole document."""
    return Reject(
        step="chunk",
        page_number=1,
        error="NoProposal",
        message=f"cut by its structure, because the language model proposed no boundaries: {reason}",
        remedy="choose another model in chunk.chat_model, or run with --rebuild to ask this one again",
        final=True,
    )
