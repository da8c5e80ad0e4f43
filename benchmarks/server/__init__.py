"""Benchmark of `pagemill serve`."""
