"""Benchmarks: figures of this project beside those of others."""
