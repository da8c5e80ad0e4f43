"""Choices of a search."""

from typing import Literal

Mode = Literal["hybrid", "dense", "fts"]
Returned = Literal["passages", "chunks", "parents"]
"""passages: neighbouring chunks, joined and trimmed to the sentences that match. parents: the spans that were cut into chunks."""

By = Literal["page", "document"]
"""What is ranked instead of passages: pages or documents, each shown by its best chunk."""

QUESTION_CHARS = 10_000
"""Longest question, in characters. The embedder reads the first few hundred words, and every word costs full-text search time."""

CONDITION_CHARS = 10_000
"""Longest condition on columns, in characters."""
