"""Candidates: corpora of the same documents by another model or recipe, built beside the live one, which they may replace."""
