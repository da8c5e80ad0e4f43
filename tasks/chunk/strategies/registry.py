"""The registry: the function behind each strategy's name, and the one way to call them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from schemas.options.chunking import ChunkOptions
from schemas.options.strategies import StrategyName
from tasks.chunk.packing import draft_pieces, sentence_groups
from tasks.chunk.pieces import Piece
from tasks.chunk.proof import proven
from tasks.chunk.strategies.cluster import cluster
from tasks.chunk.strategies.code import code, is_code
from tasks.chunk.strategies.contract import Chunker, Source, all_atoms
from tasks.chunk.strategies.parents import parent_child
from tasks.chunk.strategies.recursive import recursive
from tasks.chunk.strategies.sections import page, page_starts, structural
from tasks.chunk.strategies.semantic import proposed, semantic_merge, semantic_percentile, semantic_threshold
from tasks.chunk.strategies.windows import sentence_window, token_window

LEAST_HEADINGS, TOKENS_PER_HEADING = 3, 2000
"""From so many headings on, and so few tokens for each, a document has a structure worth following."""


def cut(source: Source) -> Iterator[Piece]:
    """Cut a document by the strategy that its options name; the pieces are proven and in order.

    Raises:
        DocumentError: one character alone takes more than `size_tokens` tokens.
    """
    return proven(CHUNKERS[source.options.strategy](source), source.ruler)


def sentence(source: Source) -> Iterator[Piece]:
    """Pack whole sentences."""
    overlap = source.options.value("overlap_tokens")
    return draft_pieces(source.blocks, source.ruler, partial(sentence_groups, overlap=overlap))


def llm(source: Source) -> Iterator[Piece]:
    """Break where the endpoint proposed, or by structure if it proposed nothing."""
    return proposed(source) if source.breaks else _as(source, "structural")


def adaptive(source: Source) -> Iterator[Piece]:
    """Cut by the strategy that suits the document."""
    whole = replace(source, blocks=list(source.blocks))
    return _as(whole, suitable(whole))


def suitable(source: Source) -> StrategyName:
    """Return the strategy for a document: code, structural, page or sentence, the first whose condition holds.

    code: half or more of its characters stand in listings. structural: three headings or more, one for each 2000 tokens at
    least. page: more than one page, and pages of at most `size_tokens` on average.
    """
    text = source.text
    listings = sum(block.atoms[-1].end - block.atoms[0].start for block in source.blocks if block.kind == "code")
    if listings * 2 >= len(text) or (not source.elements and is_code(text)):
        return "code"
    heads = sum(atom.level > 0 for atom in all_atoms(source.blocks))
    n_tokens = source.ruler.measured([(0, len(text))])[0]
    if heads >= LEAST_HEADINGS and heads * TOKENS_PER_HEADING >= n_tokens:
        return "structural"
    n_pages = len(page_starts(source))
    return "page" if n_pages > 1 and n_tokens <= n_pages * source.ruler.room else "sentence"


def _as(source: Source, strategy: StrategyName) -> Iterator[Piece]:
    options = source.options
    plain = ChunkOptions(
        strategy=strategy, size_tokens=options.size_tokens, context=options.context, wide_table_columns=options.wide_table_columns
    )
    return CHUNKERS[strategy](replace(source, options=plain))


def _parent_child(source: Source) -> Iterator[Piece]:
    parent, child = source.options.nested("parent"), source.options.nested("child")
    return parent_child(source, CHUNKERS[parent.strategy], CHUNKERS[child.strategy])


CHUNKERS: Mapping[StrategyName, Chunker] = {
    "token-window": token_window,
    "sentence": sentence,
    "sentence-window": sentence_window,
    "recursive": recursive,
    "structural": structural,
    "page": page,
    "semantic-percentile": semantic_percentile,
    "semantic-threshold": semantic_threshold,
    "semantic-merge": semantic_merge,
    "cluster": cluster,
    "code": code,
    "parent-child": _parent_child,
    "llm": llm,
    "adaptive": adaptive,
}
REGIONS: frozenset[StrategyName] = frozenset({"token-window", "recursive"})
"""Strategies that have no use for sentences."""
