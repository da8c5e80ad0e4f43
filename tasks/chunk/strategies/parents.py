"""Parent-child: small chunks to be found, each with the span of a large one to be read."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace

from tasks.chunk.pieces import Piece
from tasks.chunk.proof import in_order, proven
from tasks.chunk.sentences import Span
from tasks.chunk.strategies.contract import Chunker, Source, all_atoms, clipped


def parent_child(source: Source, parent: Chunker, child: Chunker) -> Iterator[Piece]:
    """Cut the document by `parent`, and each of the parents by `child`; the pieces carry their parent's span."""
    blocks = list(source.blocks)
    starts = [all_atoms([block])[0].start for block in blocks]
    ruler = source.ruler.resized(source.options.value("parent_tokens"))
    outer = replace(source, blocks=blocks, options=source.options.nested("parent"), ruler=ruler)

    def children(span: Span) -> Iterator[Piece]:
        near = blocks[max(0, bisect_right(starts, span[0]) - 1) : bisect_left(starts, span[1])]
        within = [part for block in near for part in clipped(block, *span)]
        inner = replace(source, options=source.options.nested("child"), blocks=within)
        return (piece._replace(parent=span) for piece in child(inner))

    spans = dict.fromkeys(piece.span(source.text) for piece in proven(parent(outer), ruler))
    return in_order((span[0], children(span)) for span in spans)
