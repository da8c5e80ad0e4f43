"""Recursive: cuts at the first separator that occurs, cuts parts that are too long at the next one, and packs the parts.

The tokens of parts are added up as the published splitters do with the embedder's tokenizer: each part, and what joins it to the
one before, counts with its own special tokens. Therefore chunks of many short parts stay below the size limit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tasks.chunk.batches import batched
from tasks.chunk.packing import Measured, draft_pieces
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.sentences import Span
from tasks.chunk.strategies.contract import ChunkerInput
from tasks.chunk.text_blocks import Atom

PARTS_AT_ONCE = 512
"""Parts whose tokens are counted together."""


class SplitRule(NamedTuple):
    """Separators still to try, tokens of overlap, and whether a part keeps the separator at its end or at its start."""

    separators: Sequence[str]
    overlap: int
    keep: str


def cut_recursively(document: ChunkerInput) -> Iterator[Piece]:
    """Cut runs of prose by `separators`; parts of one level are packed up to `size_tokens`."""
    rule = SplitRule(*map(document.options.value, ("separators", "overlap_tokens", "keep_separator")))

    def cut_run_recursively(run: Iterable[Measured], ruler: Ruler) -> Iterator[list[Atom]]:
        atoms = [atom for atom, _ in run]
        return ([Atom(*span)] for span in _cut_span_recursively((atoms[0].start, atoms[-1].end), ruler, rule))

    return draft_pieces(document.blocks, document.ruler, cut_run_recursively, measure=False)


def _cut_span_recursively(span: Span, ruler: Ruler, rule: SplitRule) -> Iterator[Span]:
    """Yield the chunks of `span`, which is too long or not yet measured."""
    if not rule.separators:
        return iter([span])
    parts = batched(_split_at_separator(ruler.text, span, rule.separators[0], rule.keep), PARTS_AT_ONCE)
    measured = (
        (part, n + ruler.special) for batch in parts for part, n in zip(batch, ruler.count_span_tokens(batch), strict=True)
    )
    deeper = partial(_cut_span_recursively, ruler=ruler, rule=rule._replace(separators=rule.separators[1:]))
    return _pack_parts(measured, ruler.room + ruler.special, (rule.overlap, ruler.special), deeper)


def _split_at_separator(text: str, span: Span, separator: str, keep: str) -> Iterator[Span]:
    """Cut `span` into parts that end after a separator, or that start with one."""
    start, end = span
    at = text.find(separator, start, end)
    while at >= 0:
        after = at + len(separator)
        cut = after if keep == "end" else at
        if start < cut:
            yield start, cut
        start = cut
        at = text.find(separator, after, end)
    if start < end:
        yield start, end


def _pack_parts(
    measured: Iterable[tuple[Span, int]], room: int, extra: tuple[int, int], deeper: Callable[[Span], Iterator[Span]]
) -> Iterator[Span]:
    """Join parts up to `room` tokens. A part that is too long is replaced by the chunks that `deeper` makes of it.

    `extra` are the tokens of the overlap, and the tokens that each join adds.
    """
    overlap, join = extra
    group: list[tuple[Span, int]] = []
    total = 0
    for part, n in measured:
        if group and total + n + join > room:
            yield group[0][0][0], group[-1][0][1]
            while group and (total > overlap or total + n + join > room):
                total -= group.pop(0)[1] + (join if group else 0)
        if n > room:
            yield from deeper(part)
            continue
        total += n + (join if group else 0)
        group.append((part, n))
    if group:
        yield group[0][0][0], group[-1][0][1]
