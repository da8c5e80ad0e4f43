"""Parent-child: small chunks to be found, each with the span of a large one to be read."""

from dataclasses import replace

from tasks.transforms.chunkers.contract import Chunker, Source, block_starts, clipped
from tasks.transforms.pieces import Piece
from tasks.transforms.proof import proven


def parent_child(source: Source, parent: Chunker, child: Chunker) -> list[Piece]:
    """Cut the document by `parent`, and each of the parents by `child`; the pieces carry their parent's span."""
    outer = replace(
        source, options=source.options.nested("parent"), ruler=source.ruler.resized(source.options.value("parent_tokens"))
    )
    spans = [piece.span(source.text) for piece in proven(parent(outer), outer.ruler)]
    starts = block_starts(source.blocks)
    pieces: list[Piece] = []
    for span in dict.fromkeys(spans):
        inner = replace(source, options=source.options.nested("child"), blocks=clipped(source.blocks, starts, span))
        pieces.extend(piece._replace(parent=span) for piece in child(inner))
    return pieces
