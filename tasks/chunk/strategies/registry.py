"""The registry: the function behind each strategy's name, the strategies that call others, and the one way to call them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from schemas.options.chunking import ChunkOptions
from schemas.options.strategies import StrategyName
from tasks.chunk.packing import draft_pieces, pack_sentences
from tasks.chunk.pieces import Piece
from tasks.chunk.sentences import Span
from tasks.chunk.size_check import merge_pieces_in_order, split_pieces_to_size
from tasks.chunk.strategies.code import cut_code_by_definitions, is_code_text
from tasks.chunk.strategies.contract import Chunker, ChunkerInput, clip_block, list_block_atoms
from tasks.chunk.strategies.recursive import cut_recursively
from tasks.chunk.strategies.sections import cut_by_pages, cut_by_sections, find_page_starts
from tasks.chunk.strategies.semantic import (
    cut_at_proposed_boundaries,
    cut_below_similarity_threshold,
    cut_by_clusters,
    cut_by_distance_percentile,
    merge_similar_sentences,
)
from tasks.chunk.strategies.windows import cut_sentence_windows, cut_token_windows

LEAST_HEADINGS, TOKENS_PER_HEADING = 3, 2000
"""Fewest headings, and most tokens per heading, of a document that is cut by its structure."""


def cut_document(document: ChunkerInput) -> Iterator[Piece]:
    """Cut a document by the strategy that its options name; the pieces fit the size limit and are in order.

    Raises:
        DocumentError: one character has more than `size_tokens` tokens.
    """
    return split_pieces_to_size(CHUNKERS[document.options.strategy](document), document.ruler)


def cut_by_sentences(document: ChunkerInput) -> Iterator[Piece]:
    """Pack whole sentences."""
    overlap = document.options.value("overlap_tokens")
    return draft_pieces(document.blocks, document.ruler, partial(pack_sentences, overlap=overlap))


def cut_at_proposals_or_sections(document: ChunkerInput) -> Iterator[Piece]:
    """Cut where the language model proposed, or by structure if it proposed nothing."""
    return cut_at_proposed_boundaries(document) if document.breaks else _cut_by_strategy(document, "structural")


def cut_by_suitable_strategy(document: ChunkerInput) -> Iterator[Piece]:
    """Cut by the strategy that suits the document."""
    whole = replace(document, blocks=list(document.blocks))
    return _cut_by_strategy(whole, choose_chunking_strategy(whole))


def choose_chunking_strategy(document: ChunkerInput) -> StrategyName:
    """Return the strategy for a document: code, structural, page or sentence, the first whose condition holds.

    code: at least half of its characters are in listings. structural: at least three headings, and one for every 2000 tokens.
    page: several pages, with at most `size_tokens` on average.
    """
    text = document.text
    listings = sum(block.atoms[-1].end - block.atoms[0].start for block in document.blocks if block.kind == "code")
    if listings * 2 >= len(text) or (not document.elements and is_code_text(text)):
        return "code"
    heads = sum(atom.level > 0 for atom in list_block_atoms(document.blocks))
    n_tokens = document.ruler.count_span_tokens([(0, len(text))])[0]
    if heads >= LEAST_HEADINGS and heads * TOKENS_PER_HEADING >= n_tokens:
        return "structural"
    n_pages = len(find_page_starts(document))
    return "page" if n_pages > 1 and n_tokens <= n_pages * document.ruler.room else "sentence"


def _cut_by_strategy(document: ChunkerInput, strategy: StrategyName) -> Iterator[Piece]:
    options = document.options
    plain = ChunkOptions(
        strategy=strategy, size_tokens=options.size_tokens, context=options.context, wide_table_columns=options.wide_table_columns
    )
    return CHUNKERS[strategy](replace(document, options=plain))


def cut_parents_and_children(document: ChunkerInput) -> Iterator[Piece]:
    """Cut the document into large parents for reading, and each of them into small pieces for search, which hold its span."""
    options, blocks = document.options, list(document.blocks)
    parent, child = options.nested_options("parent"), options.nested_options("child")
    starts = [list_block_atoms([block])[0].start for block in blocks]
    ruler = document.ruler.copy_with_size(options.value("parent_tokens"))

    def cut_children(span: Span) -> Iterator[Piece]:
        near = blocks[max(0, bisect_right(starts, span[0]) - 1) : bisect_left(starts, span[1])]
        within = [part for block in near for part in clip_block(block, *span)]
        inner = CHUNKERS[child.strategy](replace(document, options=child, blocks=within))
        return (piece._replace(parent=span) for piece in inner)

    outer = CHUNKERS[parent.strategy](replace(document, blocks=blocks, options=parent, ruler=ruler))
    spans = dict.fromkeys(piece.trim_span(document.text) for piece in split_pieces_to_size(outer, ruler))
    return merge_pieces_in_order((span[0], cut_children(span)) for span in spans)


CHUNKERS: Mapping[StrategyName, Chunker] = {
    "token-window": cut_token_windows,
    "sentence": cut_by_sentences,
    "sentence-window": cut_sentence_windows,
    "recursive": cut_recursively,
    "structural": cut_by_sections,
    "page": cut_by_pages,
    "semantic-percentile": cut_by_distance_percentile,
    "semantic-threshold": cut_below_similarity_threshold,
    "semantic-merge": merge_similar_sentences,
    "cluster": cut_by_clusters,
    "code": cut_code_by_definitions,
    "parent-child": cut_parents_and_children,
    "llm": cut_at_proposals_or_sections,
    "adaptive": cut_by_suitable_strategy,
}
WITHOUT_SENTENCES: frozenset[StrategyName] = frozenset({"token-window", "recursive"})
"""Strategies that do not need the text cut into sentences."""
