"""Size check: pieces are counted as they will be embedded, and cut again until none is too long."""

from collections.abc import Iterable, Iterator, Sequence

from schemas.errors import DocumentError
from tasks.chunk.batches import batched
from tasks.chunk.pieces import CHARACTERS_PER_TOKEN, Piece, Ruler, cut_atom
from tasks.chunk.sentences import Span
from tasks.chunk.text_blocks import Atom

PIECES_AT_ONCE = 32
"""Pieces whose tokens are counted together."""


def split_pieces_to_size(drafts: Iterable[Piece], ruler: Ruler) -> Iterator[Piece]:
    """Yield the pieces in order, with their tokens. Pieces that are too long are halved until they fit; blank ones are dropped.

    `drafts` are sorted by their starts.

    Raises:
        DocumentError: one character has more tokens than the ruler allows.
    """
    return merge_pieces_in_order(
        (batch[0].atoms[0].start, _split_batch_to_size(batch, ruler)) for batch in batched(drafts, PIECES_AT_ONCE)
    )


def merge_pieces_in_order(groups: Iterable[tuple[int, Iterable[Piece]]]) -> Iterator[Piece]:
    """Yield the pieces of all groups in order. With each group comes the lowest start of its pieces and of all later ones."""
    held: list[Piece] = []
    for first, pieces in groups:
        yield from (piece for piece in held if piece.atoms[0].start < first)
        held = sorted([*(piece for piece in held if piece.atoms[0].start >= first), *pieces], key=_get_piece_bounds)
    yield from held


def _get_piece_bounds(piece: Piece) -> Span:
    return piece.atoms[0].start, piece.atoms[-1].end


def _split_batch_to_size(drafts: Sequence[Piece], ruler: Ruler) -> list[Piece]:
    done: list[Piece] = []
    pending = [draft for draft in drafts if _contains_text(draft, ruler.text)]
    while pending:
        texts = [ruler.build_embedding_text(draft) for draft in pending]
        counts = ruler.count_tokens_with_special(texts)
        again: list[Piece] = []
        for draft, text, n in zip(pending, texts, counts, strict=True):
            if n <= (most := ruler.get_piece_token_limit(draft.kind)) and len(text) <= most * CHARACTERS_PER_TOKEN:
                done.append(draft._replace(n_tokens=n))
            else:
                again.extend(half for half in _halve_piece(draft, ruler) if _contains_text(half, ruler.text))
        pending = again
    return done


def _contains_text(piece: Piece, text: str) -> bool:
    start, end = piece.trim_span(text)
    return start < end


def _halve_piece(piece: Piece, ruler: Ruler) -> list[Piece]:
    atoms = piece.atoms
    if len(atoms) > 1:
        middle = (atoms[0].start + atoms[-1].end) / 2
        at = min(range(1, len(atoms)), key=lambda i: abs(atoms[i].start - middle))
        return [piece._replace(atoms=atoms[:at]), piece._replace(atoms=atoms[at:])]
    if piece.context:
        return [piece._replace(context=())]
    start, end = piece.trim_span(ruler.text)
    if end - start == 1:
        raise DocumentError(
            f"one character has more than {ruler.size} tokens: raise chunk.size_tokens or choose another embedder"
        )
    return [piece._replace(atoms=[atom]) for atom in cut_atom(ruler.text, Atom(start, end), 2)]
