"""Benchmarks: figures beside those of other tools, printed by `make bench NAME=…`."""
