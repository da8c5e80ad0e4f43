"""Sections: structural and page, which cut a document along its own parts, tables and listings included."""

from collections.abc import Sequence
from itertools import pairwise

from tasks.transforms.blocks import Block
from tasks.transforms.chunkers.contract import Source, all_atoms, block_starts, clipped
from tasks.transforms.packing import draft_pieces, sentence_groups
from tasks.transforms.pieces import Piece
from tasks.transforms.sentences import Span


def structural(source: Source) -> list[Piece]:
    """Make a piece of each section; small neighbours are joined, large sections are packed by sentences."""
    atoms = all_atoms(source.blocks)
    heads = [
        atom.start for before, atom in zip([None, *atoms], atoms, strict=False) if atom.level and not (before and before.level)
    ]
    return whole_or_packed(source, _joined(source, _between(source, heads)))


def page(source: Source) -> list[Piece]:
    """Make a piece of each page; a page that is too long is packed by sentences."""
    return whole_or_packed(source, _between(source, page_starts(source)))


def page_starts(source: Source) -> list[int]:
    """Return where the text of each page starts; a page without text has none."""
    first: dict[int, int] = {}
    for element in source.elements:
        if element["start_char"] is not None and element["end_char"] > element["start_char"]:
            at = first.get(element["page_number"], element["start_char"])
            first[element["page_number"]] = min(at, element["start_char"])
    return sorted(first.values())


def _between(source: Source, starts: Sequence[int]) -> list[Span]:
    """Return the spans between `starts`, from the first block's start to the text's end."""
    if not source.blocks:
        return []
    first = block_starts(source.blocks)[0]
    return list(pairwise([first, *(start for start in starts if start > first), len(source.text)]))


def _joined(source: Source, spans: Sequence[Span]) -> list[Span]:
    """Join a span that is shorter than min_tokens, and what follows it, as long as both fit together."""
    least = source.options.value("min_tokens")
    joined: list[Span] = []
    sizes: list[int] = []
    for span, n in zip(spans, source.ruler.measured(spans), strict=True):
        if joined and min(sizes[-1], n) < least and sizes[-1] + n <= source.ruler.room:
            joined[-1] = joined[-1][0], span[1]
            sizes[-1] += n
        else:
            joined.append(span)
            sizes.append(n)
    return joined


def whole_or_packed(source: Source, spans: Sequence[Span]) -> list[Piece]:
    """Make one piece of each span that fits, else pack its blocks by sentences."""
    starts = block_starts(source.blocks)
    parts = [clipped(source.blocks, starts, span) for span in spans]
    wholes = [Piece(_kind(part), all_atoms(part)) for part in parts if part]
    lengths = source.ruler.lengths([source.ruler.seen(whole) for whole in wholes])
    pieces: list[Piece] = []
    for part, whole, n in zip([part for part in parts if part], wholes, lengths, strict=True):
        pieces.extend([whole] if n <= source.ruler.size else draft_pieces(part, source.ruler, sentence_groups))
    return pieces


def _kind(blocks: Sequence[Block]) -> str:
    """Return the kind of a piece of all these blocks: theirs if there is one, else text."""
    return blocks[0].kind if len(blocks) == 1 else "text"
