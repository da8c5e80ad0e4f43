"""Publish staged rows as a generation, and the way back: draft, validate, write, clean up, roll back, purge."""
