"""Benchmark of the Prefect server of `make up`."""
