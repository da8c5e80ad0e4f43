"""Recursive: cut at the first separator that occurs, what is too long at the next one, and pack the parts again.

Packing adds up the parts' tokens as the published splitters do when they are given the embedder's tokenizer: each part counts
with special tokens of its own, and so does what joins it to the one before. Chunks of many short parts so stay below the size.
"""

from collections.abc import Sequence
from functools import partial

from tasks.transforms.blocks import Atom
from tasks.transforms.chunkers.contract import Source
from tasks.transforms.packing import Measured, draft_pieces
from tasks.transforms.pieces import Piece, Ruler
from tasks.transforms.sentences import Span


def recursive(source: Source) -> list[Piece]:
    """Cut runs of prose by `separators`; parts of one level are packed up to `size_tokens`."""
    separators, overlap = source.options.value("separators"), source.options.value("overlap_tokens")
    group = partial(_grouped, separators=separators, overlap=overlap)
    return draft_pieces(source.blocks, source.ruler, group, measure=False)


def _grouped(run: Sequence[Measured], ruler: Ruler, separators: Sequence[str], overlap: int) -> list[list[Atom]]:
    whole = (run[0][0].start, run[-1][0].end)
    [spans] = _cut([whole], ruler, separators, overlap)
    return [[Atom(*span)] for span in spans]


def _cut(spans: Sequence[Span], ruler: Ruler, separators: Sequence[str], overlap: int) -> list[list[Span]]:
    """Return the chunks of each of `spans`, all of which are too long or not yet measured; all are measured together."""
    if not separators:
        return [[span] for span in spans]
    parts = [_split(ruler.text, span, separators[0]) for span in spans]
    counts = iter([n + ruler.special for n in ruler.measured([part for of_span in parts for part in of_span])])
    measured = [[(part, next(counts)) for part in of_span] for of_span in parts]
    room = ruler.room + ruler.special
    too_long = [part for of_span in measured for part, n in of_span if n > room]
    deeper = dict(zip(too_long, _cut(too_long, ruler, separators[1:], overlap), strict=True)) if too_long else {}
    return [_packed(of_span, room, (overlap, ruler.special), deeper) for of_span in measured]


def _split(text: str, span: Span, separator: str) -> list[Span]:
    """Tile `span` with parts that end behind a separator."""
    start, end = span
    parts = []
    at = text.find(separator, start, end)
    while at >= 0:
        after = at + len(separator)
        parts.append((start, after))
        start = after
        at = text.find(separator, start, end)
    if start < end:
        parts.append((start, end))
    return parts


def _packed(
    measured: Sequence[tuple[Span, int]], room: int, extra: tuple[int, int], deeper: dict[Span, list[Span]]
) -> list[Span]:
    """Join parts up to `room` tokens; those that are too long stand for their own chunks.

    `extra` are the tokens of the overlap, and those that each join counts.
    """
    overlap, join = extra
    chunks: list[Span] = []
    group: list[tuple[Span, int]] = []
    total = 0
    for part, n in measured:
        if group and total + n + join > room:
            chunks.append((group[0][0][0], group[-1][0][1]))
            while group and (total > overlap or total + n + join > room):
                total -= group.pop(0)[1] + (join if group else 0)
        if part in deeper:
            chunks.extend(deeper[part])
            group, total = [], 0
            continue
        total += n + (join if group else 0)
        group.append((part, n))
    if group:
        chunks.append((group[0][0][0], group[-1][0][1]))
    return chunks
