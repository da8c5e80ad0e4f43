"""Sentence ends: found once, when a text is cut, and kept with each chunk, so that trimming need not look for them again."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.chunk.sentences import ENGLISH, Span, find_ends, join_ends, split_at_clear_ends


class ChunkEnds(NamedTuple):
    """A chunk of prose: its span, and where parts of its sentences end, see `sentence_ends`; None: that is not known."""

    start: int
    end: int
    ends: Sequence[int] | None = None


def sentence_ends(text: str, start: int, end: int, language: str) -> list[int]:
    """Return where sentences of `text[start:end]` end, counted from `start`, without its own end.

    A list marker, and what has no letter, stand apart: to which sentence they belong depends on what is before the chunk.

    >>> sentence_ends("Dr. Li left. She ran.", 0, 21, "en")
    [13]
    """
    return [at - start for at in find_ends(text, start, end, language)][:-1]


def split_run(text: str, run: Span, chunks: Sequence[ChunkEnds], language: str) -> Iterator[Span]:
    """Yield what `sentence_spans(text, *run, language)` yields; `run` is covered by `chunks`, whose ends are used.

    Where chunks meet within a paragraph, what none of them has as a whole is cut anew. Other languages than English are cut
    anew at once: their rules take little time.
    """
    [first, *others] = chunks
    if not others and first.ends is not None and run == (first.start, first.end):
        return join_ends(text, first.start, [*(first.start + at for at in first.ends), first.end])
    kept = [chunk for chunk in chunks if chunk.ends is not None] if language in ENGLISH else []
    known = dict(inner for chunk in kept for inner in _ends_of_parts(text, chunk.start, chunk.end, chunk.ends or ()))
    return join_ends(text, run[0], find_ends(text, *run, language, known))


def _ends_of_parts(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[tuple[Span, list[int]]]:
    """Yield the parts of a chunk that `part_ends` asks for, with the ends that are kept within each."""
    for low, high in split_at_clear_ends(text, start, end):
        bare = low + len(text[low:high].rstrip())
        yield (low, bare), [start + at for at in ends if low < start + at < bare]
