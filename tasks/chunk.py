"""Chunk: cut the text of each document into spans that fit the embedder.

One row per content; its chunks hold every character of the text but white space between them.
"""

from typing import Any

import pyarrow as pa

from schemas.conform import from_rows
from schemas.options import ChunkOptions
from schemas.rejects import Reject
from schemas.staged import CHUNKED
from tasks.transforms.blocks import make_blocks
from tasks.transforms.citations import Places
from tasks.transforms.packing import pack
from tasks.transforms.pieces import Count, Piece

CHUNKER_VERSION = "2"
"""Raise it when the output changes."""


def chunk_content(described: dict[str, Any], options: ChunkOptions, count: Count) -> pa.Table:
    """Cut one content's text, a row of DESCRIBED, into one row of CHUNKED.

    `count` returns the tokens of each text, special ones included; no chunk's `embedding_text` has more than
    `options.size_tokens`. A text without a visible character is a reject.

    Raises:
        DocumentError: one character alone takes more than `options.size_tokens` tokens.
    """
    text, elements = described["text"], described["elements"]
    pieces = pack(text, make_blocks(text, elements), options.size_tokens, count)
    places = Places(elements)
    rejects = [] if pieces or _rejected(described) else [_empty().model_dump()]
    return from_rows([{"chunks": [_row(piece, text, places) for piece in pieces], "rejects": rejects}], CHUNKED)


def _row(piece: Piece, text: str, places: Places) -> dict[str, Any]:
    start, end = piece.span(text)
    return {
        "start_char": start,
        "end_char": end,
        "text": text[start:end],
        "embedding_text": piece.embedding_text(text),
        "n_tokens": piece.n_tokens,
        "kind": piece.kind,
        **places.cite(start, end),
        "parent_start_char": None,
        "parent_end_char": None,
    }


def _rejected(described: dict[str, Any]) -> bool:
    return any(reject["page_number"] == 0 for reject in described["rejects"])


def _empty() -> Reject:
    return Reject(
        step="chunk",
        error="EmptyDocument",
        message="the document holds no text",
        remedy="exclude it, or check whether its text can be read by OCR",
        final=True,
    )
