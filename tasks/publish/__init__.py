"""Staged rows to a published generation, and back: draft, validate, write, clean up, roll back, purge."""
