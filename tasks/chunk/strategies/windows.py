"""Windows: the strategies token-window and sentence-window, which move over the text by a fixed step."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate

from tasks.chunk.packing import Measured, draft_pieces
from tasks.chunk.pieces import Piece, Ruler, cut_atom
from tasks.chunk.sentences import Span
from tasks.chunk.strategies.contract import ChunkerInput
from tasks.chunk.text_blocks import Atom

LONG_WORD = 16
"""A longer run without blanks, in tokens (a script without spaces, a long number), is cut to keep windows of similar size."""

PORTION = 100_000
"""Characters whose words are in memory at a time."""

_SPACES = re.compile(r"(\s+)")


def cut_token_windows(document: ChunkerInput) -> Iterator[Piece]:
    """Cut runs of prose into windows of whole words, each `size_tokens` - `overlap_tokens` after the last."""
    stride = document.options.size_tokens - document.options.value("overlap_tokens")
    return draft_pieces(document.blocks, document.ruler, partial(_make_word_windows, stride=stride), measure=False)


def cut_sentence_windows(document: ChunkerInput) -> Iterator[Piece]:
    """Cut runs of prose into windows of `n_sentences`. Windows that are too long are halved."""
    n, shared = document.options.value("n_sentences"), document.options.value("overlap_sentences")

    def group_into_windows(measured: Iterable[Measured], ruler: Ruler) -> Iterator[list[Atom]]:
        window: list[Atom] = []
        fresh = 0
        for atom, _ in measured:
            window.append(atom)
            fresh += 1
            if len(window) == n:
                yield window
                window, fresh = window[n - shared :], 0
        if fresh:
            yield window

    return draft_pieces(document.blocks, document.ruler, group_into_windows)


def _make_word_windows(run: Iterable[Measured], ruler: Ruler, stride: int) -> Iterator[list[Atom]]:
    """Yield windows that fit the ruler's room, with at least one word.

    A window starts with the word at `stride` tokens after the last start, and never after the last end.
    """
    atoms = [atom for atom, _ in run]
    starts: list[int] = []
    counts: list[int] = []
    done = goal = 0
    for low, high in _split_into_portions(ruler.text, atoms[0].start, atoms[-1].end):
        for held, new in zip((starts, counts), _find_and_count_words(ruler, low, high), strict=True):
            held.extend(new)
        sums = [0, *accumulate(counts)]
        a = 0
        while done < len(starts):
            b = max(a + 1, bisect_right(sums, sums[a] + ruler.room) - 1)
            if b == len(starts) and high < atoms[-1].end:
                break
            if b > done:
                yield [Atom(starts[a], starts[b] if b < len(starts) else high)]
                done, goal = b, min(goal + stride, sums[b])
                a = min(done, max(a + 1, bisect_right(sums, goal) - 1))
            else:
                a, goal = done, sums[done]
        del starts[:a], counts[:a]
        done, goal = done - a, goal - sums[a]


def _split_into_portions(text: str, low: int, high: int) -> Iterator[Span]:
    """Cut `text[low:high]` into spans of PORTION characters, each extended to the next white space."""
    while low < high:
        space = _SPACES.search(text, min(low + PORTION, high), high)
        end = space.end() if space else high
        yield low, end
        low = end


def _find_and_count_words(ruler: Ruler, low: int, high: int) -> tuple[list[int], list[int]]:
    """Return where the words of `text[low:high]` start, and their numbers of tokens."""
    parts = _SPACES.split(ruler.text[low:high])
    starts = list(accumulate(map(len, parts), initial=low))[:-1:2]
    words = parts[::2]
    distinct = list(set(words))
    tokens = dict(zip(distinct, ruler.count_text_tokens(distinct), strict=True))
    if max(tokens.values(), default=0) > LONG_WORD:
        return _cut_long_words(ruler, starts, words, tokens)
    return starts, [tokens[word] for word in words]


def _cut_long_words(
    ruler: Ruler, starts: Sequence[int], words: Sequence[str], tokens: dict[str, int]
) -> tuple[list[int], list[int]]:
    """Cut words with too many tokens. Each part of a word counts as an equal share of its tokens."""
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
