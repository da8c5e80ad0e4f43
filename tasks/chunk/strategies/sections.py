"""Sections: the strategies structural and page, which cut a document at its own sections or pages."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from tasks.chunk.batches import batched
from tasks.chunk.packing import draft_pieces, pack_sentences
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.strategies.contract import ChunkerInput, clip_block, list_block_atoms
from tasks.chunk.text_blocks import Atom, TextBlock

Cuts = Callable[[Sequence[Atom], Atom | None], Sequence[int]]
"""Returns where to cut the atoms of a block, given the atom before them."""

PARTS_AT_ONCE = 32
"""Parts of a document whose tokens are counted together."""


def cut_by_sections(document: ChunkerInput) -> Iterator[Piece]:
    """Make a piece of each section. Small neighbours are joined, large sections are packed by sentences."""
    sections = _split_blocks_at(document.blocks, _find_heading_starts)
    return _keep_or_pack_parts(_join_small_parts(sections, document.options.value("min_tokens"), document.ruler), document.ruler)


def cut_by_pages(document: ChunkerInput) -> Iterator[Piece]:
    """Make a piece of each page. A page that is too long is packed by sentences."""
    starts = find_page_starts(document)

    def find_breaks(atoms: Sequence[Atom], before: Atom | None) -> Sequence[int]:
        return starts[bisect_left(starts, atoms[0].start) : bisect_left(starts, atoms[-1].end)]

    return _keep_or_pack_parts(_split_blocks_at(document.blocks, find_breaks), document.ruler)


def find_page_starts(document: ChunkerInput) -> list[int]:
    """Return where the text of each page starts. Pages without text are skipped."""
    first: dict[int, int] = {}
    for element in document.elements:
        if element["start_char"] is not None and element["end_char"] > element["start_char"]:
            at = first.get(element["page_number"], element["start_char"])
            first[element["page_number"]] = min(at, element["start_char"])
    return sorted(first.values())


def _find_heading_starts(atoms: Sequence[Atom], before: Atom | None) -> list[int]:
    """Return where headings start; of consecutive headings only the first counts."""
    beside = zip([before, *atoms], atoms, strict=False)
    return [atom.start for left, atom in beside if atom.level and not (left and left.level)]


def _split_blocks_at(blocks: Iterable[TextBlock], cuts: Cuts) -> Iterator[list[TextBlock]]:
    """Yield the blocks in parts that begin at the cuts. A block may be cut too."""
    part: list[TextBlock] = []
    before: Atom | None = None
    for block in blocks:
        atoms = [*block.lead, *block.atoms]
        low = atoms[0].start
        for at in cuts(atoms, before):
            part += clip_block(block, low, at)
            yield from [part] if part else []
            part, low = [], at
        part += clip_block(block, low, atoms[-1].end)
        before = atoms[-1]
    yield from [part] if part else []


def _join_small_parts(parts: Iterable[list[TextBlock]], least: int, ruler: Ruler) -> Iterator[list[TextBlock]]:
    """Join a part of fewer than `least` tokens, and what follows it, if both fit together."""
    joined: list[TextBlock] = []
    size = 0
    for batch in batched(parts, PARTS_AT_ONCE):
        spans = [(list_block_atoms(part[:1])[0].start, part[-1].span[1]) for part in batch]
        for part, n in zip(batch, ruler.count_span_tokens(spans), strict=True):
            if joined and min(size, n) < least and size + n <= ruler.room:
                joined, size = [*joined, *part], size + n
                continue
            yield from [joined] if joined else []
            joined, size = part, n
    yield from [joined] if joined else []


def _keep_or_pack_parts(parts: Iterable[list[TextBlock]], ruler: Ruler) -> Iterator[Piece]:
    """Make one piece of each part that fits, else pack its blocks by sentences."""
    for batch in batched(parts, PARTS_AT_ONCE):
        wholes = [Piece(_choose_piece_kind(part), list_block_atoms(part)) for part in batch]
        lengths = ruler.measure_pieces(wholes)
        for part, whole, n in zip(batch, wholes, lengths, strict=True):
            yield from [whole] if n <= ruler.get_piece_token_limit(whole.kind) else draft_pieces(part, ruler, pack_sentences)


def _choose_piece_kind(blocks: Sequence[TextBlock]) -> str:
    """Return the kind of a piece made of these blocks: that of a single block, else text."""
    return blocks[0].kind if len(blocks) == 1 else "text"
