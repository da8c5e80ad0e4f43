"""Pieces: chunks in the making, how they are measured in tokens, and how a piece that is too long is cut."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tasks.chunk.batches import batched
from tasks.chunk.context_prefixes import ContextPrefixes
from tasks.chunk.graphemes import find_nearest_break
from tasks.chunk.sentences import Span
from tasks.chunk.text_blocks import TABLE_DELIMITER, Atom, split_table_row

Count = Callable[[Sequence[str]], list[int]]
"""Returns the number of tokens of each text, special tokens included. Counts of parts need not add up to that of the whole."""

CHARACTERS_PER_TOKEN = 32
"""A text counts as one token for this many characters at least: tokenizers make one unknown token of a very long word."""

SPANS_AT_ONCE = 4096
"""Spans whose texts are in memory together; their words take ten times as much."""

PREFIX_SHARE = 4
"""A prefix takes at most one in four tokens of a chunk."""

_SPACE = re.compile(r"\s")


class Piece(NamedTuple):
    """A future chunk: consecutive atoms, and the spans that are repeated before them unless the atoms contain them."""

    kind: str
    atoms: Sequence[Atom]
    context: tuple[Span, ...] = ()
    n_tokens: int = 0
    parent: Span | None = None

    def trim_span(self, text: str) -> Span:
        """Return the span of the piece without white space at its ends; empty if it contains only white space."""
        whole = text[self.atoms[0].start : self.atoms[-1].end]
        start = self.atoms[0].start + len(whole) - len(whole.lstrip())
        return start, max(start, self.atoms[0].start + len(whole.rstrip()))


class Tables(NamedTuple):
    """How tables differ: their longest chunk in tokens, and from how many columns on they are written row by row (0: never)."""

    size: int = 0
    wide_columns: int = 0


ALIKE = Tables()


class Ruler:
    """Measures spans of one text, and what the embedder sees of its pieces, in tokens."""

    def __init__(
        self, text: str, size: int, count: Count, prefixes: ContextPrefixes | None = None, tables: Tables = ALIKE
    ) -> None:
        """`prefixes` are put before pieces."""
        self.text, self.size, self._count = text, size, count
        self.special = count([""])[0]
        self._prefixes = prefixes.drop_long_prefixes(size // PREFIX_SHARE, self.count_text_tokens) if prefixes else None
        self._tables = tables
        self.room = size - self.special - (self._prefixes.n_tokens if self._prefixes else 0)

    def get_piece_token_limit(self, kind: str) -> int:
        """Return the tokens of the longest piece of a kind."""
        return max(self.size, self._tables.size) if kind == "table" else self.size

    def get_text_token_limit(self, kind: str) -> int:
        """Return the tokens that the text of a piece of a kind may have."""
        return self.room + self.get_piece_token_limit(kind) - self.size

    def build_embedding_text(self, piece: Piece) -> str:
        """Return what the embedder sees of a piece: its prefix, its text, and the caption and header rows it does not contain."""
        start, end = piece.trim_span(self.text)
        repeated = [self.text[low:high].strip() for low, high in sorted(piece.context) if low < start or high > end]
        body = self.text[start:end]
        if self._tables.wide_columns and piece.kind == "table":
            repeated, body = (
                [],
                write_row_sentences([*repeated, *body.split("\n")], self._tables.wide_columns) or "\n".join([*repeated, body]),
            )
        prefix = self._prefixes.get_prefix(start, body) if self._prefixes else ""
        return "\n".join([*([prefix] if prefix else []), *repeated, body])

    def count_text_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        return [n - self.special for n in self.count_tokens_with_special(texts)]

    def copy_with_size(self, size: int) -> "Ruler":
        """Return a ruler of the same text for pieces of at most `size` tokens, which are not embedded and have no prefix."""
        return Ruler(self.text, size, self._count)

    def count_tokens_with_special(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, special tokens included."""
        return self._count(texts) if texts else []

    def measure_pieces(self, pieces: Sequence[Piece]) -> list[int]:
        """Return the tokens of what the embedder sees of each piece. Those of one that is too long for sure are not counted."""
        texts = [self.build_embedding_text(piece) for piece in pieces]
        floors = [len(text) // CHARACTERS_PER_TOKEN for text in texts]
        most = self.get_piece_token_limit("table")
        counted = iter(self.count_tokens_with_floor([text for text, n in zip(texts, floors, strict=True) if n <= most]))
        return [next(counted) if n <= most else n for n in floors]

    def count_tokens_with_floor(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, special tokens included; at least its length / CHARACTERS_PER_TOKEN."""
        return [
            max(n, len(text) // CHARACTERS_PER_TOKEN)
            for n, text in zip(self.count_tokens_with_special(texts), texts, strict=True)
        ]

    def count_span_tokens(self, spans: Sequence[Span]) -> list[int]:
        """Return the number of tokens of each span, without special tokens, with two characters of the white space after it."""
        found: list[int] = []
        for part in batched(spans, SPANS_AT_ONCE):
            counted = self.count_tokens_with_floor([self._cut_span(*span) for span in part])
            found += [max(0, n - self.special) for n in counted]
        return found

    def _cut_span(self, start: int, end: int) -> str:
        bare = self.text[start:end].rstrip()
        return bare + self.text[start + len(bare) : min(end, start + len(bare) + 2)]


def cut_atom(text: str, atom: Atom, n: int) -> list[Atom]:
    """Cut an atom of two or more characters into about `n` atoms of similar length, at least two.

    It is cut after a line end, else after white space, else between graphemes; inside one only if it is longer than a part.
    """
    length = atom.end - atom.start
    n = min(max(n, 2), length)
    targets = [atom.start + length * k // n for k in range(1, n)]
    limits = zip([atom.start, *targets], targets, [*targets[1:], atom.end], strict=False)
    cuts = sorted({_find_cut_near(text, *limit) for limit in limits})
    return [Atom(low, high, atom.level) for low, high in zip([atom.start, *cuts], [*cuts, atom.end], strict=True)]


def _find_cut_near(text: str, low: int, at: int, high: int) -> int:
    """Return the best cut in (low, high), near `at`: if there is a space, at most half of the way back to `low`."""
    near = (low + at) // 2
    line_end = text.rfind("\n", near, at)
    if line_end >= near and line_end + 1 > low:
        return line_end + 1
    spaces = [match.end() for match in _SPACE.finditer(text, near, at) if match.end() > low]
    return spaces[-1] if spaces else find_nearest_break(text, at, low, high)


def write_row_sentences(lines: Sequence[str], min_columns: int) -> str:
    """Return the rows of a Markdown table as lines of `name: value; name: value`.

    The row above the delimiter row names the columns. Lines that are not rows stay as they are. Returns "" if there is no such
    header, or if it has fewer than `min_columns`.

    >>> write_row_sentences(["| a | b |", "| --- | --- |", "| 1 | 2 |"], 2)
    'a: 1; b: 2'
    """
    flat = [line for text in lines for line in text.split("\n")]
    at = next((i for i, line in enumerate(flat) if i and "|" in line and TABLE_DELIMITER.match(line)), None)
    names = split_table_row(flat[at - 1]) if at is not None else []
    if at is None or len(names) < max(min_columns, 1):
        return ""
    return "\n".join([*flat[: at - 1], *(_write_row_sentence(names, line) for line in flat[at + 1 :])])


def _write_row_sentence(names: Sequence[str], line: str) -> str:
    if not line.strip().startswith("|"):
        return line
    cells = split_table_row(line)
    padded = [*names, *[""] * (len(cells) - len(names))]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(padded, cells, strict=False) if cell)
