"""Spread: draws the documents, and the places in a document, that questions are made from. Equal seeds draw equal places."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TypeVar

from schemas.ids import digest
from tasks.chunk.sentences import find_sentence_spans
from tasks.evaluate.scoring import Span
from tasks.language.detection import detect_language

GOLDEN = (5**0.5 - 1) / 2
"""Its multiples, modulo 1, fill [0, 1) evenly, however many there are."""
MIN_SHARE = 0.3
"""A passage shorter than this share of the length wanted is left out, unless the document has no other."""

T = TypeVar("T")


def sample_paths(paths: Iterable[str], n: int | None, seed: int) -> list[str]:
    """Return `n` of the paths (None: all), sorted. A larger n only adds paths."""
    # by digest and not by shuffling, so that a new document changes nothing about the others
    ordered = sorted(paths, key=lambda path: digest(seed, path))
    return sorted(ordered[:n])


def spread_evenly(items: Sequence[T], seed: int) -> list[T]:
    """Return all items in an order in which the first n, for every n, are spread over the whole sequence.

    The order is van der Corput's: 0, 1/2, 1/4, 3/4, 1/8 … of the way.

    >>> spread_evenly("abcdefg", 0), spread_evenly("abcdefg", 1)
    (['a', 'd', 'b', 'f', 'e', 'c', 'g'], ['e', 'a', 'f', 'c', 'b', 'g', 'd'])
    """
    n = len(items)
    width = max(n - 1, 0).bit_length()
    offset = int(seed * GOLDEN % 1 * n)
    order = dict.fromkeys(int(f"{step:0{width}b}"[::-1], 2) * n >> width for step in range(1 << width)) if n else {}
    return [items[(at + offset) % n] for at in order]


def interleave_kinds(kinds: Sequence[Sequence[T]]) -> list[T]:
    """Return the first item of each kind, then the second of each, and so on.

    >>> interleave_kinds(["ab", "x", "123"])
    ['a', 'x', '1', 'b', '2', '3']
    """
    missing = object()
    return [item for row in zip_longest(*kinds, fillvalue=missing) for item in row if item is not missing]  # type: ignore[misc]


def split_into_passages(text: str, length: int) -> list[Span]:
    """Return spans of whole sentences, of about `length` characters each, in order and without overlap."""
    spans: list[Span] = []
    begin, last = 0, 0
    for _, end in find_sentence_spans(text, language=detect_language(text)):
        if end - begin > length and last > begin:
            spans.append((begin, last))
            begin = last
        last = end
    spans.append((begin, len(text)))
    trimmed = [_trim_span(text, span) for span in spans]
    full = [span for span in trimmed if span[1] - span[0] >= length * MIN_SHARE]
    return full or [span for span in trimmed if span[0] < span[1]]


def _trim_span(text: str, span: Span) -> Span:
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip())
    return start, start + len(part.strip())
