"""Verify and repair: whether everything that a corpus needs is there and as it was written, and what helps if it is not."""
