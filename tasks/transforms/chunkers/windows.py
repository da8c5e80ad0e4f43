"""Windows: token-window and sentence-window, which move over the text by a fixed step."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from tasks.transforms.blocks import Atom
from tasks.transforms.chunkers.contract import Source
from tasks.transforms.packing import Measured, draft_pieces
from tasks.transforms.pieces import Piece, Ruler, cut_atom
from tasks.transforms.sentences import Span

LONG_WORD = 16
"""A run without blanks of more tokens (a script without spaces, a long number) is cut, or windows would be ragged."""

_SPACES = re.compile(r"(\s+)")


def token_window(source: Source) -> list[Piece]:
    """Cut runs of prose into windows of whole words, each `size_tokens` less `overlap_tokens` behind the last."""
    stride = source.options.size_tokens - source.options.value("overlap_tokens")
    return draft_pieces(source.blocks, source.ruler, partial(_windows, stride=stride), measure=False)


def sentence_window(source: Source) -> list[Piece]:
    """Cut runs of prose into windows of `n_sentences`; windows that are too long are halved."""
    n, shared = source.options.value("n_sentences"), source.options.value("overlap_sentences")

    def group(measured: Sequence[Measured], ruler: Ruler) -> list[list[Atom]]:
        starts = range(0, max(1, len(measured) - shared), n - shared)
        return [[atom for atom, _ in measured[start : start + n]] for start in starts]

    return draft_pieces(source.blocks, source.ruler, group)


def _windows(run: Sequence[Measured], ruler: Ruler, stride: int) -> list[list[Atom]]:
    low, high = run[0][0].start, run[-1][0].end
    starts, counts = _words(ruler, low, high)
    if not starts:
        return []
    ends = [*starts[1:], high]
    sums = [0, *accumulate(counts)]
    return [[Atom(starts[a], ends[b - 1])] for a, b in _ranges(sums, ruler.room, stride)]


def _ranges(sums: Sequence[int], room: int, stride: int) -> Iterator[Span]:
    """Yield ranges [a, b) of words with at most `room` tokens, one word at least; `sums` are the tokens before each word.

    A range starts with the word that holds the token `stride` tokens behind the last start, and never behind the last end.
    """
    n, a, b, goal = len(sums) - 1, 0, 0, 0
    while b < n:
        end = max(a + 1, bisect_right(sums, sums[a] + room) - 1)
        if end > b:
            yield a, end
            b = end
            goal = min(goal + stride, sums[b])
            a = min(b, max(a + 1, bisect_right(sums, goal) - 1))
        else:
            a, goal = b, sums[b]


def _words(ruler: Ruler, low: int, high: int) -> tuple[list[int], list[int]]:
    """Return where the words of `text[low:high]` start, and their tokens."""
    parts = _SPACES.split(ruler.text[low:high])
    starts = list(accumulate(map(len, parts), initial=low))[:-1:2]
    words = parts[::2]
    distinct = list(set(words))
    tokens = dict(zip(distinct, ruler.measured_texts(distinct), strict=True))
    if max(tokens.values(), default=0) > LONG_WORD:
        return _cut_words(ruler, starts, words, tokens)
    return starts, [tokens[word] for word in words]


def _cut_words(ruler: Ruler, starts: Sequence[int], words: Sequence[str], tokens: dict[str, int]) -> tuple[list[int], list[int]]:
    """Cut the words of too many tokens; the tokens of a word's parts are taken as equal shares."""
    cut_starts: list[int] = []
    counts: list[int] = []
    for start, word in zip(starts, words, strict=True):
        n = tokens[word]
        if n <= LONG_WORD or len(word) < 2:
            cut_starts.append(start)
            counts.append(n)
            continue
        atoms = cut_atom(ruler.text, Atom(start, start + len(word)), n // (LONG_WORD // 2))
        cut_starts.extend(atom.start for atom in atoms)
        counts.extend([-(-n // len(atoms))] * len(atoms))
    return cut_starts, counts
