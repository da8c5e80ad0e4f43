"""Pieces: spans on their way to becoming chunks, how they are measured in tokens, and how one that is too long is cut."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tasks.transforms.blocks import Atom
from tasks.transforms.graphemes import nearest_break
from tasks.transforms.sentences import Span

Count = Callable[[Sequence[str]], list[int]]
"""Returns the tokens of each text, special ones included. Counts of parts need not add up to that of the whole."""

CHARACTERS_PER_TOKEN = 32
"""More characters than this count as a token each: tokenizers take the longest words for one unknown token."""

_SPACE = re.compile(r"\s")


class Piece(NamedTuple):
    """A chunk to be: atoms that follow each other, and the spans that are repeated before them unless they are among them."""

    kind: str
    atoms: Sequence[Atom]
    context: tuple[Span, ...] = ()
    n_tokens: int = 0

    def span(self, text: str) -> Span:
        """Return where the piece stands, without white space at its ends; an empty span if it holds nothing else."""
        whole = text[self.atoms[0].start : self.atoms[-1].end]
        start = self.atoms[0].start + len(whole) - len(whole.lstrip())
        return start, max(start, self.atoms[0].start + len(whole.rstrip()))

    def embedding_text(self, text: str) -> str:
        """Return what the embedder sees: the piece, after its caption and header rows if it lacks them."""
        start, end = self.span(text)
        repeated = [text[low:high].strip() for low, high in sorted(self.context) if low < start or high > end]
        return "\n".join([*repeated, text[start:end]])


class Ruler:
    """Measures spans of one text in tokens."""

    def __init__(self, text: str, size: int, count: Count) -> None:
        self.text, self.size, self._count = text, size, count
        self.special = count([""])[0]
        self.room = size - self.special

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, special ones included."""
        return self._count(texts) if texts else []

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, special ones included; more if it has too many characters for them."""
        return [max(n, len(text) // CHARACTERS_PER_TOKEN) for n, text in zip(self.counts(texts), texts, strict=True)]

    def measured(self, spans: Sequence[Span]) -> list[int]:
        """Return the tokens of each span without special ones, but with two characters of the white space behind it."""
        texts = []
        for start, end in spans:
            bare = self.text[start:end].rstrip()
            texts.append(bare + self.text[start + len(bare) : min(end, start + len(bare) + 2)])
        return [max(0, n - self.special) for n in self.lengths(texts)]


def cut_atom(text: str, atom: Atom, n: int) -> list[Atom]:
    """Cut an atom of two or more characters into about `n`, at least two, of like length.

    Cuts lie behind a line's end, else behind white space, else between graphemes; inside one only if it is longer than a part.
    """
    length = atom.end - atom.start
    n = min(max(n, 2), length)
    targets = [atom.start + length * k // n for k in range(1, n)]
    limits = zip([atom.start, *targets], targets, [*targets[1:], atom.end], strict=False)
    cuts = sorted({_cut_near(text, *limit) for limit in limits})
    return [Atom(low, high, atom.level) for low, high in zip([atom.start, *cuts], [*cuts, atom.end], strict=True)]


def _cut_near(text: str, low: int, at: int, high: int) -> int:
    """Return the best cut in (low, high), near `at`: at most half of the way to `low` before it, if there is a space."""
    near = (low + at) // 2
    line_end = text.rfind("\n", near, at)
    if line_end >= near and line_end + 1 > low:
        return line_end + 1
    spaces = [match.end() for match in _SPACE.finditer(text, near, at) if match.end() > low]
    return spaces[-1] if spaces else nearest_break(text, at, low, high)
