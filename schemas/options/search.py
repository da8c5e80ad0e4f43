"""Choices of a search."""

from typing import Literal

Mode = Literal["hybrid", "dense", "fts"]
Returned = Literal["passages", "chunks", "parents"]
"""passages: neighbouring chunks, joined and trimmed to the sentences that match. parents: the spans that were cut into chunks."""
