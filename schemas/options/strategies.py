"""Strategies: the ways to cut a document into chunks, each with its options, defaults and origin."""

from typing import Any, Literal, NamedTuple

StrategyName = Literal[
    "token-window",
    "sentence",
    "sentence-window",
    "recursive",
    "structural",
    "page",
    "semantic-percentile",
    "semantic-threshold",
    "semantic-merge",
    "cluster",
    "code",
    "parent-child",
    "llm",
    "adaptive",
]


class Strategy(NamedTuple):
    """A way to cut. `options` are its own options with their defaults, beside those that all strategies have."""

    summary: str
    origin: str
    options: dict[str, Any]
    sentence_vectors: bool = False
    """Whether the strategy needs the vectors of the document's sentences."""


SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ")

STRATEGIES: dict[StrategyName, Strategy] = {
    "token-window": Strategy(
        "windows of whole words up to size_tokens; each window repeats overlap_tokens tokens of the window before",
        "fixed-size windows; 500/250 in Laughlin 2025, 1024/0 to 75 in Stäbler 2025",
        {"overlap_tokens": 0},
    ),
    "sentence": Strategy(
        "whole sentences packed up to size_tokens; a heading stays with the text after it, tables and listings stay whole",
        "sentence splitters with 128 to 512 tokens and an overlap of 0, 75 or 200, Stäbler 2025",
        {"overlap_tokens": 0},
    ),
    "sentence-window": Strategy(
        "windows of n_sentences sentences; each window repeats overlap_sentences sentences of the window before",
        "ten sentences, three of them shared, Laughlin 2025",
        {"n_sentences": 10, "overlap_sentences": 3},
    ),
    "recursive": Strategy(
        "cut at the first separator, and parts that are too long at the next one; then packed again up to size_tokens",
        "recursive character splitting as in Smith and Troynikov (Chroma) 2024, counted in tokens",
        {"overlap_tokens": 0, "separators": SEPARATORS, "keep_separator": "end"},
    ),
    "structural": Strategy(
        "sections by headings; neighbours below min_tokens are joined, sections above size_tokens packed by sentences",
        "structured chunking in Laughlin 2025; Markdown and HTML trees",
        {"min_tokens": 64},
    ),
    "page": Strategy(
        "a chunk for each page; a page above size_tokens is packed by sentences", "page-level chunks of PDF files", {}
    ),
    "semantic-percentile": Strategy(
        "breaks between neighbouring sentences that differ more than `percentile` percent of all neighbours in the document",
        "semantic splitter with the 95th, 85th or 75th percentile, Stäbler 2025",
        {"percentile": 95.0},
        sentence_vectors=True,
    ),
    "semantic-threshold": Strategy(
        "breaks before a sentence whose cosine to the mean of the chunk is below threshold, if the chunk has min_tokens",
        "semantic chunking with a running mean",
        {"threshold": 0.5, "min_tokens": 64},
        sentence_vectors=True,
    ),
    "semantic-merge": Strategy(
        "neighbouring sentences are joined while their cosine exceeds threshold",
        "semantic merging of paragraphs and sentences",
        {"threshold": 0.5},
        sentence_vectors=True,
    ),
    "cluster": Strategy(
        "the segmentation with the highest similarity of sentence pairs within its chunks, by dynamic programming",
        "ClusterSemanticChunker, Smith and Troynikov (Chroma) 2024",
        {},
        sentence_vectors=True,
    ),
    "code": Strategy(
        "sections by headings; listings are cut before functions and classes, by tree-sitter if it is installed",
        "code and Markdown splitters; tree-sitter",
        {},
    ),
    "parent-child": Strategy(
        "chunks of child_strategy within spans of parent_strategy up to parent_tokens; the spans are kept with the chunks",
        "parent-document retrieval, parents of 1000 to 2000 tokens, children of 200 to 400",
        {"parent_strategy": "structural", "parent_tokens": 1000, "child_strategy": "sentence"},
    ),
    "llm": Strategy(
        "breaks before the sentences that an OpenAI-compatible endpoint names; structural if its answer cannot be used",
        "LLMSemanticChunker, Smith and Troynikov (Chroma) 2024",
        {"endpoint": "http://127.0.0.1:8000/v1", "chat_model": "default", "api_key_variable": ""},
    ),
    "adaptive": Strategy(
        "code for documents that are half code or more, structural with three headings and one for each 2000 tokens or more, "
        "page if pages are shorter than size_tokens on average, otherwise sentence",
        "a rule by document type, as in guides for practitioners",
        {},
    ),
}

OWN_OPTIONS = sorted({name for strategy in STRATEGIES.values() for name in strategy.options})
