"""Parent-child: small chunks for search, each with the span of a larger chunk for reading."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace

from tasks.chunk.pieces import Piece
from tasks.chunk.sentences import Span
from tasks.chunk.size_check import merge_in_order, split_to_size
from tasks.chunk.strategies.contract import Chunker, ChunkerInput, all_atoms, clip


def parent_child(document: ChunkerInput, parent: Chunker, child: Chunker) -> Iterator[Piece]:
    """Cut the document by `parent`, and each parent by `child`. The pieces hold the span of their parent."""
    blocks = list(document.blocks)
    starts = [all_atoms([block])[0].start for block in blocks]
    ruler = document.ruler.resize(document.options.value("parent_tokens"))
    outer = replace(document, blocks=blocks, options=document.options.nested("parent"), ruler=ruler)

    def children(span: Span) -> Iterator[Piece]:
        near = blocks[max(0, bisect_right(starts, span[0]) - 1) : bisect_left(starts, span[1])]
        within = [part for block in near for part in clip(block, *span)]
        inner = replace(document, options=document.options.nested("child"), blocks=within)
        return (piece._replace(parent=span) for piece in child(inner))

    spans = dict.fromkeys(piece.span(document.text) for piece in split_to_size(parent(outer), ruler))
    return merge_in_order((span[0], children(span)) for span in spans)
