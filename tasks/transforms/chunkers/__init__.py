"""Chunkers: one pure function for each strategy, behind one contract."""
