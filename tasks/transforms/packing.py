"""Packing: blocks made into pieces of at most so many tokens, each a span of the text.

A table, listing or figure that fits is one piece, with its caption and, if that fits too, with what leads to it; else it is
cut between rows, lines or sentences. Prose is packed sentence by sentence. A heading of the two highest levels starts a new
piece, unless the piece before it is less than a quarter full; headings go with what follows them; a run's last piece, if it
would be less than an eighth full, takes sentences from the one before.

Tokens are counted in a few batches a document. Sums of counts only guide the packing: every piece is counted as it will be
embedded, and cut again if it is too long.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from tasks.transforms.blocks import Atom, Block
from tasks.transforms.pieces import Count, Piece, Ruler, cut_atom
from tasks.transforms.proof import proven
from tasks.transforms.sentences import Span

Measured = tuple[Atom, int]
"""An atom and its tokens, without special ones."""

Grouping = Callable[[Sequence[Measured], Ruler], list[list[Atom]]]
"""Makes the atoms of a run of prose into chunks; what is too long is cut again later."""

TOP_LEVELS = 2
FULL_ENOUGH = 0.25
TAIL = 0.125
"""Shares of the size: a piece that may end before a section, and a last piece that is too small."""
CONTEXT = 0.5
"""Largest share of the size that a repeated caption and header take."""


class Part(NamedTuple):
    """A block that must be cut, the context its pieces repeat with its tokens, and the tokens that an atom may have."""

    kind: str
    atoms: list[Atom]
    context: dict[Span, int]
    room: int


def pack(text: str, blocks: Sequence[Block], size: int, count: Count) -> list[Piece]:
    """Return pieces in order that together hold all of the blocks but white space.

    Raises:
        DocumentError: one character alone takes more than `size` tokens.
    """
    ruler = Ruler(text, size, count)
    return proven(draft_pieces(blocks, ruler, sentence_groups), ruler)


def draft_pieces(blocks: Sequence[Block], ruler: Ruler, group: Grouping, measure: bool = True) -> list[Piece]:
    """Return pieces, not yet proven: tables, listings and figures as they are packed, runs of prose as `group` makes them.

    With `measure`, the atoms that `group` gets are measured and fit; without, their tokens are given as 0.
    """
    settled = _settled(blocks, ruler)
    parts = [part for part in settled if isinstance(part, Part)]
    cut = iter(_measured([part for part in parts if measure or part.kind != "text"], ruler))
    drafts: list[Piece] = []
    for part in settled:
        if isinstance(part, Piece):
            drafts.append(part)
        elif part.kind == "text":
            run = next(cut) if measure else [(atom, 0) for atom in part.atoms]
            drafts.extend(Piece("text", atoms) for atoms in group(run, ruler) if atoms)
        else:
            drafts.extend(_drafts(part, next(cut), ruler))
    return drafts


def _settled(blocks: Sequence[Block], ruler: Ruler) -> list[Piece | Part]:
    """Make a piece of each table, listing or figure that fits; a lead for which there is no room goes with the text before."""
    whole = [block for block in blocks if block.kind != "text"]
    drafts = [Piece(block.kind, atoms) for block in whole for atoms in ([*block.lead, *block.atoms], block.atoms)]
    lengths = iter(ruler.lengths([ruler.seen(draft) for draft in drafts]))
    contexts = iter(ruler.measured([span for block in whole for span in block.context]))
    settled: list[Piece | Part] = []
    for block in blocks:
        if block.kind == "text":
            settled.append(Part("text", block.atoms, {}, ruler.room))
            continue
        with_lead, alone = next(lengths), next(lengths)
        context = {span: next(contexts) for span in block.context}
        if alone > ruler.size:
            settled.append(_cuttable(block, context, ruler))
        elif with_lead > ruler.size:
            _append_text(settled, block.lead, ruler)
            settled.append(Piece(block.kind, block.atoms))
        else:
            settled.append(Piece(block.kind, [*block.lead, *block.atoms]))
    return settled


def _cuttable(block: Block, context: dict[Span, int], ruler: Ruler) -> Part:
    kept: dict[Span, int] = {}
    for span, n in context.items():
        if sum(kept.values()) + n <= ruler.size * CONTEXT:
            kept[span] = n
    return Part(block.kind, [*block.lead, *block.atoms], kept, ruler.room - sum(kept.values()))


def _append_text(settled: list[Piece | Part], atoms: list[Atom], ruler: Ruler) -> None:
    before = settled.pop() if settled and isinstance(settled[-1], Part) and settled[-1].kind == "text" else None
    settled.append(Part("text", [*(before.atoms if before else ()), *atoms], {}, ruler.room))


def _measured(parts: Sequence[Part], ruler: Ruler) -> list[list[Measured]]:
    """Measure the atoms of all parts together; an atom for which a part has no room is cut until it has."""
    found: list[list[Measured]] = [[] for _ in parts]
    pending = [(i, atom) for i, part in enumerate(parts) for atom in part.atoms]
    while pending:
        tokens = ruler.measured([(atom.start, atom.end) for _, atom in pending])
        again: list[tuple[int, Atom]] = []
        for (i, atom), n in zip(pending, tokens, strict=True):
            if n <= parts[i].room or atom.end - atom.start == 1:
                found[i].append((atom, n))
            else:
                again.extend((i, piece) for piece in cut_atom(ruler.text, atom, n * 9 // (parts[i].room * 8) + 1))
        pending = again
    return [sorted(rows) for rows in found]


def _drafts(part: Part, measured: Sequence[Measured], ruler: Ruler) -> list[Piece]:
    groups = _bare(_row_groups(part, measured, ruler.room)) if part.context else sentence_groups(measured, ruler)
    return [Piece(part.kind, atoms, tuple(part.context)) for atoms in groups]


def _bare(groups: Sequence[Sequence[Measured]]) -> list[list[Atom]]:
    return [[atom for atom, _ in group] for group in groups]


def _row_groups(part: Part, measured: Sequence[Measured], room: int) -> list[list[Measured]]:
    """Pack rows; a piece pays for the context that it repeats."""
    groups: list[list[Measured]] = []
    total = 0
    for atom, n in measured:
        first = groups[-1][0][0] if groups else atom
        repeated = sum(cost for (low, high), cost in part.context.items() if low < first.start or high > atom.end)
        if not groups or total + n + repeated > room:
            groups.append([])
            total = 0
        groups[-1].append((atom, n))
        total += n
    return groups


def sentence_groups(measured: Sequence[Measured], ruler: Ruler, overlap: int = 0) -> list[list[Atom]]:
    """Pack sentences; a group begins with those at the end of the one before that take at most `overlap` tokens together."""
    groups: list[list[Measured]] = []
    group: list[Measured] = []
    total = 0
    for atom, n in measured:
        starts_section = 0 < atom.level <= TOP_LEVELS and total >= ruler.room * FULL_ENOUGH
        if group and (total + n > ruler.room or starts_section):
            closed, group = _parted(group, ruler.room - n)
            groups.extend([closed] if closed else [])
            if overlap and not starts_section:
                group = [*_tail(closed, min(overlap, ruler.room - n - _total(group))), *group]
            total = _total(group)
        group.append((atom, n))
        total += n
    groups = [*groups, group] if group else groups
    return _bare(groups if overlap or not groups else _balanced(groups, ruler.room))


def _tail(group: Sequence[Measured], room: int) -> Sequence[Measured]:
    """Return the last atoms of a group that take at most `room` tokens together, never all of them."""
    sums = list(accumulate(n for _, n in reversed(group[1:])))
    kept = sum(total <= room for total in sums)
    return group[len(group) - kept :]


def _total(group: Sequence[Measured]) -> int:
    return sum(n for _, n in group)


def _parted(group: list[Measured], room: int) -> tuple[list[Measured], list[Measured]]:
    """Part the headings at a group's end, which go on to the next group if it has room for them."""
    n = len(group)
    while n and group[n - 1][0].level:
        n -= 1
    return (group[:n], group[n:]) if _total(group[n:]) <= room else (group, [])


def _balanced(groups: list[list[Measured]], room: int) -> list[list[Measured]]:
    """Share the sentences of the last two groups evenly if the last one is tiny and starts no section."""
    last = groups[-1]
    if len(groups) < 2 or _total(last) >= room * TAIL or 0 < last[0][0].level <= TOP_LEVELS:
        return groups
    both = [*groups[-2], *last]
    sums = list(accumulate(n for _, n in both))
    places = [i for i in range(1, len(both)) if not both[i - 1][0].level and max(sums[i - 1], sums[-1] - sums[i - 1]) <= room]
    best = min(places, key=lambda i: abs(2 * sums[i - 1] - sums[-1]), default=len(groups[-2]))
    return [*groups[:-2], both[:best], both[best:]]
