"""Measure the embedder: the speed of its engines, and what the vectors are worth for search."""
