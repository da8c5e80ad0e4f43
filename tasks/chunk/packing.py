"""Packing: makes blocks into pieces, spans of the text with a limited number of tokens.

A table, listing or figure that fits is one piece, with its caption and, if that fits too, with its lead. Otherwise it is
cut between rows, lines or sentences. Prose is packed sentence by sentence. A heading of the two highest levels starts a new
piece, unless the piece before it is less than a quarter full. Headings stay with what follows them. The last piece of a run
takes sentences from the piece before it if it would be less than an eighth full.

A document is read in portions of a few pages: the tokens of each are counted in a few batches, and the first pieces are made
before the last blocks are read. Sums of counts only guide the packing: `tasks.chunk.size_check` counts every piece as it will be
embedded, and cuts it again if it is too long.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from tasks.chunk.batches import batched
from tasks.chunk.pieces import Piece, Ruler, cut_atom
from tasks.chunk.sentences import Span
from tasks.chunk.text_blocks import Atom, TextBlock

Measured = tuple[Atom, int]
"""An atom and its number of tokens, without special tokens."""

Grouping = Callable[[Iterable[Measured], Ruler], Iterable[list[Atom]]]
"""Groups the atoms of a run of prose into chunks, in order. What is too long is cut again later."""

BLOCKS_AT_ONCE = 8
"""Blocks whose tokens are counted together."""

TOP_LEVELS = 2
FULL_ENOUGH = 0.25
TAIL = 0.125
"""Shares of the size limit: a piece this full may end before a section, and a last piece less full than this is too small."""
CONTEXT = 0.5
"""Largest share of the size limit for a repeated caption and header."""


class CuttableBlock(NamedTuple):
    """A block to cut: its atoms, the context that its pieces repeat with its tokens, and the token limit of an atom."""

    kind: str
    atoms: Sequence[Measured]
    context: dict[Span, int]
    room: int


def draft_pieces(blocks: Iterable[TextBlock], ruler: Ruler, group: Grouping, measure: bool = True) -> Iterator[Piece]:
    """Yield pieces whose size is not yet checked: tables, listings and figures as packed here, prose as `group` packs it.

    With `measure`, `group` gets atoms that are measured and fit; without it, their number of tokens is 0.
    """
    for whole, parts in groupby(
        _draft_or_measure_blocks(blocks, ruler, measure), key=lambda part: isinstance(part, Piece) or part.kind != "text"
    ):
        if whole:
            for part in parts:
                yield from [part] if isinstance(part, Piece) else _cut_block_into_pieces(part, ruler)
        else:
            run = (measured for part in parts if isinstance(part, CuttableBlock) for measured in part.atoms)
            yield from (Piece("text", atoms) for atoms in group(run, ruler) if atoms)


def _draft_or_measure_blocks(blocks: Iterable[TextBlock], ruler: Ruler, measure: bool) -> Iterator[Piece | CuttableBlock]:
    """Yield blocks that fit as pieces, and the others to be cut. Consecutive blocks of prose are one run."""
    for portion in batched(blocks, BLOCKS_AT_ONCE):
        settled = _draft_fitting_blocks(portion, ruler)
        to_cut = [part for part in settled if isinstance(part, CuttableBlock)]
        measured = iter(_measure_atoms([part for part in to_cut if measure or part.kind != "text"], ruler))
        for part in settled:
            yield next(measured) if isinstance(part, CuttableBlock) and (measure or part.kind != "text") else part


def _draft_fitting_blocks(blocks: Sequence[TextBlock], ruler: Ruler) -> list[Piece | CuttableBlock]:
    """Make a piece of each table, listing or figure that fits; a lead that does not fit goes with the text before."""
    whole = [block for block in blocks if block.kind != "text"]
    drafts = [Piece(block.kind, atoms, block.context) for block in whole for atoms in ([*block.lead, *block.atoms], block.atoms)]
    lengths = iter(ruler.measure_pieces(drafts))
    contexts = iter(ruler.count_span_tokens([span for block in whole for span in block.context]))
    settled: list[Piece | CuttableBlock] = []
    for block in blocks:
        if block.kind == "text":
            settled.append(_make_cuttable_prose(block.atoms, ruler))
            continue
        with_lead, alone = next(lengths), next(lengths)
        context = {span: next(contexts) for span in block.context}
        if alone > ruler.get_piece_token_limit(block.kind):
            settled.append(_make_cuttable_block(block, context, ruler))
        elif with_lead > ruler.get_piece_token_limit(block.kind):
            settled += [_make_cuttable_prose(block.lead, ruler), Piece(block.kind, block.atoms, block.context)]
        else:
            settled.append(Piece(block.kind, [*block.lead, *block.atoms], block.context))
    return settled


def _make_cuttable_prose(atoms: Sequence[Atom], ruler: Ruler) -> CuttableBlock:
    return CuttableBlock("text", _with_zero_counts(atoms), {}, ruler.room)


def _with_zero_counts(atoms: Sequence[Atom]) -> list[Measured]:
    return [(atom, 0) for atom in atoms]


def _make_cuttable_block(block: TextBlock, context: dict[Span, int], ruler: Ruler) -> CuttableBlock:
    kept: dict[Span, int] = {}
    for span, n in context.items():
        if sum(kept.values()) + n <= ruler.get_piece_token_limit(block.kind) * CONTEXT:
            kept[span] = n
    return CuttableBlock(
        block.kind,
        _with_zero_counts([*block.lead, *block.atoms]),
        kept,
        ruler.get_text_token_limit(block.kind) - sum(kept.values()),
    )


def _measure_atoms(parts: Sequence[CuttableBlock], ruler: Ruler) -> list[CuttableBlock]:
    """Measure the atoms of all parts together. An atom that is too long for its part is cut until it fits."""
    found: list[list[Measured]] = [[] for _ in parts]
    pending = [(i, atom) for i, part in enumerate(parts) for atom, _ in part.atoms]
    while pending:
        tokens = ruler.count_span_tokens([(atom.start, atom.end) for _, atom in pending])
        again: list[tuple[int, Atom]] = []
        for (i, atom), n in zip(pending, tokens, strict=True):
            if n <= parts[i].room or atom.end - atom.start == 1:
                found[i].append((atom, n))
            else:
                # an eighth more parts than the tokens need, because they are not spread evenly over the text
                again.extend((i, piece) for piece in cut_atom(ruler.text, atom, n * 9 // (parts[i].room * 8) + 1))
        pending = again
    return [part._replace(atoms=sorted(atoms)) for part, atoms in zip(parts, found, strict=True)]


def _cut_block_into_pieces(part: CuttableBlock, ruler: Ruler) -> list[Piece]:
    groups = (
        map(_strip_counts, _pack_rows(part, ruler.get_text_token_limit(part.kind)))
        if part.context
        else pack_sentences(part.atoms, ruler)
    )
    return [Piece(part.kind, atoms, tuple(part.context)) for atoms in groups]


def _strip_counts(group: Sequence[Measured]) -> list[Atom]:
    return [atom for atom, _ in group]


def _pack_rows(part: CuttableBlock, room: int) -> list[list[Measured]]:
    """Pack rows. The context that a piece repeats counts as part of its size."""
    groups: list[list[Measured]] = []
    total = 0
    for atom, n in part.atoms:
        first = groups[-1][0][0] if groups else atom
        repeated = sum(cost for (low, high), cost in part.context.items() if low < first.start or high > atom.end)
        if not groups or total + n + repeated > room:
            groups.append([])
            total = 0
        groups[-1].append((atom, n))
        total += n
    return groups


def pack_sentences(measured: Iterable[Measured], ruler: Ruler, overlap: int = 0) -> Iterator[list[Atom]]:
    """Pack sentences. A group repeats the last sentences of the group before, of at most `overlap` tokens together."""
    groups = _pack_atoms(measured, ruler.room, overlap)
    return map(_strip_counts, groups if overlap else _balance_last_groups(groups, ruler.room))


def _pack_atoms(measured: Iterable[Measured], room: int, overlap: int) -> Iterator[list[Measured]]:
    group: list[Measured] = []
    total = 0
    for atom, n in measured:
        starts_section = 0 < atom.level <= TOP_LEVELS and total >= room * FULL_ENOUGH
        if group and (total + n > room or starts_section):
            closed, group = _detach_trailing_headings(group, room - n)
            yield from [closed] if closed else []
            if overlap and not starts_section:
                group = [*_take_overlap(closed, min(overlap, room - n - _sum_tokens(group))), *group]
            total = _sum_tokens(group)
        group.append((atom, n))
        total += n
    yield from [group] if group else []


def _take_overlap(group: Sequence[Measured], room: int) -> Sequence[Measured]:
    """Return the last atoms of a group that have at most `room` tokens together, but never all atoms."""
    sums = list(accumulate(n for _, n in reversed(group[1:])))
    kept = sum(total <= room for total in sums)
    return group[len(group) - kept :]


def _sum_tokens(group: Sequence[Measured]) -> int:
    return sum(n for _, n in group)


def _detach_trailing_headings(group: list[Measured], room: int) -> tuple[list[Measured], list[Measured]]:
    """Separate the headings at the end of a group. They go to the next group if it has room for them."""
    n = len(group)
    while n and group[n - 1][0].level:
        n -= 1
    return (group[:n], group[n:]) if _sum_tokens(group[n:]) <= room else (group, [])


def _balance_last_groups(groups: Iterable[list[Measured]], room: int) -> Iterator[list[Measured]]:
    """Divide the sentences of the last two groups evenly if the last one is tiny and does not start a section."""
    held: list[list[Measured]] = []
    for group in groups:
        yield from held[:-1]
        held = [*held[-1:], group]
    if len(held) == 2 and _sum_tokens(held[1]) < room * TAIL and not 0 < held[1][0][0].level <= TOP_LEVELS:
        held = _divide_groups_evenly(held[0], held[1], room)
    yield from held


def _divide_groups_evenly(before: list[Measured], last: list[Measured], room: int) -> list[list[Measured]]:
    both = [*before, *last]
    sums = list(accumulate(n for _, n in both))
    places = [i for i in range(1, len(both)) if not both[i - 1][0].level and max(sums[i - 1], sums[-1] - sums[i - 1]) <= room]
    best = min(places, key=lambda i: abs(2 * sums[i - 1] - sums[-1]), default=len(before))
    return [both[:best], both[best:]]
