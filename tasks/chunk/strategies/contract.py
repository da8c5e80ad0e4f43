"""The interface of chunkers: they take one document, its options and a ruler, and yield pieces that cover the text in order.

A chunker yields consecutive atoms, sorted by their starts and as early as its strategy allows. `tasks.chunk.size_check` enforces
the size limit afterwards. The time is linear in the length of the text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas.options.chunking import ChunkOptions
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.text_blocks import Atom, TextBlock
from tasks.embed.vectors import Vectors


@dataclass(frozen=True)
class SentenceVectors:
    """The starts of a document's sentences, in order, and their vectors, which have length 1."""

    starts: Sequence[int]
    vectors: Vectors

    def get_vectors(self, atoms: Sequence[Atom]) -> Vectors:
        """Return one vector for each atom: that of the sentence in which the atom starts."""
        rows = [max(0, bisect_right(self.starts, atom.start) - 1) for atom in atoms]
        found: Vectors = self.vectors[rows]
        return found


@dataclass(frozen=True)
class ChunkerInput:
    """One document to cut. `vectorised` and `breaks` are given if the strategy needs them.

    `blocks` can be read only once, because they may be made while they are read. `breaks` are the starts of the sentences with
    which a language model would begin a chunk.
    """

    blocks: Iterable[TextBlock]
    elements: Sequence[Mapping[str, Any]]
    options: ChunkOptions
    ruler: Ruler
    vectorised: SentenceVectors | None = None
    breaks: Sequence[int] = ()

    @property
    def text(self) -> str:
        """The document's text."""
        return self.ruler.text


Chunker = Callable[[ChunkerInput], Iterator[Piece]]


def list_block_atoms(blocks: Iterable[TextBlock]) -> list[Atom]:
    """Return the atoms of all blocks, leads included."""
    return [atom for block in blocks for atom in (*block.lead, *block.atoms)]


def list_prose_sentences(blocks: Iterable[TextBlock]) -> list[Atom]:
    """Return the atoms of the runs of prose, which are the sentences to embed."""
    return [atom for block in blocks for atom in (*block.lead, *(block.atoms if block.kind == "text" else ()))]


def clip_block(block: TextBlock, low: int, high: int) -> list[TextBlock]:
    """Return the part of a block within [low, high), as one block or none. Atoms on the edges are cut."""
    lead, atoms = _clip_atoms(block.lead, low, high), _clip_atoms(block.atoms, low, high)
    if atoms:
        return [block._replace(lead=lead, atoms=atoms)]
    return [TextBlock("text", lead, [])] if lead else []


def _clip_atoms(atoms: Sequence[Atom], low: int, high: int) -> list[Atom]:
    first = bisect_right(atoms, low, key=lambda atom: atom.end)
    last = bisect_left(atoms, high, key=lambda atom: atom.start)
    return [atom._replace(start=max(low, atom.start), end=min(high, atom.end)) for atom in atoms[first:last]]
